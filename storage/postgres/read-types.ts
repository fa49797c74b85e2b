import pg, { type CustomTypesConfig } from "pg";

const INT8 = 20;
const NUMERIC = 1700;

/** @throws Error for a number that JavaScript cannot hold exactly: a wrong balance is worse than none. */
const readWhole = (text: string): number => {
  const value = Number(text);
  if (!Number.isSafeInteger(value)) throw new Error(`the database holds ${text}, which is no exact number`);
  return value;
};

/**
 * How values are read: whole numbers as numbers, which the driver would give as texts; sums of them, which PostgreSQL gives as
 * "numeric", the same way.
 */
export const READ_TYPES: CustomTypesConfig = {
  getTypeParser: (type, format) =>
    type === INT8 || type === NUMERIC ? readWhole : pg.types.getTypeParser(type, format),
};
