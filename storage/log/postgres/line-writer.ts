import { createHash } from "node:crypto";
import { LOG_CONSUME } from "@tollgate/contract/values/statuses";
import { CompiledQuery, type Kysely, sql } from "kysely";
import {
  decodeEntries,
  type EntryFailure,
  type EntryUse,
  hasReceipt,
  type ModelFault,
} from "../../outbox/log-entry";
import { storableText } from "../../postgres/storable-text";
import { dayOf, hourOf } from "../hours";
import { PricedBlock } from "../priced-lines";
import { type Latency, latenciesOf } from "../sql/latencies";
import { NO_MODEL, NO_TOKEN } from "../sql/no-request";
import { SUM_COLUMNS, type Summands } from "../sql/sum-columns";
import { NOTHING, replacedSummands, summandsOf } from "../sql/summands";
import { makeDays } from "./days";
import { takeLock } from "./log-locks";

interface Payer {
  userId: number;
  username: string;
  tokenId: number;
  tokenName: string;
}

/** A payer under the names that it will be found by. */
const payerOf = ({ userId, username, tokenId, tokenName }: Payer): Payer => ({
  userId,
  username: storableText(username),
  tokenId,
  tokenName: storableText(tokenName),
});

/** A line, a receipt or both, as they come out of the outbox. */
interface Entry {
  payer: Payer;
  /** undefined for a line about an account. */
  model: string | undefined;
  createdAt: number;
  channelId: number;
  summands: Summands;
  latencies: readonly Latency[];
  line:
    | { type: number; content: string; isStream: boolean; firstByteMs: number; cost: number | null }
    | undefined;
  receipt: { requestId: string; isError: boolean; detail: string } | undefined;
  use: EntryUse | undefined;
  replaced: readonly ModelFault[];
  /** What each replaced model adds. */
  replacedSummands: Summands;
  failure: (EntryFailure & { requestId: string }) | undefined;
}

const readEntries = (batches: readonly string[]): Entry[] => {
  const entries: Entry[] = [];
  for (const batch of batches)
    decodeEntries(
      batch,
      (entry) => {
        const { isLogged, isStream, firstByteMs = 0, requestId, count } = entry;
        entries.push({
          payer: payerOf(entry),
          model: entry.modelName,
          createdAt: entry.createdAt,
          channelId: entry.channelId,
          summands: summandsOf(entry),
          latencies: latenciesOf(entry),
          line: isLogged
            ? { type: LOG_CONSUME, content: entry.content, isStream, firstByteMs, cost: entry.cost ?? null }
            : undefined,
          receipt: hasReceipt(entry)
            ? { requestId, isError: count === "error" || count === "refused", detail: entry.receipt }
            : undefined,
          use: isLogged ? entry.use : undefined,
          replaced: entry.replaced ?? [],
          replacedSummands: replacedSummands(entry),
          failure: entry.failure && requestId !== "" ? { ...entry.failure, requestId } : undefined,
        });
      },
      ({ userId, username, createdAt, type, content }) => {
        entries.push({
          payer: payerOf({ userId, username, tokenId: NO_TOKEN, tokenName: "" }),
          model: undefined,
          createdAt,
          channelId: 0,
          summands: { ...NOTHING, lines: 1 },
          latencies: [],
          line: { type, content, isStream: false, firstByteMs: 0, cost: null },
          receipt: undefined,
          use: undefined,
          replaced: [],
          replacedSummands: NOTHING,
          failure: undefined,
        });
      },
    );
  return entries;
};

const hashOf = (text: string): string => createHash("sha256").update(text).digest("base64url");

type Value = number | string | Uint8Array | null;

/** Leaves rows alone that are there already. */
const KEEP_KNOWN = "DO NOTHING";

/**
 * Inserts rows, all of them in one statement.
 * @param types of the columns, by their names. @param onConflict action for rows that are there already.
 */
