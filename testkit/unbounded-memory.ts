/** A request's memory that has room for everything. */
export const UNBOUNDED_MEMORY = { take: () => undefined, hold: () => true, keep: () => () => {} };
