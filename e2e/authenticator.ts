import { Secret, TOTP } from "otpauth";

const PERIOD_MS = 30_000;

/**
 * The code that a person's authenticator app shows.
 * @param steps how many times half a minute from now: a gateway takes those of one before and one after
 */
export const appCode = (secret: string, steps = 0): string =>
  new TOTP({ secret: Secret.fromBase32(secret) }).generate({ timestamp: Date.now() + steps * PERIOD_MS });

/** Waits, where little is left of the current code, for the next one: what follows is within its half minute. */
export const waitForFreshCode = async (leastMs = 10_000): Promise<void> => {
  const leftMs = PERIOD_MS - (Date.now() % PERIOD_MS);
  if (leftMs < leastMs) await new Promise((resolve) => setTimeout(resolve, leftMs));
};
