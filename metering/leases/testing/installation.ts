import type { AccountId } from "@tollgate/contract/records/lease";
import type { AccountRow, LeaseDatabase } from "@tollgate/testkit/lease-database";
import type { Hold } from "../../ledger";
import type { Lease, WaitingHold } from "../lease";
import type { NodeLeases } from "../node-leases";

/** The state of a client's request. */
export interface Request {
  readonly id: string;
  readonly payer: Payer;
  readonly key: AccountId;
  readonly least: number;
  readonly most: number;
  readonly begunAt: number;
  readonly node: Process;
  hold: Hold | undefined;
  /** The epoch in which it was admitted. */
  epoch: number;
  price: number;
  /** The client has not left. */
  isWanted: boolean;
  isDelivered: boolean;
  /** Nothing of it was delivered: its charge is reversed, unless the process ends before. */
  isGivenUp: boolean;
}

export interface Payer {
  readonly user: AccountId;
  readonly keys: readonly { readonly account: AccountId; isUnlimited: boolean }[];
}

/** One process's share of one account, seen from outside. */
export interface Share {
  readonly lease: Lease;
  readonly isUser: boolean;
  /** The account in the database. */
  readonly row: AccountRow;
  /** Quota taken from the lease in `epoch` that is not booked. */
  uncommitted: number;
  epoch: number;
  /** Quota held by others that was taken by prices above their holds. */
  overdrawn: number;
}

export interface Process {
  readonly name: string;
  readonly rank: number;
  readonly leases: NodeLeases;
  readonly shares: ReadonlyMap<AccountId, Share>;
  /** Requests that wait for a hold. */
  readonly waiting: Map<WaitingHold, Request>;
  /** Requests that are at an upstream. */
  readonly open: Request[];
  /** Requests whose answer waits for its charge. */
  readonly settled: Map<string, Request>;
  /** Milliseconds of its monotonic clock for one of the truth. */
  readonly rate: number;
  readonly clockOffset: number;
  wallOffset: number;
  isAlive: boolean;
  /** Stopped until then (SIGSTOP). */
  pausedUntil: number;
  /** No messages to or from it until then. */
  cutOffUntil: number;
}

/** Counts of events: a simulation that meets few of them proves little. */
export interface Met {
  admitted: number;
  /** Requests that waited for the database. */
  waited: number;
  refusedExceeded: number;
  refusedHeld: number;
  /** Of these, those for which there was enough unheld quota that other nodes did not return in time. */
  heldThoughSpare: number;
  refusedNotAdmitting: number;
  refusedSilent: number;
  delivered: number;
  charges: number;
  refunds: number;
  lateCharges: number;
  lateShortfalls: number;
  /** Of prices above their holds. */
  otherShortfalls: number;
  /** Of these, those where other nodes leased a part of the account. */
  shortfallsThoughLeased: number;
  recalls: number;
  edits: number;
  crashes: number;
  pauses: number;
  databaseRestarts: number;
  epochsEnded: number;
  lost: number;
  doubled: number;
  probes: number;
}

/** The state of an installation for its examiner. */
export interface Installation {
  readonly db: LeaseDatabase;
  /** Every request that came to a settlement, by its id. */
  readonly charged: ReadonlyMap<string, Request>;
  readonly met: Met;
  readonly processes: readonly Process[];
  /** Epochs up to this one may be ended early: the database's clock was set forward. */
  readonly excusedEpoch: number;
  /** Last time a balance grew in a way its nodes cannot know, in steps. */
  readonly raisedAt: ReadonlyMap<AccountId, number>;
  /** The account's balance as people see it. */
  sumOf(account: AccountId): number;
  fail(what: string): never;
}
