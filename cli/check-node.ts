/** The oldest Node that has all that the product loads (package.json, `engines`). */
const OLDEST = { major: 20, minor: 19 };

/**
 * Returns the message for a Node that is too old, before anything is loaded that it does not have.
 * @param version as `process.versions.node` has it
 * @returns undefined where it is new enough.
 */
export const refuseOldNode = (version: string): string | undefined => {
  const [major = 0, minor = 0] = version.split(".").map(Number);
  if (major > OLDEST.major || (major === OLDEST.major && minor >= OLDEST.minor)) return undefined;
  return `Tollgate needs Node.js ${OLDEST.major}.${OLDEST.minor} or newer; this is ${version}. Get a newer one from https://nodejs.org.`;
};
