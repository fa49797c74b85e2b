import type { AccountId, BookedCharge, LeaseRecall } from "@tollgate/contract/records/lease";
import type { ChargeEntry, Leases } from "@tollgate/storage/accounts/node-ports";
import { LeaseDatabase } from "@tollgate/testkit/lease-database";

/** A log line written with a charge, or with its reversal. */
export interface LoggedCharge {
  readonly requestId: string;
  readonly quota: number;
  readonly entry: ChargeEntry;
}

/** Probability of each fault, from 0 to 1. */
export interface Faults {
  /** A command never gets there. */
  lost: number;
  /** It is executed, but the caller gets no answer. */
  unanswered: number;
  /** It is done again, later. */
  doubled: number;
  /** Whether an unanswered call fails or hangs. */
  hangs: number;
}

/** One database that several nodes reach over a bad network. */
export class FlakyDatabase {
  readonly database: LeaseDatabase;
  readonly lines: LoggedCharge[] = [];
  /** Requests whose charges are never stored. */
  readonly refused = new Set<string>();
  /** Users whose rows another transaction keeps locked when a charge is booked. */
  readonly locked = new Set<AccountId>();
  /** No call is answered. */
  isAway = false;
  faults: Faults = { lost: 0, unanswered: 0, doubled: 0, hangs: 0 };
  private readonly underWay: (() => void)[] = [];

  /** @param now the database's clock. @param announce notifies all nodes. */
  constructor(
    nodeLifeMs: number,
    private readonly now: () => number,
    private readonly random: () => number,
    announce: (recall: LeaseRecall) => void,
  ) {
    this.database = new LeaseDatabase(nodeLifeMs, (recall) => {
      this.underWay.push(() => announce(recall));
    });
  }

  get size(): number {
    return this.underWay.length;
  }

  /** Carries some messages, in any order. */
  carry(count: number): void {
    for (let left = count; left > 0 && this.underWay.length > 0; left -= 1) {
      const index = Math.floor(this.random() * this.underWay.length);
      const [message] = this.underWay.splice(index, 1);
      message?.();
    }
  }

  /** A transaction that moves money for a node: without an answer, the caller does not know whether it was executed. */
  transact<Done>(step: (database: LeaseDatabase) => Done): Promise<Done> {
    return this.ask(() => step(this.database));
  }

  /** As one node sees it. */
  connect(): Leases {
    const { database, now } = this;
    return {
      join: () => this.ask(() => database.join(now())),
      renew: (epoch) => this.ask(() => database.renew(epoch, now())),
      expire: () => this.ask(() => database.expire(now())),
      leave: (epoch) => this.ask(() => database.leave(epoch)),
      acquire: (wish) => this.ask(() => database.acquire(wish)),
      giveBack: (change) => this.ask(() => database.giveBack(change)),
      book: (batch, entryOf, remindBelow) =>
        this.ask(() => {
          const free = batch.charges.filter(({ user }) => !this.locked.has(user));
          const charges = free.filter(({ requestId }) => !this.refused.has(requestId));
          const known = new Set(charges.filter(({ requestId }) => database.charges.has(requestId)));
          const reply = database.book({ ...batch, charges }, remindBelow);
          for (const [index, charge] of charges.entries()) {
            const booked = reply.booked[index];
            if (booked && !known.has(charge)) this.log(booked, booked.charged, entryOf);
          }
          if (charges.length === batch.charges.length) return reply;
          const refused = free.filter((charge) => !charges.includes(charge));
          const heldUp = batch.charges.filter((charge) => !free.includes(charge));
          return {
            ...reply,
            refused: refused.map(({ requestId }) => ({ requestId, reason: "against a rule" })),
            heldUp: heldUp.map(({ requestId }) => requestId),
          };
        }),
      refund: (requestId, entryOf) =>
        this.ask(() => {
          const row = database.charges.get(requestId);
          const isNew = row !== undefined && !row.isRefunded;
          database.refund(requestId);
          if (isNew) this.log(row.booked, 0 - row.booked.charged, entryOf);
        }),
      edit: (edit, linesOf) =>
        this.ask(() => {
          const reply = database.edit(edit);
          linesOf(0, 0);
          return reply;
        }),
      recall: (account) => this.ask(() => database.recall(account)),
    };
  }

  private log(booked: BookedCharge, quota: number, entryOf: (booked: BookedCharge) => ChargeEntry): void {
    this.lines.push({ requestId: booked.requestId, quota, entry: entryOf(booked) });
  }

  private ask<Reply>(atDatabase: () => Reply): Promise<Reply> {
    return new Promise((resolve, reject) => {
      const { faults, random } = this;
      const chance = (probability: number): boolean => random() < probability;
      const fail = (): void => {
        if (!chance(faults.hangs)) this.underWay.push(() => reject(new Error("the connection broke")));
      };
      this.underWay.push(() => {
        if (this.isAway || chance(faults.lost)) {
          fail();
          return;
        }
        // The caller may have timed out long ago; a failure then concerns no caller.
        if (chance(faults.doubled)) this.underWay.push(() => void this.attempt(atDatabase));
        try {
          const reply = atDatabase();
          if (chance(faults.unanswered)) fail();
          else this.underWay.push(() => resolve(reply));
        } catch (error) {
          this.underWay.push(() => reject(error as Error));
        }
      });
    });
  }

  private attempt(atDatabase: () => unknown): void {
    atDatabase();
  }
}
