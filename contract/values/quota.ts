/** How many quota points make one US dollar unless the option QuotaPerUnit says otherwise. */
export const DEFAULT_QUOTA_PER_UNIT = 500_000;

/** The quota that a new token's form starts with (specification section 9). */
export const DEFAULT_TOKEN_QUOTA = 500_000;

/** The quota that a new redemption code's form starts with (specification section 9). */
export const DEFAULT_REDEMPTION_QUOTA = 100_000;

/** The largest quota that any balance, limit or price may hold: exact in a JSON number and in an SQL bigint. */
export const MAX_QUOTA = Number.MAX_SAFE_INTEGER;

/**
 * Costs are counted in thousandths of quota: a thousandth is two billionths of a dollar, so that the rounding of many small
 * costs adds up to nothing, and eighteen million dollars are still exact in a JSON number.
 */
export const COST_UNITS = 1000;
