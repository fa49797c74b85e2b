import type { AccountLine } from "@tollgate/contract/records/account-line";
import type { Kysely } from "kysely";
import { encodePhrases } from "../../outbox/log-content";
import { encodeAccountEntries, encodeRequests, type RequestEntry } from "../../outbox/log-entry";
import type { Tables } from "./tables";

/** Puts log lines into the outbox, within the caller's transaction. */
export const insertAccountLines = async (
  db: Kysely<Tables>,
  lines: readonly AccountLine[],
): Promise<void> => {
  if (lines.length === 0) return;
  const entries = lines.map(({ phrase, ...line }) => ({ ...line, content: encodePhrases([phrase]) }));
  await db
    .insertInto("outbox")
    .values({ batch: encodeAccountEntries(entries) })
    .execute();
};

/** Puts the log's entry of a request into the outbox, within the caller's transaction. */
export const insertRequestLine = async (db: Kysely<Tables>, entry: RequestEntry): Promise<void> => {
  await db
    .insertInto("outbox")
    .values({ batch: encodeRequests([entry]) })
    .execute();
};
