import type { FeedState } from "@tollgate/storage/accounts/node-ports";

/** A feed behind for longer has lost contact. */
const SILENT_FEED_MS = 3000;

/**
 * Delay of other nodes' changes here: that of the newest one or, without contact, the time since contact was lost.
 * @returns milliseconds; undefined before the first change.
 */
export const feedLagMs = ({ lagMs, behindMs }: FeedState): number | undefined => {
  if (behindMs > SILENT_FEED_MS) return Math.round(behindMs);
  // One of the two clocks may be ahead.
  return lagMs === undefined ? undefined : Math.max(0, Math.round(lagMs));
};
