import type { ChargeRecord, ChargeStore } from "@tollgate/relay/ports";
import type { Remote } from "@tollgate/storage/client";
import { type Charge, encodeCharges } from "@tollgate/storage/repositories/charges.repository";
import type { Writes } from "@tollgate/storage/storage";
import type { Options } from "./options";

interface Pending {
  charge: Charge;
  record: ChargeRecord;
  done: (error: Error | undefined) => void;
}

/** How long a charge waits for company while many requests are under way. */
const GATHER_MS = 1;
/** A batch that is worth a commit of its own. */
const FULL_BATCH = 16;

/**
 * Group commit: charges that come close together are written as one batch, because a commit and the way to the storage
 * thread cost far more than a row. A lone request waits for nobody; with many under way a charge waits until about half
 * of them have come, but no longer than a millisecond.
 */
export class ChargeWriter implements ChargeStore {
  private waiting: Pending[] = [];
  private isWriting = false;
  private timer: NodeJS.Timeout | undefined;
  private isScheduled = false;

  constructor(
    private readonly write: Remote<Writes>,
    private readonly options: Options,
    private readonly now: () => number,
    private readonly reportError: (error: Error) => void,
    /** Told once each time a balance falls below the option QuotaRemindThreshold or to zero. */
    private readonly onQuotaLow: (userId: number, quota: number) => void,
    /** How many requests are under way. */
    private readonly countActive: () => number,
  ) {}

  commit(record: ChargeRecord, done: (error: Error | undefined) => void): void {
    const { key } = record;
    const left = key.user.account.quota;
    const before = left + record.quota;
    const threshold = this.options.number("QuotaRemindThreshold");
    if ((before >= threshold && left < threshold) || (before > 0 && left === 0))
      this.onQuotaLow(key.user.id, left);
    this.waiting.push({
      record,
      done,
      charge: {
        requestId: record.requestId,
        userId: key.user.id,
        tokenId: key.id,
        channelId: record.channelId,
        quota: record.quota,
        isTokenUnlimited: key.account.isUnlimited,
        createdAt: Math.floor(this.now() / 1000),
        username: key.user.username,
        tokenName: key.name,
        modelName: record.model,
        promptTokens: record.promptTokens,
        completionTokens: record.completionTokens,
        content: record.content,
        isLogged: this.options.isOn("LogConsumeEnabled"),
      },
    });
    this.schedule();
  }

  private schedule(): void {
    if (this.isWriting || this.isScheduled || this.waiting.length === 0) return;
    if (this.waiting.length >= Math.min(FULL_BATCH, this.countActive() / 2)) {
      this.isScheduled = true;
      // Everything that is settled in this turn of the event loop goes into one batch.
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
    const batch = this.waiting;
    if (batch.length === 0 || this.isWriting) return;
    this.waiting = [];
    this.isWriting = true;
    this.write.charges.commit(encodeCharges(batch.map((pending) => pending.charge))).then(
      () => this.finish(batch, undefined),
      (error: Error) => {
        this.reportError(error);
        for (const { record, charge } of batch) {
          record.key.user.account.quota += record.quota;
          if (!charge.isTokenUnlimited) record.key.account.quota += record.quota;
        }
        this.finish(batch, error);
      },
    );
  }

  private finish(batch: Pending[], error: Error | undefined): void {
    this.isWriting = false;
    this.schedule();
    for (const { done } of batch) done(error);
  }
}
