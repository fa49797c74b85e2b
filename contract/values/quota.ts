/** How many quota points make one US dollar unless the option QuotaPerUnit says otherwise. */
export const DEFAULT_QUOTA_PER_UNIT = 500_000;

/** The quota that a new token's form starts with (specification section 9). */
export const DEFAULT_TOKEN_QUOTA = 500_000;

/** The quota that a new redemption code's form starts with (specification section 9). */
export const DEFAULT_REDEMPTION_QUOTA = 100_000;

/** The largest quota that any balance, limit or price may hold: exact in a JSON number and in an SQL bigint. */
export const MAX_QUOTA = Number.MAX_SAFE_INTEGER;

/**
 * An amount of quota as the log lines of an account say it (contract section 1.4).
 * @param quotaPerUnit quota points per US dollar.
 */
export const formatAmount = (quota: number, quotaPerUnit: number, isCurrency: boolean): string =>
  isCurrency ? `＄${(quota / quotaPerUnit).toFixed(6)} 额度` : `${quota} 点额度`;
