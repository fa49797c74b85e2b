import type { BalanceEdits, EditedBalance } from "@tollgate/accounts/lease-balances";
import type { NodeReport } from "@tollgate/contract/api/nodes";
import type { AccountLine } from "@tollgate/contract/records/account-line";
import type {
  AccountId,
  BookedCharge,
  ChargeBatch,
  LeaseCharge,
  LeaseRecall,
} from "@tollgate/contract/records/lease";
import type { Movement } from "@tollgate/contract/records/ledger-entry";
import {
  isKnownEmpty,
  type Lease,
  type LeasedSum,
  leaseOf,
  type WaitingHold,
} from "@tollgate/metering/leases/lease";
import type { LeaseEffects } from "@tollgate/metering/leases/lease-effects";
import { Liveness } from "@tollgate/metering/leases/liveness";
import { NodeLeases } from "@tollgate/metering/leases/node-leases";
import { type Account, hold, release } from "@tollgate/metering/ledger";
import type { NodeRank } from "@tollgate/relay/limits/node-share";
import type { HoldOutcome, Holds } from "@tollgate/relay/ports/charges";
import type { ChargeEntry, Leases } from "@tollgate/storage/accounts/node-ports";
import { type CallTools, CommandCalls } from "./command-calls";
import { EditCalls } from "./edit-calls";
import { PassingMap } from "./passing-map";

/** Interval for checking timers. */
const TICK_MS = 50;

/**
 * Minimum interval between two batches of charges. A lone charge does not wait; at two thousand per second eight go
 * together, while back-to-back batches would have three and cost both sides twice as much.
 */
const GATHER_MS = 4;

/** Maximum time a start waits for the database to assign this process a number. */
const JOIN_MS = 10_000;

/** A charge on its way to the database, and the request that waits for it. */
export interface PendingCharge {
  /** The log entry of the booked charge; may be called more than once. */
  entryOf(booked: BookedCharge): ChargeEntry;
  /** The log entry of its reversal. */
  takenBackEntryOf(booked: BookedCharge): ChargeEntry;
  /** The charge is committed. Not called for a reversed one. */
  committed(booked: BookedCharge): void;
  takenBack(): void;
  /** Another transaction holds a lock on one of its rows: it is booked afterwards. May be called more than once. */
  heldUp(): void;
  /** It will never be booked. @param reason the database's message. */
  refused(reason: string): void;
}

/** Dependencies of the runner. */
export interface LeaseTools extends CallTools {
  /** The lease of an account that this node knows. */
  find(account: AccountId): Lease | undefined;
  /** This node's report about itself. */
  about(): NodeReport;
  /** Threshold below which a low balance is reported. */
  remindBelow(): number;
  /** A user's balance fell below the threshold, or is used up: reported to one node, once. */
  onQuotaLow(userId: number, left: number): void;
}

/**
 * Applies the rules of leases (`metering/leases/node-leases.ts`) to a database: carries their commands there and its
 * answers back, resolves waiting holds and charges, and watches the clock. The rules send a lost command again, and the
 * database executes it once.
 */
export class LeaseRunner implements Holds, BalanceEdits {
  private readonly rules: NodeLeases;
  private readonly holds = new Map<WaitingHold, (outcome: HoldOutcome) => void>();
  private readonly charges = new PassingMap<string, PendingCharge>();
  private readonly calls: CommandCalls;
  private readonly edits: EditCalls;
  /** The batch whose low balances were reported. */
  private reportedBatch: ChargeBatch | undefined;
  private timer: NodeJS.Timeout | undefined;
  /** Runs while charges wait for company. */
  private gathering: NodeJS.Timeout | undefined;
  private readonly listeners = new Set<(now: number) => void>();

  constructor(
    private readonly database: Leases,
    private readonly tools: LeaseTools,
  ) {
    this.rules = new NodeLeases(
      (account) => tools.find(account),
      this.createEffects(),
      new Liveness(),
      GATHER_MS,
    );
    this.calls = new CommandCalls(tools);
    this.edits = new EditCalls(this.rules, database, this.calls, {
      now: () => tools.now(),
      listeners: this.listeners,
    });
  }

