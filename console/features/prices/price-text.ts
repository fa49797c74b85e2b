import type { PriceDifference } from "@tollgate/contract/management/price-sync";

/** The largest change of a price in either direction; a price without comparison ranks highest. */
export const largestChange = (differences: readonly PriceDifference[]): number =>
  Math.max(
    0,
    ...differences.map(({ percent }) => (percent === undefined ? Number.MAX_VALUE : Math.abs(percent))),
  );
