/** A duration from milliseconds, for display: 820 ms, 1.24 s, 2 min 5 s. */
export const formatDuration = (durationMs: number): string => {
  const rounded = Math.round(durationMs);
  if (rounded < 1000) return `${rounded} ms`;
  if (rounded < 60_000) return `${(rounded / 1000).toFixed(rounded < 10_000 ? 2 : 1)} s`;
  const seconds = Math.round(rounded / 1000);
  return `${Math.floor(seconds / 60)} min ${seconds % 60} s`;
};

/** A share from 0 to 1 as a percentage. Always one decimal, so that a column's points align: 12.5%, 9.0%, <0.1%. */
export const formatShare = (share: number): string =>
  share > 0 && share < 0.001 ? "<0.1%" : `${(share * 100).toFixed(1)}%`;

/** A share of successful requests; 100.0% only if none failed. */
export const formatSuccess = (share: number): string => formatShare(share < 1 ? Math.min(0.999, share) : 1);

/** A share that may be below 0. */
export const formatSignedShare = (share: number): string =>
  share < 0 ? `−${formatShare(-share)}` : formatShare(share);

/** A change relative to the value before, with its sign: +12.5%, −3.0%. */
export const formatShareChange = (share: number): string =>
  share > 0 ? `+${formatShare(share)}` : formatSignedShare(share);
