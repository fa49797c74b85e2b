/** Status numbers as they travel on the wire (specification section 4). */
export const USER_ENABLED = 1;
export const USER_DISABLED = 2;

export const CHANNEL_ENABLED = 1;
export const CHANNEL_DISABLED_BY_HAND = 2;
export const CHANNEL_DISABLED_AUTOMATICALLY = 3;

export const TOKEN_ENABLED = 1;
export const TOKEN_DISABLED = 2;
export const TOKEN_EXPIRED = 3;
export const TOKEN_EXHAUSTED = 4;

export const REDEMPTION_UNUSED = 1;
export const REDEMPTION_DISABLED = 2;
export const REDEMPTION_USED = 3;

/** Log types (specification section 2, log page). 0 in a filter means all. */
export const LOG_ALL = 0;
export const LOG_TOPUP = 1;
export const LOG_CONSUME = 2;
export const LOG_MANAGE = 3;
export const LOG_SYSTEM = 4;
/** A request that was refused or failed, as new-api numbers it. */
export const LOG_ERROR = 5;
