import type { BalanceMove } from "@tollgate/accounts/balances";
import { type BookedCharge, keyAccount, userAccount } from "@tollgate/contract/records/lease";
import type { Limiter } from "@tollgate/relay/limits/limiter";
import type { ChargeRecord, ChargeStore, RequestRecord } from "@tollgate/relay/ports/charges";
import { encodeCharges } from "@tollgate/storage/accounts/charges";
import type { ChargeEntry } from "@tollgate/storage/accounts/node-ports";
import { DatabaseRefused } from "@tollgate/storage/errors";
import type { ChargeBacklog, EndedRequests } from "../engines/engine";
import { EndedCosts } from "../state/ended-costs";
import { bookedEntryOf, takenBackEntryOf } from "../state/log-entry";
import { RepeatedFailures } from "../state/repeated-failures";
import type { LeaseRunner, PendingCharge } from "./lease-runner";
import { PassingMap } from "./passing-map";

/** Maximum time the last byte of an answer waits for its charge. */
const LAST_BYTE_MS = 15_000;

/** While a charge waits for longer nothing new is begun: it could not be charged either. */
const BEHIND_MS = 3000;

/** Time failed requests wait to be batched: no caller waits for them. */
const FAILURE_MS = 100;
/** Time failed requests wait that could not be stored: a try keeps changes of accounts waiting for as long as it lasts. */
const RETRY_MS = 5000;

/** Dependencies of the store for charges on leases. */
export interface LeaseChargeTools {
  /** Whether consumption is logged. */
  isLogged(): boolean;
  /** Milliseconds since the epoch. */
  wallNow(): number;
  /** Monotonic milliseconds. */
  now(): number;
  /** Stores requests that failed. Both as encodeCharges gives them. */
  storeFailures(changes: string, entries: string): Promise<void>;
  /** Receives charges that were reversed. */
  onMove(move: BalanceMove): void;
  reportError(error: Error): void;
  /** Counts charges against limits. */
  limiter?: Pick<Limiter, "charge" | "refund">;
  ended?: EndedRequests;
}

/** A charge, and the request that waits for it. */
class WaitingCharge implements PendingCharge {
  constructor(
    private readonly store: LeaseCharges,
    readonly record: ChargeRecord,
    readonly done: (error: Error | undefined) => void,
    readonly isDelivered: boolean,
    readonly since: number,
    /** Unix seconds. */
    private readonly createdAt: number,
    private readonly isLogged: boolean,
  ) {}

  entryOf(booked: BookedCharge): ChargeEntry {
    return bookedEntryOf(this.record, booked, this.createdAt, this.isLogged);
  }

  takenBackEntryOf(booked: BookedCharge): ChargeEntry {
    return takenBackEntryOf(this.record, booked, this.createdAt, this.isLogged);
  }

  committed(booked: BookedCharge): void {
    this.store.onCommitted(this, booked);
  }

  takenBack(): void {
    this.store.onTakenBack(this);
  }

  heldUp(): void {
    this.store.onHeldUp(this);
  }

  refused(reason: string): void {
    this.store.onRefused(this, reason);
  }
}

/**
 * Makes charges on leases durable in the database. While the database is silent the last bytes are held back for a
 * limited time: then the answer is cut off. A charge for delivered output is booked when the database is back; one
 * without delivered output is reversed.
 */
export class LeaseCharges implements ChargeStore {
  /** Charges whose answers wait, oldest first. */
  private readonly waiting = new PassingMap<WaitingCharge, WaitingCharge>();
  /** Charges whose answers were cut off, not yet booked or reversed. */
  private readonly late = new Set<WaitingCharge>();
  /** Charges that another transaction's lock holds up, and whether their answers wait; the users of these alone begin nothing new. */
  private readonly heldUp = new Map<WaitingCharge, "waiting" | "late">();
  private readonly failures = new RepeatedFailures();
  private readonly endedCosts = new EndedCosts();
  private failuresSince = 0;
  private isStoringFailures = false;

