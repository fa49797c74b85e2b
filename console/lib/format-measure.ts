/** A duration from milliseconds, for display: 820 ms, 1.24 s, 2 min 5 s. */
export const formatDuration = (durationMs: number): string => {
  const rounded = Math.round(durationMs);
  if (rounded < 1000) return `${rounded} ms`;
  if (rounded < 60_000) return `${(rounded / 1000).toFixed(rounded < 10_000 ? 2 : 1)} s`;
  const seconds = Math.round(rounded / 1000);
  return `${Math.floor(seconds / 60)} min ${seconds % 60} s`;
};

/** A share from 0 to 1 as a percentage: 12.5%, <0.1%. */
export const formatShare = (share: number): string => {
  if (share > 0 && share < 0.001) return "<0.1%";
  return `${(share * 100).toFixed(1).replace(/\.0$/, "")}%`;
};

/** A share that may be below 0. */
export const formatSignedShare = (share: number): string =>
  share < 0 ? `−${formatShare(-share)}` : formatShare(share);
