import type { MemoryBalances } from "@tollgate/accounts/balances";
import type { Limiter } from "@tollgate/relay/limits/limiter";
import type { ChargeRecord, ChargeStore, RequestRecord } from "@tollgate/relay/ports/charges";
import { type Charge, encodeCharges } from "@tollgate/storage/accounts/charges";
import type { ChargeStore as StoredCharges } from "@tollgate/storage/accounts/ports";
import type { ChargeBacklog, EndedRequests } from "../engines/engine";
import { EndedCosts } from "./ended-costs";
import { chargeOf } from "./log-entry";
import type { Options } from "./options";
import { RepeatedFailures } from "./repeated-failures";

interface Pending {
  charge: Charge;
  record: ChargeRecord;
  done: (error: Error | undefined) => void;
  isDelivered: boolean;
}

/** Time a charge waits to be batched while many requests are running. */
const GATHER_MS = 1;
/** Size of a batch that justifies its own commit. */
const FULL_BATCH = 16;
/** Wait after a failure: retrying faster does not empty a full disk. */
const RETRY_MS = 1000;
/** Time failed requests wait to be batched: no caller waits for them. */
const FAILURE_MS = 100;

/**
 * Group commit: charges close in time are written as one batch, because a write costs far more than its content. A lone
 * request does not wait; with many running a charge waits until about half of them have come, but at most a
 * millisecond.
 */
export class ChargeWriter implements ChargeStore {
  private waiting: Pending[] = [];
  private readonly failures = new RepeatedFailures();
  private readonly endedCosts = new EndedCosts();
  /** Charges of delivered output that could not be stored: they go with the next batch. */
  private retained: Pending[] = [];
  /** The batch that is being written. */
  private writing: readonly Pending[] = [];
  private isWriting = false;
  private timer: NodeJS.Timeout | undefined;
  private failureTimer: NodeJS.Timeout | undefined;
  private retryTimer: NodeJS.Timeout | undefined;
  private isScheduled = false;
  private onIdle: (() => void) | undefined;

  constructor(
    private readonly journal: Pick<StoredCharges, "append">,
    private readonly balances: Pick<MemoryBalances, "refund">,
    private readonly options: Options,
    private readonly now: () => number,
    private readonly reportError: (error: Error) => void,
    /** Called once each time a balance falls below the option QuotaRemindThreshold or to zero. */
    private readonly onQuotaLow: (userId: number, quota: number) => void,
    private readonly countActive: () => number,
    /** Counts charges against limits. */
    private readonly limiter?: Pick<Limiter, "charge" | "refund">,
    private readonly ended?: EndedRequests,
  ) {}

  commit(record: ChargeRecord, done: (error: Error | undefined) => void, isDelivered = false): void {
    const { key } = record;
    const left = key.user.account.quota;
    const before = left + record.quota;
    const threshold = this.options.number("QuotaRemindThreshold");
    if ((before >= threshold && left < threshold) || (before > 0 && left === 0))
      this.onQuotaLow(key.user.id, left);
    this.limiter?.charge(key, record.promptTokens + record.completionTokens, record.quota, record.group);
    const charge = chargeOf(record, this.nowSeconds(), this.options.isOn("LogConsumeEnabled"));
    this.endedCosts.add(record, this.nowSeconds());
    this.waiting.push({ record, done, charge, isDelivered });
    this.schedule();
  }

  noteFailure(record: RequestRecord): void {
    this.ended?.failed(record);
    this.noteRefused(record);
  }

  noteRefused(record: RequestRecord): void {
    this.failures.add(record, this.nowSeconds());
    this.endedCosts.add(record, this.nowSeconds());
    this.failureTimer ??= setTimeout(() => this.flush(), FAILURE_MS);
  }

  /** Charges that are not stored yet. */
  get backlog(): ChargeBacklog {
    const { waiting, writing, retained, failures } = this;
    const oldest = (writing[0] ?? waiting[0])?.record;
    const longestMs = oldest ? Math.max(0, this.now() - oldest.startedAtMs - oldest.durationMs) : 0;
    return {
      waiting: waiting.length + writing.length,
      longestMs,
      late: retained.length,
      failures: failures.size,
    };
  }

