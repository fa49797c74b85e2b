/** The ratio of each user group until the administrator saves another table (contract section 3.3). */
export const DEFAULT_GROUP_RATIOS: Readonly<Record<string, number>> = { default: 1, svip: 1, vip: 1 };
