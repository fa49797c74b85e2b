/**
 * Per byte, 1 if it is allowed in a token: the name of a header or of a chunk's extension
 * (https://www.rfc-editor.org/rfc/rfc9110#section-5.6.2).
 */
export const IS_TOKEN = new Uint8Array(256);
for (const char of "!#$%&'*+-.^_`|~0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz") {
  IS_TOKEN[char.charCodeAt(0)] = 1;
}
