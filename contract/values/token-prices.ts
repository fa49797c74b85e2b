/** Prices of a million tokens that a model may have, in the order in which they are shown. */
export const TOKEN_PRICES = [
  "input",
  "output",
  "cacheRead",
  "cacheWrite5m",
  "cacheWrite1h",
  "audioInput",
  "audioOutput",
] as const;

/** All prices that a model may have. */
export const PRICE_PARTS = [...TOKEN_PRICES, "perCall"] as const;
