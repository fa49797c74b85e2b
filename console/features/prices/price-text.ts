import type { PriceDifference } from "@tollgate/contract/management/price-sync";

/** By how much something becomes dearer; "" where there is nothing to compare with. */
export const formatPercent = ({ percent }: PriceDifference): string =>
  percent === undefined ? "" : `${percent > 0 ? "+" : ""}${percent} %`;

/** The largest change of a price, whichever way; what has nothing to compare with is larger than any. */
export const largestChange = (differences: readonly PriceDifference[]): number =>
  Math.max(
    0,
    ...differences.map(({ percent }) => (percent === undefined ? Number.MAX_VALUE : Math.abs(percent))),
  );
