import { isAscii } from "node:buffer";

/** The text of bytes in UTF-8. Most are ASCII, which is copied instead of decoded, in a small part of the time. */
export const decodeUtf8 = (bytes: Buffer): string => bytes.toString(isAscii(bytes) ? "latin1" : "utf8");
