import { LOG_CONSUME } from "@tollgate/contract/values/statuses";
import { tellsInterruption } from "../../outbox/log-content";
import { type AccountEntry, hasReceipt, type RequestEntry } from "../../outbox/log-entry";
import type { Connection } from "../../sqlite/connection";
import { RowInserter } from "../../sqlite/row-inserter";
import { latenciesOf } from "../sql/latencies";
import { NO_MODEL, NO_TOKEN } from "../sql/no-request";
import { NOTHING, replacedSummands, summandsOf } from "../sql/summands";
import { createDictionary } from "./dictionary";
import { LatencyHours } from "./latency-hours";
import { readState, writeState } from "./log-state";
import { PricedBlocks } from "./priced-blocks";
import { UsageSums } from "./usage-sums";

/** Writes lines, receipts and sums; all within transactions of its caller. */
export class LineWriter {
  private lastLogId = 0;
  private lastReceiptId = 0;
  private readonly dictionary;
  private readonly sums;
  private readonly latencies;
  private readonly lines;
  private readonly receipts;
  private readonly priced;
  private readonly failures;

  constructor(private readonly connection: Connection) {
    this.dictionary = createDictionary(connection);
    this.sums = new UsageSums(connection);
    this.latencies = new LatencyHours(connection);
    this.priced = new PricedBlocks(connection);
    this.lines = new RowInserter(connection, "logs", [
      "id",
      "user_id",
      "created_at",
      "type",
      "payer_id",
      "model_id",
      "channel_id",
      "content_id",
      "quota",
      "prompt_tokens",
      "completion_tokens",
      "is_stream",
      "duration_ms",
      "first_byte_ms",
      "receipt_id",
      "cost",
      "is_interrupted",
      "cache_read_tokens",
      "cache_write_tokens",
      "is_other_model",
    ]);
    this.failures = connection.prepare(`INSERT INTO failures
        (request_id, first_at, last_at, occurrences, user_id, payer_id, model_id, channel_id, status, code)
      VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?)
      ON CONFLICT (request_id) DO UPDATE SET
        occurrences = occurrences + excluded.occurrences, last_at = max(last_at, excluded.last_at)`);
    this.receipts = new RowInserter(connection, "receipts", [
      "id",
      "request_id",
      "created_at",
      "payer_id",
      "model_id",
      "channel_id",
      "log_id",
      "is_error",
      "detail",
    ]);
  }

  /** To be called at the begin of each transaction. */
  begin(): void {
    this.lastLogId = readState(this.connection, "last-log-id");
    this.lastReceiptId = readState(this.connection, "last-receipt-id");
  }

  /** Writes the gathered rows, and the counters; called at the end of each transaction. */
  finish(): void {
    this.lines.flush();
    this.receipts.flush();
    this.sums.write();
    this.latencies.write();
    this.priced.write();
    writeState(this.connection, "last-log-id", this.lastLogId);
    writeState(this.connection, "last-receipt-id", this.lastReceiptId);
  }

  /** Clears the state of a transaction that was rolled back, or of texts that were deleted. */
  forget(): void {
    this.lines.forget();
    this.receipts.forget();
    this.sums.forget();
    this.latencies.forget();
    this.priced.forget();
    this.dictionary.forget();
  }

  addRequest(entry: RequestEntry): void {
    const payerId = this.dictionary.payer(entry);
    const modelId = this.dictionary.model(entry.modelName);
    const contentId = entry.isLogged ? this.dictionary.content(entry.content) : 0;
    let id = 0;
    if (entry.isLogged) {
      this.lastLogId += 1;
      id = this.lastLogId;
    }
    const receiptId = hasReceipt(entry) ? this.addReceipt(entry, payerId, modelId, id) : 0;
    if (entry.isLogged) this.addLine(entry, id, payerId, modelId, contentId, receiptId);
    if (entry.failure && entry.requestId !== "") this.addFailure(entry, entry.failure, payerId, modelId);
    this.sums.add(entry.createdAt, payerId, modelId, entry.channelId, contentId, summandsOf(entry));
    this.latencies.add(entry.createdAt, modelId, entry.channelId, latenciesOf(entry));
    for (const { modelName, channelId } of entry.replaced ?? []) {
      const replaced = replacedSummands(entry);
      this.sums.add(entry.createdAt, payerId, this.dictionary.model(modelName), channelId, 0, replaced);
    }
  }

  private addReceipt(entry: RequestEntry, payerId: number, modelId: number, logId: number): number {
    this.lastReceiptId += 1;
    this.receipts.add(
      this.lastReceiptId,
      entry.requestId,
      entry.createdAt,
      payerId,
      modelId,
      entry.channelId,
      logId,
      entry.count === "error" || entry.count === "refused" ? 1 : 0,
      entry.receipt === "" ? null : entry.receipt,
    );
    return this.lastReceiptId;
  }

  private addLine(
    entry: RequestEntry,
    id: number,
    payerId: number,
    modelId: number,
    contentId: number,
    receiptId: number,
  ): void {
    const { createdAt, userId, quota, cost, use } = entry;
    this.lines.add(
      id,
      userId,
      createdAt,
      LOG_CONSUME,
      payerId,
      modelId,
      entry.channelId,
      contentId,
      quota,
      entry.promptTokens,
      entry.completionTokens,
      entry.isStream ? 1 : 0,
      entry.durationMs,
      entry.firstByteMs ?? 0,
      receiptId,
      cost ?? null,
      tellsInterruption(entry.content) ? 1 : 0,
      entry.cacheReadTokens ?? null,
      entry.cacheWriteTokens ?? null,
      entry.isOtherModel === undefined ? null : Number(entry.isOtherModel),
    );
    if (!use) return;
    const { shape, shortfall, values } = use;
    const shapeId = this.dictionary.shape(shape);
    this.priced.add({ createdAt, shapeId, userId, quota, shortfall, cost, values });
  }

  private addFailure(
    { requestId, createdAt, userId, channelId }: RequestEntry,
    { firstAt, count, status, code }: NonNullable<RequestEntry["failure"]>,
    payerId: number,
    modelId: number,
  ): void {
    this.failures.run(
      requestId,
      firstAt,
      createdAt,
      count,
      userId,
      payerId,
      modelId,
      channelId,
      status,
      code,
    );
  }

  addAccount(entry: AccountEntry): void {
    const { userId, username, createdAt, type, content } = entry;
    const payerId = this.dictionary.payer({ userId, username, tokenId: NO_TOKEN, tokenName: "" });
    const contentId = this.dictionary.content(content);
    this.lastLogId += 1;
    this.lines.add(
      this.lastLogId,
      userId,
      createdAt,
      type,
      payerId,
      NO_MODEL,
      0,
      contentId,
      0,
      0,
      0,
      0,
      0,
      0,
      0,
      null,
      0,
      null,
      null,
      null,
    );
    this.sums.add(createdAt, payerId, NO_MODEL, 0, contentId, { ...NOTHING, lines: 1 });
  }
}