const insertRows = async (
  transaction: Kysely<unknown>,
  table: string,
  types: Readonly<Record<string, string>>,
  rows: readonly (readonly Value[])[],
  onConflict?: string,
): Promise<void> => {
  if (rows.length === 0) return;
  const columns = Object.keys(types);
  const lists = Object.values(types).map((type, index) => `$${index + 1}::${type}[]`);
  const into = `${table} (${columns.join(", ")})`;
  const from = `unnest(${lists.join(", ")})`;
  const conflict = onConflict === undefined ? "" : `ON CONFLICT ${onConflict}`;
  const text = `INSERT INTO ${into} SELECT * FROM ${from} ${conflict}`;
  const values = columns.map((_, index) => rows.map((row) => row[index]));
  await transaction.executeQuery(CompiledQuery.raw(text, values));
};

const bigints = (...columns: string[]): Record<string, string> =>
  Object.fromEntries(columns.map((column) => [column, "bigint"]));

/**
 * Numbers under which things are stored, by their keys; those that have none yet are given one.
 * @param find gives the numbers of those that have one. @param add gives one to the others, also while another node does so.
 */
const numbersOf = async <Thing>(
  transaction: Kysely<unknown>,
  things: ReadonlyMap<string, Thing>,
  find: (wanted: readonly (readonly [string, Thing])[]) => Promise<Map<string, number>>,
  add: (missing: readonly (readonly [string, Thing])[]) => Promise<void>,
): Promise<Map<string, number>> => {
  const known = await find([...things]);
  const missing = [...things].filter(([key]) => !known.has(key));
  if (missing.length === 0) return known;
  // Otherwise two nodes that add the same things in another order would wait for each other.
  await takeLock(transaction, "numbers");
  await add(missing);
  return new Map([...known, ...(await find(missing))]);
};

/** The numbers of texts, by the texts. */
const textNumbers = async (
  transaction: Kysely<unknown>,
  table: "models" | "contents" | "price_shapes",
  texts: readonly string[],
): Promise<Map<string, number>> => {
  const byHash = new Map(texts.map((text) => [hashOf(text), text]));
  const numbers = await numbersOf(
    transaction,
    byHash,
    async (wanted) => {
      const { rows } = await sql<{ id: number; hash: string }>`
        SELECT id, hash FROM ${sql.table(table)} WHERE hash = ANY(${wanted.map(([hash]) => hash)}::text[])`.execute(
        transaction,
      );
      return new Map(rows.map(({ id, hash }) => [hash, id]));
    },
    (missing) => {
      const types = { hash: "text", [table === "models" ? "name" : "text"]: "text" };
      return insertRows(transaction, table, types, missing, KEEP_KNOWN);
    },
  );
  return new Map([...numbers].map(([hash, id]) => [byHash.get(hash) ?? "", id]));
};

const keyOf = ({ userId, tokenId, username, tokenName }: Payer): string =>
  JSON.stringify([userId, tokenId, username, tokenName]);

interface PayerRow {
  id: number;
  user_id: number;
  username: string;
  token_id: number;
  token_name: string;
}

/** The numbers of payers, by their keys. */
const payerNumbers = (transaction: Kysely<unknown>, payers: readonly Payer[]): Promise<Map<string, number>> =>
  numbersOf(
    transaction,
    new Map(payers.map((payer) => [keyOf(payer), payer])),
    async (wanted) => {
      const { rows } = await sql<PayerRow>`
        SELECT payers.id, payers.user_id, payers.username, payers.token_id, payers.token_name FROM payers
        JOIN unnest(${wanted.map(([, { userId }]) => userId)}::bigint[],
          ${wanted.map(([, { tokenId }]) => tokenId)}::bigint[], ${wanted.map(([, { username }]) => username)}::text[],
          ${wanted.map(([, { tokenName }]) => tokenName)}::text[])
          AS wanted (user_id, token_id, username, token_name)
        USING (user_id, token_id, username, token_name)`.execute(transaction);
      return new Map(
        rows.map(({ id, user_id, username, token_id, token_name }) => [
          keyOf({ userId: user_id, username, tokenId: token_id, tokenName: token_name }),
          id,
        ]),
      );
    },
    (missing) =>
      insertRows(
        transaction,
        "payers",
        { user_id: "bigint", token_id: "bigint", username: "text", token_name: "text" },
        missing.map(([, { userId, tokenId, username, tokenName }]) => [userId, tokenId, username, tokenName]),
        KEEP_KNOWN,
      ),
  );

