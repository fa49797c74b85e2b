import type { FeedState } from "@tollgate/storage/accounts/node-ports";

/** A feed that was not up to date for longer hears of nothing. */
const SILENT_FEED_MS = 3000;

/**
 * How late changes of other nodes hold here: as late as the newest one or, where none is heard of, for as long as that is so.
 * @returns milliseconds; undefined before the first change.
 */
export const feedLagMs = ({ lagMs, behindMs }: FeedState): number | undefined => {
  if (behindMs > SILENT_FEED_MS) return Math.round(behindMs);
  // Of two clocks one may be ahead.
  return lagMs === undefined ? undefined : Math.max(0, Math.round(lagMs));
};
