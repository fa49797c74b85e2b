import type { BookedCharge, LeaseCharge, LeaseWish, NodeRenewed } from "@tollgate/contract/records/lease";
import { type AccountRow, LeaseDatabase } from "@tollgate/testkit/lease-database";
import type { Lease } from "../lease";
import { ADMIT_FOR_MS, Liveness } from "../liveness";
import { NodeLeases } from "../node-leases";
import { PARTS, type Parts } from "./world";

/* Faults inserted on purpose, each in one rule: they measure the simulation by those it finds. */

/** Executes commands of an epoch that is over. */
class WithoutEpochCheck extends LeaseDatabase {
  protected override isLive(): boolean {
    return true;
  }
}

/** A batch that is sent again is booked again. */
class ChargesAgain extends LeaseDatabase {
  protected override isBooked(): boolean {
    return false;
  }
}

/** A refund that is sent again is done again. */
class RefundsAgain extends LeaseDatabase {
  protected override isRefunded(): boolean {
    return false;
  }
}

/** Executes a repeated change of a lease twice. */
class ChangesAgain extends LeaseDatabase {
  protected override isDone(): boolean {
    return false;
  }
}

/** A wish is granted whatever is there. */
class WithoutLeast extends LeaseDatabase {
  protected override amountFor({ total, ahead }: LeaseWish): number {
    return Math.max(total, ahead);
  }
}

/** Acknowledges a charge that comes after its epoch, and drops it. */
class DropsLateCharges extends LeaseDatabase {
  protected override bookOne(charge: LeaseCharge, epoch: number | undefined): BookedCharge {
    if (epoch !== undefined || this.isBooked(charge.requestId)) return super.bookOne(charge, epoch);
    const { requestId, quota, shortfall } = charge;
    return { requestId, charged: quota, shortfall, takenFromKey: 0, keyShortfall: 0 };
  }
}

/** Returns the leases of an ending epoch one by one, with other events in between. */
class EndsByHalves extends LeaseDatabase {
  protected override freeLease(account: AccountRow, epoch: number): void {
    if (account.leases.length > 1) super.freeLease(account, epoch);
  }
}

/** Keeps the row of a node when its leases are returned. */
class LeavesTheRow extends LeaseDatabase {
  protected override endEpoch(epoch: number): void {
    for (const account of this.accounts.values()) this.freeLease(account, epoch);
  }
}

/** The time to admit is measured by a clock that may be set back. */
class ByWallClock extends Liveness {
  private until = 0;
  private asked = 0;

  constructor(private readonly wallNow: () => number) {
    super();
  }

  override isAdmitting(): boolean {
    return this.epoch !== undefined && this.wallNow() < this.until;
  }

  override noteAsked(now: number): void {
    super.noteAsked(now);
    this.asked = this.wallNow();
  }

  override begin(epoch: number, askedAt: number): void {
    super.begin(epoch, askedAt);
    this.until = this.asked + ADMIT_FOR_MS;
  }

  override extend(askedAt: number, renewed: NodeRenewed): void {
    super.extend(askedAt, renewed);
    this.until = this.asked + ADMIT_FOR_MS;
  }
}

/** Counts a renewal from the time its answer is read, not from the time it was sent. */
class FromTheAnswer extends Liveness {
  private until = 0;
  private now = 0;

  override isAdmitting(now: number): boolean {
    this.now = now;
    return this.epoch !== undefined && now < this.until;
  }

  override isDue(now: number): boolean {
    this.now = now;
    return super.isDue(now);
  }

  override extend(askedAt: number, renewed: NodeRenewed): void {
    super.extend(askedAt, renewed);
    this.until = this.now + ADMIT_FOR_MS;
  }
}

/** A recall also takes quota needed by holds. */
class GivesBackHolds extends NodeLeases {
  protected override recallable(lease: Lease): number {
    return lease.quota;
  }
}

/** A node whose epoch is over keeps its leases. */
class KeepsLeases extends NodeLeases {
  protected override endEpoch(): void {
    this.liveness.end();
  }
}

const database = (make: typeof LeaseDatabase): Parts => ({
  ...PARTS,
  createDatabase: (lifeMs, announce) => new make(lifeMs, announce),
});

const node = (make: typeof NodeLeases): Parts => ({
  ...PARTS,
  createNode: (find, effects, liveness) => new make(find, effects, liveness),
});

export const MUTATIONS: Readonly<Record<string, Parts>> = {
  "no epoch check": database(WithoutEpochCheck),
  "renewal by wall clock": { ...PARTS, createLiveness: (wallNow) => new ByWallClock(wallNow) },
  "charge not idempotent": database(ChargesAgain),
  "refund not idempotent": database(RefundsAgain),
  "change of a lease not idempotent": database(ChangesAgain),
  "more granted than there is": database(WithoutLeast),
  "late charge dropped": database(DropsLateCharges),
  "leases of an epoch given back by halves": database(EndsByHalves),
  "leases given back while the node's row stays": database(LeavesTheRow),
  "renewal counted from its answer": { ...PARTS, createLiveness: () => new FromTheAnswer() },
  "recall takes what holds need": node(GivesBackHolds),
  "leases kept when the epoch is over": node(KeepsLeases),
  "last byte before the commit": {
    ...PARTS,
    createNode: (find, effects, liveness) => {
      const early = new NodeLeases(
        find,
        {
          ...effects,
          book(batch) {
            for (const { requestId, quota, shortfall, keyQuota } of batch.charges)
              effects.committed({
                requestId,
                charged: quota,
                shortfall,
                takenFromKey: keyQuota,
                keyShortfall: 0,
              });
            effects.book(batch);
          },
        },
        liveness,
      );
      return early;
    },
  },
};
