/** Value of a statement's parameter; a list of numbers is given by `isOneOf`. */
export type SqlValue = number | string | readonly number[];

/** A part of a statement, with its parameters: each stands as `?`. */
export interface SqlPart {
  sql: string;
  parameters: SqlValue[];
}

/** Asks statements that are written by hand, in SQL that every engine runs. */
export interface SqlRunner {
  /** All rows that a statement gives. */
  all<Row>(sql: string, ...parameters: readonly SqlValue[]): Promise<Row[]>;
  /** The condition that a column has one of these values. */
  isOneOf(column: string, values: readonly number[]): SqlPart;
  /**
   * The rows of a table that a condition leaves for each of these values, looked up value by value.
   * @param where names the value `each.value`.
   */
  rowsOfEach(values: readonly number[], table: string, where: SqlPart): SqlPart;
}

/** Asks several statements that see the same state, whatever is written meanwhile. */
export type InSnapshot = <T>(step: (runner: SqlRunner) => Promise<T>) => Promise<T>;
