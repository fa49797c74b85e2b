export const HOUR_SECONDS = 3600;
export const DAY_SECONDS = 86_400;
/** A third of a day: midnights of UTC, of China and of the Pacific coast all lie between two of them. */
export const BUCKET_SECONDS = 28_800;
export const WEEK_SECONDS = 604_800;

/** The begin of the hour (UTC) in which a moment lies; both in unix seconds. */
export const hourOf = (seconds: number): number =>
  seconds - (((seconds % HOUR_SECONDS) + HOUR_SECONDS) % HOUR_SECONDS);

/** The number of the day (UTC) since 1970. */
export const dayOf = (seconds: number): number => Math.floor(seconds / DAY_SECONDS);
