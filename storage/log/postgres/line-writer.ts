import { LOG_CONSUME } from "@tollgate/contract/values/statuses";
import type { Kysely } from "kysely";
import { tellsInterruption } from "../../outbox/log-content";
import {
  decodeEntries,
  type EntryFailure,
  type EntryUse,
  hasReceipt,
  type ModelFault,
} from "../../outbox/log-entry";
import { dayOf, hourOf } from "../hours";
import { PricedBlock } from "../priced-lines";
import { type Latency, latenciesOf } from "../sql/latencies";
import { NO_MODEL, NO_TOKEN } from "../sql/no-request";
import { SUM_COLUMNS, type Summands } from "../sql/sum-columns";
import { NOTHING, replacedSummands, summandsOf } from "../sql/summands";
import { makeDays } from "./days";
import { bigints, insertRows, type Value } from "./insert-rows";
import { keyOf, nextNumbers, type Payer, payerNumbers, payerOf, textNumbers } from "./log-numbers";

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
    | {
        type: number;
        content: string;
        isStream: boolean;
        firstByteMs: number;
        cost: number | null;
        cacheReadTokens?: number | undefined;
        cacheWriteTokens?: number | undefined;
        isOtherModel?: boolean | undefined;
      }
    | undefined;
  receipt: { requestId: string; isError: boolean; detail: string } | undefined;
  use: EntryUse | undefined;
  replaced: readonly ModelFault[];
  /** Summands of each replaced model. */
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
        const { content, cacheReadTokens, cacheWriteTokens, isOtherModel } = entry;
        const cost = entry.cost ?? null;
        entries.push({
          payer: payerOf(entry),
          model: entry.modelName,
          createdAt: entry.createdAt,
          channelId: entry.channelId,
          summands: summandsOf(entry),
          latencies: latenciesOf(entry),
          line: isLogged
            ? {
                ...{ type: LOG_CONSUME, content, isStream, firstByteMs, cost },
                ...{ cacheReadTokens, cacheWriteTokens, isOtherModel },
              }
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

/** Key of a row of sums, and its summands. */
interface Addend {
  key: readonly number[];
  values: readonly number[];
}

/** Adds up addends of the same row of sums. */
const addUp = (rows: readonly Addend[]): (readonly number[])[] => {
  const sums = new Map<string, Addend>();
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
 * Returns the numbers of the texts and keys in entries, and new ones for their lines and receipts, in the entries'
 * order.
 */
const numbersOf = async (transaction: Kysely<unknown>, entries: readonly Entry[]) => {
  const textsOf = (
    table: "models" | "contents" | "price_shapes",
    texts: (entry: Entry) => readonly string[],
  ) => textNumbers(transaction, table, entries.flatMap(texts));
  const payers = entries.map(({ payer }) => payer);
  const lineCount = entries.filter(({ line }) => line).length;
  const receiptCount = entries.filter(({ receipt }) => receipt).length;
  return {
    payers: await payerNumbers(transaction, payers),
    models: await textsOf("models", ({ model, replaced }) => [
      ...(model === undefined ? [] : [model]),
      ...replaced.map(({ modelName }) => modelName),
    ]),
    contents: await textsOf("contents", ({ line }) => (line ? [line.content] : [])),
    shapes: await textsOf("price_shapes", ({ use }) => (use ? [use.shape] : [])),
    lineIds: await nextNumbers(transaction, "log_ids", lineCount),
    receiptIds: await nextNumbers(transaction, "receipt_ids", receiptCount),
  };
};

/** Rows of each table that entries become. */
class LogRows {
  readonly lines: Value[][] = [];
  readonly receipts: Value[][] = [];
  readonly sums: Addend[] = [];
  readonly contentHours: Addend[] = [];
  readonly latencies: Addend[] = [];
  readonly priced = new Map<number, PricedBlock>();
  readonly failures: FailureRow[] = [];

  constructor(private readonly numbers: Awaited<ReturnType<typeof numbersOf>>) {}

  add(entry: Entry): void {
    const { payer, model, createdAt, channelId, line, receipt, use, failure } = entry;
    const payerId = this.numbers.payers.get(keyOf(payer)) ?? 0;
    const modelId = model === undefined ? NO_MODEL : this.modelId(model);
    const lineId = line ? (this.numbers.lineIds[this.lines.length] ?? 0) : 0;
    const receiptId = receipt ? (this.numbers.receiptIds[this.receipts.length] ?? 0) : 0;
    if (line) this.addLine(entry, line, [lineId, payerId, modelId, receiptId]);
    if (receipt) {
      const { requestId, isError, detail } = receipt;
      this.receipts.push([
        ...[receiptId, requestId, createdAt, payerId, modelId, channelId, lineId, isError ? 1 : 0],
        detail === "" ? null : detail,
      ]);
    }
    if (use) this.addUse(entry, use);
    this.addSums(entry, payerId, modelId);
    if (failure) {
      const { requestId, firstAt, count, status, code } = failure;
      const subject = [payer.userId, payerId, modelId, channelId];
      this.failures.push({ requestId, firstAt, lastAt: createdAt, count, subject, status, code });
    }
  }

  private modelId(name: string): number {
    return this.numbers.models.get(name) ?? 0;
  }

  private addLine(
    { payer, createdAt, channelId, summands }: Entry,
    line: NonNullable<Entry["line"]>,
    [lineId, payerId, modelId, receiptId]: readonly [number, number, number, number],
  ): void {
    const { content, type, isStream, firstByteMs, cost } = line;
    const { cacheReadTokens, cacheWriteTokens, isOtherModel } = line;
    const contentId = this.numbers.contents.get(content) ?? 0;
    const { quota, prompt_tokens, completion_tokens, duration_ms, lines } = summands;
    this.lines.push([
      ...[lineId, payer.userId, createdAt, type, payerId, modelId, channelId, contentId, quota],
      ...[prompt_tokens, completion_tokens, isStream ? 1 : 0, duration_ms, firstByteMs, receiptId, cost],
      type === LOG_CONSUME && tellsInterruption(content) ? 1 : 0,
      ...[cacheReadTokens ?? null, cacheWriteTokens ?? null],
      isOtherModel === undefined ? null : Number(isOtherModel),
    ]);
    this.contentHours.push({ key: [contentId, hourOf(createdAt)], values: [lines] });
  }

  private addUse({ payer, createdAt, summands, line }: Entry, { shape, shortfall, values }: EntryUse): void {
    const hour = hourOf(createdAt);
    const block = this.priced.get(hour) ?? new PricedBlock();
    this.priced.set(hour, block);
    block.add({
      createdAt,
      shapeId: this.numbers.shapes.get(shape) ?? 0,
      userId: payer.userId,
      quota: summands.quota,
      shortfall,
      cost: line?.cost ?? undefined,
      values,
    });
  }

  private addSums(entry: Entry, payerId: number, modelId: number): void {
    const hour = hourOf(entry.createdAt);
    const sum = (ids: readonly number[], summands: Summands): Addend => ({
      key: [hour, payerId, ...ids],
      values: SUM_COLUMNS.map((column) => summands[column]),
    });
    this.sums.push(sum([modelId, entry.channelId], entry.summands));
    for (const fault of entry.replaced)
      this.sums.push(sum([this.modelId(fault.modelName), fault.channelId], entry.replacedSummands));
    for (const latency of entry.latencies)
      this.latencies.push({ key: [hour, modelId, entry.channelId, ...latency], values: [1] });
  }
}

const LINE_TYPES = bigints(
  ...["id", "user_id", "created_at", "type", "payer_id", "model_id", "channel_id", "content_id", "quota"],
  ...["prompt_tokens", "completion_tokens", "is_stream", "duration_ms", "first_byte_ms", "receipt_id"],
  ...["cost", "is_interrupted", "cache_read_tokens", "cache_write_tokens", "is_other_model"],
);
const RECEIPT_TYPES = {
  ...bigints("id", "request_id", "created_at", "payer_id", "model_id", "channel_id", "log_id", "is_error"),
  request_id: "text",
  detail: "text",
};

/**
 * Writes the texts of outbox rows: lines, receipts, and their summands; within the caller's transaction, which shares
 * the lock on contents.
 */
export const writeLines = async (transaction: Kysely<unknown>, batches: readonly string[]): Promise<void> => {
  const entries = readEntries(batches);
  if (entries.length === 0) return;
  await makeDays(transaction, [...new Set(entries.map(({ createdAt }) => dayOf(createdAt)))]);
  const rows = new LogRows(await numbersOf(transaction, entries));
  for (const entry of entries) rows.add(entry);
  const insertSums = (table: string, columns: readonly string[], addends: readonly Addend[]) =>
    insertRows(transaction, table, bigints(...columns), addUp(addends));
  await insertRows(transaction, "logs", LINE_TYPES, rows.lines);
  await insertRows(transaction, "receipts", RECEIPT_TYPES, rows.receipts);
  await addFailures(transaction, rows.failures);
  await insertSums("unsummed", ["hour", "payer_id", "model_id", "channel_id", ...SUM_COLUMNS], rows.sums);
  await insertSums("unsummed_contents", ["content_id", "hour", "lines"], rows.contentHours);
  const ofLatencies = ["hour", "model_id", "channel_id", "measure", "bucket", "requests"];
  await insertSums("unsummed_latencies", ofLatencies, rows.latencies);
  const blocks = [...rows.priced].map(([hour, block]) => [hour, block.lines, block.data()]);
  await insertRows(transaction, "priced_lines", { ...bigints("hour", "lines"), data: "bytea" }, blocks);
};
