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

/**
 * Group commit: what is settled while one batch is being written waits for the next, so that one commit serves many
 * requests and none waits longer than a commit.
 */
export class ChargeWriter implements ChargeStore {
  private waiting: Pending[] = [];
  private isWriting = false;
  private isScheduled = false;

  constructor(
    private readonly write: Remote<Writes>,
    private readonly options: Options,
    private readonly now: () => number,
    private readonly reportError: (error: Error) => void,
    /** Told once each time a balance falls below the option QuotaRemindThreshold or to zero. */
    private readonly onQuotaLow: (userId: number, quota: number) => void,
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
    if (this.isWriting || this.isScheduled) return;
    this.isScheduled = true;
    // Everything that is settled in this turn of the event loop goes into one batch.
    setImmediate(() => {
      this.isScheduled = false;
      this.flush();
    });
  }

  private flush(): void {
    const batch = this.waiting;
    if (batch.length === 0) return;
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
    this.flush();
    for (const { done } of batch) done(error);
  }
}
