import { randomBytes, randomInt } from "node:crypto";
import { MANAGEMENT_KEY_PREFIX } from "@tollgate/contract/management/management-key";

const ALPHANUMERIC = "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz";

/** Letters and digits from the system's random source. */
export const randomAlphanumeric = (length: number): string =>
  Array.from({ length }, () => ALPHANUMERIC[randomInt(ALPHANUMERIC.length)]).join("");

/** The 48 characters of an API key, without its "sk-" (contract section 3.1). */
export const createApiKey = (): string => randomAlphanumeric(48);

/** The 32 lower-case hex characters of a system access token (contract section 3.1). */
export const createAccessToken = (): string => randomBytes(16).toString("hex");

/** A management key: its prefix and 48 characters. */
export const createManagementKey = (): string => `${MANAGEMENT_KEY_PREFIX}${randomAlphanumeric(48)}`;

/** The value of a session cookie. */
export const createSessionId = (): string => randomBytes(32).toString("base64url");
