import type { Connection } from "../dialects/sqlite";
import type { Secrets } from "../secrets";

export interface Migration {
  /** Unique and never changed once released. */
  name: string;
  sql: string;
  /** Fills what `sql` made from secrets that are stored, in the same transaction. */
  fill?(connection: Connection, secrets: Secrets): void;
}
