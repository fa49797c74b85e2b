import type { Kysely } from "kysely";
import type { OutboxRow } from "../../outbox/outbox-ends";
import { openPool, type PoolUse } from "../../postgres/connection-pool";
import { queryBuilder } from "../../postgres/query-builder";
import type { Tables } from "../sql/tables";
import { isAnyUpTo, newestOutboxRow, takeOutboxRows } from "./outbox.repository";

/** One look at the outbox, and one at the channels. */
const CONNECTIONS = 2;
/** How long a statement may take: each reads a row, or the names of the channels. */
const STATEMENT_MS = 30_000;

/** The outbox of a database's accounts, for the log, on separate connections. */
export interface OpenOutbox {
  /** Rows of the outbox, taken out of it by the caller's transaction (`takeOutboxRows`). */
  take(transaction: Kysely<unknown>, limit: number, upTo?: number): Promise<OutboxRow[]>;
  newest(): Promise<number | undefined>;
  isAnyUpTo(row: number): Promise<boolean>;
  /** The names of all channels, which the log knows by their numbers. */
  channelNames: { all(): Promise<{ id: number; name: string }[]> };
  /** The connections that there are now. */
  connections(): PoolUse;
  /** Closes the connections after running operations end. */
  close(): Promise<void>;
}

/** Opens the outbox of a database whose accounts were opened. */
export const openOutbox = (address: string): OpenOutbox => {
  const pool = openPool(address, CONNECTIONS, STATEMENT_MS);
  const db = queryBuilder<Tables>(pool);
  return {
    take: (transaction, limit, upTo) => takeOutboxRows(transaction, limit, upTo),
    newest: () => newestOutboxRow(db),
    isAnyUpTo: (row) => isAnyUpTo(db, row),
    channelNames: { all: () => db.selectFrom("channels").select(["id", "name"]).execute() },
    connections: () => pool.use,
    close: () => pool.end(),
  };
};
