import type { RawBuilder } from "kysely";

/** Where the engines say the same thing in different words, in queries that both of them run. */
export interface SqlDialect {
  /**
   * Whether the text of a column begins with this one: its wildcards are taken literally, and letters of ASCII match in
   * either case.
   */
  beginsWith(column: string, text: string): RawBuilder<boolean>;
  /** Whether the text of a column has this one in it, letter for letter. */
  contains(column: string, text: string): RawBuilder<boolean>;
  /**
   * The balance of a row of users or tokens, leased quota included; undefined on an engine without leases, where the
   * row has the whole balance.
   */
  readonly balance: ((table: "users" | "tokens") => RawBuilder<number>) | undefined;
  /** The column, as `table.column`, whose value another row has, of several the first; undefined for an error of any other kind. */
  takenColumn(error: unknown): string | undefined;
}