  /** Whether requests that cost something are admitted. */
  get isAdmitting(): boolean {
    return this.rules.isAdmitting(this.tools.now());
  }

  /** Which of the nodes that live this one is. */
  get nodeRank(): NodeRank {
    const { liveNodes, rank } = this.rules.liveness;
    return { nodes: liveNodes, rank };
  }

  get leased(): LeasedSum {
    return this.rules.sum();
  }

  /** Undefined while this node has no time with the database. */
  get epoch(): number | undefined {
    return this.rules.liveness.epoch;
  }

  /**
   * Starts, and watches the clock from now on.
   * @returns when the database has assigned a number. @throws the database's last error, where it does not.
   */
  async start(): Promise<void> {
    await new Promise<void>((resolve, reject) => {
      const giveUpAt = this.tools.now() + JOIN_MS;
      const look = (now: number): void => {
        if (this.epoch !== undefined) {
          this.listeners.delete(look);
          resolve();
        } else if (now >= giveUpAt) {
          this.halt();
          reject(this.calls.lastError ?? new Error("the database gives this node no number"));
        }
      };
      this.onTick(look);
      this.timer = setInterval(() => this.tick(), TICK_MS);
      this.tick();
    });
  }

  /**
   * Stops admitting; when all holds have ended and everything is committed, all leases are released.
   * @param patienceMs timeout, after which it ends anyway: leases return when this node expires.
   * @returns whether everything was released.
   */
  async stop(patienceMs: number): Promise<boolean> {
    const giveUpAt = this.tools.now() + patienceMs;
    this.rules.stop(this.tools.now());
    await new Promise<void>((resolve) => {
      this.onTick((now) => {
        if (this.rules.hasLeft || now >= giveUpAt) resolve();
      });
      this.tick();
    });
    this.halt();
    return this.rules.hasLeft;
  }

  /** Stops immediately, like a killed process. */
  halt(): void {
    clearInterval(this.timer);
    clearTimeout(this.gathering);
    this.listeners.clear();
  }

  /** Calls a listener whenever the clock is looked at. */
  onTick(listener: (now: number) => void): void {
    this.listeners.add(listener);
  }

  place(
    user: Account,
    key: Account,
    least: number,
    isFree: boolean,
    most: number,
  ): HoldOutcome | Promise<HoldOutcome> {
    // A free request fits in any lease.
    if (isFree) return hold(user, key, least, true, most);
    const outcome = this.rules.hold(leaseOf(user), leaseOf(key), least, most, this.tools.now());
    if (typeof outcome === "string" || "isOpen" in outcome) return outcome;
    return new Promise((resolve) => this.holds.set(outcome, resolve));
  }

  /** Receives a charge that the ledger has just made, in the same turn of the event loop. */
  charge(charge: LeaseCharge, underWay: PendingCharge): void {
    this.charges.set(charge.requestId, underWay);
    this.rules.charge(charge, this.tools.now());
    this.sendWhenDue();
  }

  /** Reverses an uncommitted charge without delivered output. */
  refund(requestId: string): void {
    this.rules.refund(requestId);
  }

  /** Another node, or an edit, needs quota that this node does not use. */
  recalled(recall: LeaseRecall): void {
    this.rules.recalled(recall, this.tools.now());
  }

  edit(
    account: Account,
    wanted: number,
    linesOf: (before: number, after: number) => readonly AccountLine[],
    movement: Movement,
  ): Promise<EditedBalance> {
    return this.edits.edit(account, wanted, linesOf, movement);
  }

  recall(account: Account): Promise<void> {
    return this.edits.recall(account);
  }

  private tick(): void {
    const now = this.tools.now();
    this.rules.tick(now);
    this.edits.expire(now);
    for (const listener of this.listeners) listener(now);
  }