/** So many numbers of a sequence, in their order. */
const nextNumbers = async (
  transaction: Kysely<unknown>,
  sequence: "log_ids" | "receipt_ids",
  count: number,
): Promise<number[]> => {
  if (count === 0) return [];
  const { rows } = await sql<{ id: number }>`
    SELECT nextval(${sequence}::regclass) AS id FROM generate_series(1, ${count}::int)`.execute(transaction);
  return rows.map(({ id }) => id);
};

/** Adds up by keys what is in the same row of the sums. */
const addUp = <Key extends readonly number[]>(
  rows: readonly { key: Key; values: readonly number[] }[],
): (readonly number[])[] => {
  const sums = new Map<string, { key: Key; values: readonly number[] }>();
  for (const { key, values } of rows) {
    const name = key.join(" ");
    const sum = sums.get(name);
    const added = sum ? values.map((value, index) => value + (sum.values[index] ?? 0)) : values;
    sums.set(name, { key, values: added });
  }
  return [...sums.values()].map(({ key, values }) => [...key, ...values]);
};

/** A row of the table of failures. */
interface FailureRow {
  requestId: string;
  firstAt: number;
  lastAt: number;
  count: number;
  /** User, payer, model and channel. */
  subject: readonly number[];
  status: number;
  code: string;
}

/** Adds failures to those of the same request id, in one order: two nodes that add to the same rows must not wait for each other. */
const addFailures = async (transaction: Kysely<unknown>, found: readonly FailureRow[]): Promise<void> => {
  const rows = new Map<string, FailureRow>();
  for (const row of found) {
    const known = rows.get(row.requestId);
    if (!known) rows.set(row.requestId, { ...row });
    else {
      known.count += row.count;
      known.lastAt = Math.max(known.lastAt, row.lastAt);
    }
  }
  const ordered = [...rows.values()].sort((one, other) => (one.requestId < other.requestId ? -1 : 1));
  await insertRows(
    transaction,
    "failures",
    {
      request_id: "text",
      ...bigints(
        "first_at",
        "last_at",
        "occurrences",
        "user_id",
        "payer_id",
        "model_id",
        "channel_id",
        "status",
      ),
      code: "text",
    },
    ordered.map(({ requestId, firstAt, lastAt, count, subject, status, code }) => [
      ...[requestId, firstAt, lastAt, count, ...subject, status],
      code,
    ]),
    `(request_id) DO UPDATE SET occurrences = failures.occurrences + excluded.occurrences,
       last_at = greatest(failures.last_at, excluded.last_at)`,
  );
};

/**
 * Writes what texts of outbox rows say: lines, receipts, and what is to be added to the sums; within the caller's transaction,
 * who shares the lock on contents.
 */
