/** The characters of a new password, at least and at most (contract section 1.0, specification section 9). */
export const MIN_PASSWORD = 8;
export const MAX_PASSWORD = 20;
