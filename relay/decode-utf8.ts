import { isAscii } from "node:buffer";

/** Decodes UTF-8. Most texts are ASCII, which is copied instead of decoded, in a fraction of the time. */
export const decodeUtf8 = (bytes: Buffer): string => bytes.toString(isAscii(bytes) ? "latin1" : "utf8");
