import type {
  BalanceEdit,
  BookedCharge,
  ChargeBatch,
  LeaseReturn,
  LeaseWish,
  RefusedCharge,
} from "@tollgate/contract/records/lease";
import type { Hold } from "../ledger";
import type { LeaseRefusal } from "./decide-hold";
import type { WaitingHold } from "./lease";

/** A command without an answer is sent again. */
export const RESEND_MS = 1000;

/**
 * Commands to the database, and results for waiting callers. Each command is answered by the method of `NodeLeases`
 * that its line names, or never.
 */
export interface LeaseEffects {
  /** → `joined` @param askedAt to be handed back with the answer. */
  join(askedAt: number): void;
  /** → `renewed` */
  renew(epoch: number, askedAt: number): void;
  /** No caller waits for the answer. */
  expire(): void;
  /** → `acquired` */
  acquire(wish: LeaseWish): void;
  /** → `gaveBack` */
  giveBack(change: LeaseReturn): void;
  /** → `booked` */
  book(batch: ChargeBatch): void;
  /** → `refunded` */
  refund(requestId: string): void;
  /** → `edited` */
  edit(edit: BalanceEdit): void;
  /** → `left` */
  leave(epoch: number): void;
  /** A hold that waited is placed or refused. */
  decided(waiting: WaitingHold, outcome: Hold | LeaseRefusal): void;
  /** A charge is committed: the last byte of its answer may leave. */
  committed(charge: BookedCharge): void;
  /** A charge will never be booked: no quota was taken for it, and its leased quota comes back with the lease. */
  refused(charge: RefusedCharge): void;
  /** A charge is not booked yet, because another transaction keeps a row of it locked; it is sent again, and others are not held up. */
  heldUp(requestId: string): void;
  /**
   * An edit is done.
   * @param moved the movement; less than requested when holds kept the rest. @param balance the balance afterwards.
   */
  editDone(id: string, moved: number, balance: number): void;
}
