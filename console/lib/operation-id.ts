/** Returns a new identifier of a change that moves money. Works also on pages without TLS, unlike `randomUUID`. */
export const createOperationId = (): string =>
  Array.from(crypto.getRandomValues(new Uint8Array(16)), (byte) => byte.toString(16).padStart(2, "0")).join(
    "",
  );
