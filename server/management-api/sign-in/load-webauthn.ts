/**
 * Loads the library of passkeys, with the first passkey: most starts do not need it. It reads metadata of classes that
 * this polyfill keeps, which must come before it in the built files as well.
 */
export const loadWebauthn = async () => {
  await import("reflect-metadata");
  const [library, helpers] = await Promise.all([
    import("@simplewebauthn/server"),
    import("@simplewebauthn/server/helpers"),
  ]);
  return { ...library, ...helpers };
};
