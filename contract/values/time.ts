/** "Never" in an expiry field, in place of unix seconds. */
export const NEVER = -1;

/** Unix seconds of a millisecond clock value. */
export const toUnixSeconds = (milliseconds: number): number => Math.floor(milliseconds / 1000);