  private createEffects(): LeaseEffects {
    const { database, tools } = this;
    return {
      join: (askedAt) =>
        this.calls.send(
          "join",
          () => database.join(tools.about()),
          (reply) => this.rules.joined(askedAt, reply, tools.now()),
        ),
      renew: (epoch, askedAt) =>
        this.calls.send(
          "renew",
          () => database.renew(epoch, tools.about()),
          (reply) => this.rules.renewed(epoch, askedAt, reply, tools.now()),
        ),
      expire: () => this.calls.send("expire", () => database.expire()),
      acquire: (wish) =>
        this.calls.send(
          "acquire",
          () => database.acquire(wish),
          (reply) => this.rules.acquired(wish, reply, tools.now()),
          { about: wish },
        ),
      giveBack: (change) =>
        this.calls.send(
          "giveBack",
          () => database.giveBack(change),
          (reply) => this.rules.gaveBack(change, reply, tools.now()),
          { about: change },
        ),
      book: (batch) => this.book(batch),
      refund: (requestId) => this.sendRefund(requestId),
      edit: (edit) => this.edits.send(edit),
      leave: (epoch) =>
        this.calls.send(
          "leave",
          () => database.leave(epoch),
          () => this.rules.left(),
        ),
      decided: (waiting, outcome) => this.decided(waiting, outcome),
      committed: (booked) => {
        const charge = this.charges.get(booked.requestId);
        this.charges.delete(booked.requestId);
        charge?.committed(booked);
      },
      refused: ({ requestId, reason }) => {
        const charge = this.charges.get(requestId);
        this.charges.delete(requestId);
        charge?.refused(reason);
      },
      heldUp: (requestId) => this.charges.get(requestId)?.heldUp(),
      editDone: (id, moved, balance) => this.edits.done(id, { moved, balance }),
    };
  }

  private book(batch: ChargeBatch): void {
    const entryOf = (booked: BookedCharge): ChargeEntry => this.chargeOf(booked).entryOf(booked);
    this.calls.send(
      "book",
      () => this.database.book(batch, entryOf, this.tools.remindBelow()),
      (reply) => {
        if (this.reportedBatch !== batch) {
          this.reportedBatch = batch;
          for (const { user, left } of reply.low ?? []) {
            const lease = this.tools.find(user);
            if (lease) this.tools.onQuotaLow(lease.id, left);
          }
        }
        this.rules.booked(batch, reply, this.tools.now());
        this.sendWhenDue();
      },
    );
  }

  /** Charges that wait for company are sent when that has had its time. */
  private sendWhenDue(): void {
    const { chargesDueAt } = this.rules;
    if (chargesDueAt === undefined || this.gathering !== undefined) return;
    this.gathering = setTimeout(
      () => {
        this.gathering = undefined;
        this.rules.sendCharges(this.tools.now());
        this.sendWhenDue();
      },
      Math.max(0, chargesDueAt - this.tools.now()),
    );
  }

  private chargeOf({ requestId }: Pick<BookedCharge, "requestId">): PendingCharge {
    const charge = this.charges.get(requestId);
    if (!charge) throw new Error(`nothing is known of the charge of request ${requestId}`);
    return charge;
  }

  private sendRefund(requestId: string): void {
    this.calls.send(
      "refund",
      () => this.database.refund(requestId, (booked) => this.chargeOf(booked).takenBackEntryOf(booked)),
      () => {
        const charge = this.charges.get(requestId);
        this.charges.delete(requestId);
        this.rules.refunded(requestId);
        charge?.takenBack();
      },
      { about: requestId },
    );
  }

  private decided(waiting: WaitingHold, outcome: HoldOutcome): void {
    const decide = this.holds.get(waiting);
    this.holds.delete(waiting);
    if (decide)
      decide(outcome === "token-quota-exceeded" && isKnownEmpty(waiting.key) ? "token-exhausted" : outcome);
    else if (typeof outcome !== "string") release(outcome);
  }
}