  constructor(
    private readonly leases: Pick<LeaseRunner, "charge" | "refund" | "isAdmitting" | "onTick">,
    private readonly tools: LeaseChargeTools,
  ) {
    leases.onTick((now) => this.tick(now));
  }

  /** Whether a request begun now might not be chargeable. */
  get isFailing(): boolean {
    if (this.late.size > 0 || !this.leases.isAdmitting) return true;
    const oldest = this.waiting.first();
    return oldest !== undefined && this.tools.now() - oldest.since >= BEHIND_MS;
  }

  /** To be called in the ledger's turn of the event loop: a batch names the epoch of the charged lease. */
  commit(record: ChargeRecord, done: (error: Error | undefined) => void, isDelivered = false): void {
    const { tools } = this;
    const { key } = record;
    const createdAt = Math.floor(tools.wallNow() / 1000);
    const waiting = new WaitingCharge(
      this,
      record,
      done,
      isDelivered,
      tools.now(),
      createdAt,
      tools.isLogged(),
    );
    this.waiting.set(waiting, waiting);
    this.addEnded(record, createdAt);
    const charge = {
      requestId: record.requestId,
      user: userAccount(key.user.id),
      quota: record.quota,
      shortfall: record.shortfall,
      key: key.account.isUnlimited ? undefined : keyAccount(key.id),
      keyQuota: record.takenFromKey,
    };
    this.leases.charge(charge, waiting);
    tools.limiter?.charge(key, record.promptTokens + record.completionTokens, record.quota, record.group);
  }

  noteFailure(record: RequestRecord): void {
    this.tools.ended?.failed(record);
    this.noteRefused(record);
  }

  noteRefused(record: RequestRecord): void {
    const createdAt = Math.floor(this.tools.wallNow() / 1000);
    this.addEnded(record, createdAt);
    if (this.uncharged === 0) this.failuresSince = this.tools.now();
    this.failures.add(record, createdAt);
  }

  private addEnded(record: RequestRecord, createdAt: number): void {
    if (this.uncharged === 0) this.failuresSince = this.tools.now();
    this.endedCosts.add(record, createdAt);
  }

  /** Rows without a charge that wait. */
  private get uncharged(): number {
    return this.failures.size + this.endedCosts.size;
  }

  /** Charges that are not in the database yet. */
  get backlog(): ChargeBacklog {
    const { waiting, late, heldUp, failures, tools } = this;
    const oldest = waiting.first();
    const longestMs = oldest === undefined ? 0 : Math.max(0, tools.now() - oldest.since);
    return {
      waiting: waiting.size,
      longestMs,
      late: late.size + heldUp.size,
      failures: failures.size,
    };
  }

  /** Logs lost charges, and stores failures: to be called when the node has left, or failed to. */
  async close(): Promise<void> {
    const lost = [...this.waiting.values(), ...this.heldUp.keys(), ...this.late].filter(
      ({ isDelivered }) => isDelivered,
    );
    for (const { record } of lost) this.tools.ended?.lost(record);
    if (lost.length > 0) {
      const quota = lost.reduce((sum, { record }) => sum + record.quota, 0);
      this.tools.reportError(
        new Error(`${lost.length} charges of ${quota} together could not be stored and are lost`),
      );
    }
    await this.storeFailures();
  }

  /** For the charge itself. */
  onCommitted(charge: WaitingCharge, { charged }: BookedCharge): void {
    const { record } = charge;
    // The account may have covered the lease's shortfall; or less was charged, because the node had expired.
    if (charged !== record.quota)
      this.tools.limiter?.refund(record.key, record.quota - charged, record.group);
    const state = this.end(charge);
    if (state === "waiting") this.complete(charge, undefined);
    if (state) this.tools.ended?.charged(record, charged);
  }

  /** For the charge itself. */
  onTakenBack(charge: WaitingCharge): void {
    const { record } = charge;
    this.end(charge);
    this.tools.onMove({ id: record.key.user.id, quota: record.quota, cause: "charge-not-stored" });
  }