export const writeLines = async (transaction: Kysely<unknown>, batches: readonly string[]): Promise<void> => {
  const entries = readEntries(batches);
  if (entries.length === 0) return;
  await makeDays(transaction, [...new Set(entries.map(({ createdAt }) => dayOf(createdAt)))]);
  const payers = await payerNumbers(
    transaction,
    entries.map(({ payer }) => payer),
  );
  const models = await textNumbers(
    transaction,
    "models",
    entries.flatMap(({ model, replaced }) => [
      ...(model === undefined ? [] : [model]),
      ...replaced.map(({ modelName }) => modelName),
    ]),
  );
  const contents = await textNumbers(
    transaction,
    "contents",
    entries.flatMap(({ line }) => (line ? [line.content] : [])),
  );
  const shapes = await textNumbers(
    transaction,
    "price_shapes",
    entries.flatMap(({ use }) => use?.shape ?? []),
  );
  const lineIds = await nextNumbers(transaction, "log_ids", entries.filter(({ line }) => line).length);
  const receiptIds = await nextNumbers(
    transaction,
    "receipt_ids",
    entries.filter(({ receipt }) => receipt).length,
  );
  const lines: Value[][] = [];
  const receipts: Value[][] = [];
  const sums: { key: [number, number, number, number]; values: number[] }[] = [];
  const contentHours: { key: [number, number]; values: number[] }[] = [];
  const latencies: { key: number[]; values: number[] }[] = [];
  const priced = new Map<number, PricedBlock>();
  const failures: FailureRow[] = [];
  for (const entry of entries) {
    const { payer, model, createdAt, channelId, summands, line, receipt, use, failure } = entry;
    const payerId = payers.get(keyOf(payer)) ?? 0;
    const modelId = model === undefined ? NO_MODEL : (models.get(model) ?? 0);
    const lineId = line ? (lineIds[lines.length] ?? 0) : 0;
    const receiptId = receipt ? (receiptIds[receipts.length] ?? 0) : 0;
    if (line) {
      const contentId = contents.get(line.content) ?? 0;
      lines.push([
        ...[
          lineId,
          payer.userId,
          createdAt,
          line.type,
          payerId,
          modelId,
          channelId,
          contentId,
          summands.quota,
        ],
        ...[summands.prompt_tokens, summands.completion_tokens, line.isStream ? 1 : 0, summands.duration_ms],
        ...[line.firstByteMs, receiptId, line.cost],
      ]);
      contentHours.push({ key: [contentId, hourOf(createdAt)], values: [summands.lines] });
    }
    if (receipt) {
      const { requestId, isError, detail } = receipt;
      receipts.push([
        ...[receiptId, requestId, createdAt, payerId, modelId, channelId, lineId, isError ? 1 : 0],
        detail === "" ? null : detail,
      ]);
    }
    if (use) {
      const hour = hourOf(createdAt);
      const block = priced.get(hour) ?? new PricedBlock();
      priced.set(hour, block);
      const { shape, shortfall, values } = use;
      const shapeId = shapes.get(shape) ?? 0;
      block.add({
        createdAt,
        shapeId,
        userId: payer.userId,
        quota: summands.quota,
        shortfall,
        cost: line?.cost ?? undefined,
        values,
      });
    }
    sums.push({
      key: [hourOf(createdAt), payerId, modelId, channelId],
      values: SUM_COLUMNS.map((column) => summands[column]),
    });
    for (const latency of entry.latencies)
      latencies.push({ key: [hourOf(createdAt), modelId, channelId, ...latency], values: [1] });
    for (const fault of entry.replaced)
      sums.push({
        key: [hourOf(createdAt), payerId, models.get(fault.modelName) ?? 0, fault.channelId],
        values: SUM_COLUMNS.map((column) => entry.replacedSummands[column]),
      });
    if (failure) {
      const { requestId, firstAt, count, status, code } = failure;
      const subject = [payer.userId, payerId, modelId, channelId];
      failures.push({ requestId, firstAt, lastAt: createdAt, count, subject, status, code });
    }
  }
  await insertRows(
    transaction,
    "logs",
    bigints(
      ...["id", "user_id", "created_at", "type", "payer_id", "model_id", "channel_id", "content_id", "quota"],
      ...["prompt_tokens", "completion_tokens", "is_stream", "duration_ms", "first_byte_ms", "receipt_id"],
      "cost",
    ),
    lines,
  );
  const receiptTypes = {
    ...bigints(
      "id",
      "request_id",
      "created_at",
      "payer_id",
      "model_id",
      "channel_id",
      "log_id",
      "is_error",
      "detail",
    ),
    request_id: "text",
    detail: "text",
  };
  await insertRows(transaction, "receipts", receiptTypes, receipts);
  await addFailures(transaction, failures);
  const ofSums = bigints("hour", "payer_id", "model_id", "channel_id", ...SUM_COLUMNS);
  await insertRows(transaction, "unsummed", ofSums, addUp(sums));
  await insertRows(
    transaction,
    "unsummed_contents",
    bigints("content_id", "hour", "lines"),
    addUp(contentHours),
  );
  await insertRows(
    transaction,
    "unsummed_latencies",
    bigints("hour", "model_id", "channel_id", "measure", "bucket", "requests"),
    addUp(latencies),
  );
  const blocks = [...priced].map(([hour, block]) => [hour, block.lines, block.data()]);
  await insertRows(transaction, "priced_lines", { ...bigints("hour", "lines"), data: "bytea" }, blocks);
};
