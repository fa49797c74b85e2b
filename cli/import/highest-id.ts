/** Ids beyond are a person's mistake, after which no more could be given. */
const SANE_ID = 2 ** 48;

/** The highest id of these rows and of these ids; 0 without any. */
export const highestOf = (rows: readonly { id: number }[], ...more: readonly number[]): number =>
  Math.max(
    0,
    ...more.filter((id) => id <= SANE_ID),
    rows.reduce((most, { id }) => Math.max(most, id), 0),
  );