  /** Writes waiting charges, and resolves when all are stored, or cannot be. */
  async close(): Promise<void> {
    if (this.hasSomething || this.isWriting) {
      await new Promise<void>((resolve) => {
        this.onIdle = resolve;
        this.flush();
      });
    }
    clearTimeout(this.retryTimer);
    clearTimeout(this.failureTimer);
    if (this.retained.length === 0) return;
    for (const { record } of this.retained) this.ended?.lost(record);
    const quota = this.retained.reduce((sum, { charge }) => sum + charge.quota, 0);
    this.reportError(
      new Error(`${this.retained.length} charges of ${quota} together could not be stored and are lost`),
    );
  }

  private get hasSomething(): boolean {
    return this.waiting.length + this.uncharged + this.retained.length > 0;
  }

  /** Rows without a charge that wait. */
  private get uncharged(): number {
    return this.failures.size + this.endedCosts.size;
  }

  private nowSeconds(): number {
    return Math.floor(this.now() / 1000);
  }

  private schedule(): void {
    if (this.isWriting || this.isScheduled || this.waiting.length === 0) return;
    if (this.waiting.length >= Math.min(FULL_BATCH, this.countActive() / 2)) {
      this.isScheduled = true;
      // Everything settled in this turn of the event loop goes into one batch.
      setImmediate(() => {
        this.isScheduled = false;
        this.flush();
      });
    } else {
      this.timer ??= setTimeout(() => this.flush(), GATHER_MS);
    }
  }

  private flush(): void {
    clearTimeout(this.timer);
    this.timer = undefined;
    if (this.isWriting) return;
    if (!this.hasSomething) return;
    const { waiting: batch, retained } = this;
    const failures = this.failures.take();
    const endedCosts = this.endedCosts.take();
    clearTimeout(this.failureTimer);
    this.failureTimer = undefined;
    clearTimeout(this.retryTimer);
    this.retryTimer = undefined;
    this.waiting = [];
    this.retained = [];
    this.isWriting = true;
    this.writing = batch;
    const charges = [...retained, ...batch].map(({ charge }) => charge).concat(failures, endedCosts);
    const onStored = (error: Error | undefined): void => {
      if (error) this.endedCosts.putBack(endedCosts);
      if (error) this.keepOrTakeBack(batch, retained, failures, error);
      this.finish(batch, error);
      if (!error) this.tellEnded(retained, batch);
    };
    let encoded: ReturnType<typeof encodeCharges>;
    try {
      encoded = encodeCharges(charges);
    } catch (error) {
      // It would fail again and again: nothing of this batch is kept.
      for (const pending of batch) pending.isDelivered = false;
      failures.length = 0;
      endedCosts.length = 0;
      onStored(error instanceof Error ? error : new Error(String(error)));
      return;
    }
    this.journal.append(...encoded, onStored);
  }

  private tellEnded(...stored: readonly (readonly Pending[])[]): void {
    if (!this.ended) return;
    for (const batch of stored) for (const { record } of batch) this.ended.charged(record, record.quota);
  }

  /** One request that fails over its answer takes nothing from the others of its batch. */
  private tell(done: Pending["done"], error: Error | undefined): void {
    try {
      done(error);
    } catch (failure) {
      this.reportError(failure instanceof Error ? failure : new Error(String(failure)));
    }
  }

  /** Delivered output is charged as soon as it can be stored; undelivered output is reversed. */
  private keepOrTakeBack(
    batch: readonly Pending[],
    retained: readonly Pending[],
    failures: readonly Charge[],
    error: Error,
  ): void {
    this.reportError(error);
    this.retained.push(...retained);
    for (const pending of batch) {
      const { record, isDelivered } = pending;
      if (isDelivered) {
        this.retained.push(pending);
        continue;
      }
      const { key, quota, takenFromKey } = record;
      this.balances.refund(key.user.account, key.account, { charged: quota, takenFromKey });
      this.limiter?.refund(record.key, record.quota, record.group);
    }
    this.failures.putBack(failures);
    if (this.retained.length + this.uncharged > 0)
      this.retryTimer ??= setTimeout(() => this.flush(), RETRY_MS);
  }

  private finish(batch: Pending[], error: Error | undefined): void {
    this.isWriting = false;
    this.writing = [];
    this.schedule();
    // Failures that came during this write were not written with it.
    if (!error && this.uncharged > 0 && this.waiting.length === 0) this.flush();
    for (const { done } of batch) this.tell(done, error);
    const isDone = this.waiting.length === 0 && !this.isWriting && (error || !this.hasSomething);
    if (this.onIdle && isDone) this.onIdle();
  }
}
