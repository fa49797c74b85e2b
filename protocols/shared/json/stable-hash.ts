import { createHash } from "node:crypto";

/*
 * The one built-in module that translation uses: a hash is pure, the same text always gives the same result. It keeps
 * no secrets; it creates ids that stay the same when a conversation is repeated.
 */

/** SHA-256 of a text as 64 hexadecimal digits. */
export const hexHash = (text: string): string => createHash("sha256").update(text).digest("hex");

/** SHA-256 of a text as 43 characters of A–Z, a–z, 0–9, "-" and "_". */
export const idHash = (text: string): string => createHash("sha256").update(text).digest("base64url");