  /** Gives the waiting request no more output, and reports the uncharged amount to the operator. */
  onRefused(charge: WaitingCharge, reason: string): void {
    const { record } = charge;
    const error = new Error(
      `the charge of ${record.quota} of user ${record.key.user.id} for request ${record.requestId} cannot be stored and is lost: ${reason}`,
    );
    this.tools.reportError(error);
    const state = this.end(charge);
    if (state && charge.isDelivered) this.tools.ended?.lost(record);
    // A late charge without delivered output was already reversed.
    if (state === "waiting" || (state === "late" && charge.isDelivered))
      this.tools.limiter?.refund(record.key, record.quota, record.group);
    if (state === "waiting") this.complete(charge, error);
  }

  /** For the charge itself. */
  onHeldUp(charge: WaitingCharge): void {
    const state = this.end(charge);
    if (state) this.heldUp.set(charge, state);
  }

  /** @returns whether its answer waited until now, or was broken off; undefined where it had ended before. */
  private end(charge: WaitingCharge): "waiting" | "late" | undefined {
    const state = this.heldUp.get(charge);
    if (state) {
      this.heldUp.delete(charge);
      return state;
    }
    if (this.waiting.delete(charge)) return "waiting";
    return this.late.delete(charge) ? "late" : undefined;
  }

  private tick(now: number): void {
    for (const charge of this.waiting.values()) {
      if (now - charge.since < LAST_BYTE_MS) break;
      this.waiting.delete(charge);
      this.late.add(charge);
      this.giveUp(charge);
    }
    for (const [charge, state] of this.heldUp) {
      if (state === "late" || now - charge.since < LAST_BYTE_MS) continue;
      this.heldUp.set(charge, "late");
      this.giveUp(charge);
    }
    const isDue = this.uncharged > 0 && now - this.failuresSince >= FAILURE_MS;
    if (isDue && !this.isStoringFailures && this.leases.isAdmitting)
      void this.storeFailures(this.openRequests());
  }

  /**
   * Requests whose failures cannot be stored yet: their charges are still to be reversed. Otherwise the log would show,
   * until the reversal, a failed request that was charged.
   */
  private openRequests(): ReadonlySet<string> {
    return new Set([...this.late, ...this.heldUp.keys()].map(({ record }) => record.requestId));
  }

  private giveUp(charge: WaitingCharge): void {
    const { record, isDelivered } = charge;
    if (!isDelivered) {
      this.leases.refund(record.requestId);
      this.tools.limiter?.refund(record.key, record.quota, record.group);
    }
    this.complete(charge, new Error("the database did not book a charge in time"));
  }

  /** One request that fails over its answer takes nothing from the others. */
  private complete({ done }: WaitingCharge, error: Error | undefined): void {
    try {
      done(error);
    } catch (failure) {
      this.tools.reportError(failure instanceof Error ? failure : new Error(String(failure)));
    }
  }

  /**
   * Stores failures and costs, and keeps them where the database says that it stored nothing: it could not be reached, or a row
   * was locked. After any other error they may be stored, and would be counted twice: they are lost then.
   */
  private async storeFailures(open?: ReadonlySet<string>): Promise<void> {
    const failures = this.failures.take(open);
    const endedCosts = this.endedCosts.take();
    if (failures.length + endedCosts.length === 0) return;
    this.isStoringFailures = true;
    try {
      await this.tools.storeFailures(...encodeCharges([...failures, ...endedCosts]));
    } catch (error) {
      if (error instanceof DatabaseRefused) {
        this.failures.putBack(failures);
        this.endedCosts.putBack(endedCosts);
        this.failuresSince = this.tools.now() + RETRY_MS - FAILURE_MS;
      }
      this.tools.reportError(error instanceof Error ? error : new Error(String(error)));
    } finally {
      this.isStoringFailures = false;
    }
  }
}
