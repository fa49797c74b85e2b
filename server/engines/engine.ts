import type { AccountMoney } from "@tollgate/accounts/account-money";
import type { Accounts } from "@tollgate/accounts/accounts";
import type { BalanceMove } from "@tollgate/accounts/balances";
import type { NodeReport } from "@tollgate/contract/api/nodes";
import type { LeaseRecall } from "@tollgate/contract/records/lease";
import type { LeasedSum } from "@tollgate/metering/leases/lease";
import type { Limiter } from "@tollgate/relay/limits/limiter";
import type { NodeRank } from "@tollgate/relay/limits/node-share";
import type { ChargeRecord, ChargeStore, Holds, RequestRecord } from "@tollgate/relay/ports/charges";
import type { ChangeFeed } from "@tollgate/storage/accounts/node-ports";
import type { AccountQueries } from "@tollgate/storage/accounts/ports";
import type { Stores } from "@tollgate/storage/stores";
import type { ChargingFault } from "../relay-api/read-admitted";
import type { KnownNodes } from "../state/known-nodes";
import type { Options } from "../state/options";

/** Notified once about each request that reached the engine, when it has ended. */
export interface EndedRequests {
  /** A charge is durable. @param quota the final amount, which may differ from the record's with several nodes. */
  charged(record: ChargeRecord, quota: number): void;
  /** It ended without a charge. */
  failed(record: RequestRecord): void;
  /** A charge of something that was delivered can never be stored. */
  lost(record: ChargeRecord): void;
}

/** Charges and failed requests that are not durable yet. */
export interface ChargeBacklog {
  /** Answers whose last byte waits for its charge, and the longest wait in milliseconds. */
  readonly waiting: number;
  readonly longestMs: number;
  /** Charges of answers that were delivered or broken off without waiting any longer, which are tried again. */
  readonly late: number;
  /** Failed requests on their way to the log. */
  readonly failures: number;
}

/** Storage's backlog, as far as this process knows without a query. Parts that an engine lacks are undefined. */
export interface StorageLag {
  /** Charges that are durable in the journal and not yet in the accounts: batches, and their bytes. */
  readonly journalBatches?: number;
  readonly journalBytes?: number;
  /** Batches booked in the accounts whose log lines are not written yet. */
  readonly outboxBatches?: number;
  /** Milliseconds until changes of other nodes hold here. */
  readonly feedMs?: number | undefined;
  /** Database connections, and callers waiting for one. */
  readonly connections?: number;
  readonly connectionsWaiting?: number;
  /** Quota leased by this node. */
  readonly leases?: LeasedSum;
}

/** Dependencies of charging. */
export interface ChargingTools {
  accounts: Pick<Accounts, "users" | "keys">;
  options: Options;
  /** Milliseconds since the epoch. */
  now(): number;
  /** A user's balance fell below the option QuotaRemindThreshold, or is used up. */
  onQuotaLow(userId: number, left: number): void;
  /** Number of running requests. */
  countActive(): number;
  /** Counts charges against limits. */
  limiter: Pick<Limiter, "charge" | "refund">;
  ended: EndedRequests;
}

/** Charging of requests. */
export interface Charging {
  holds: Holds;
  charges: ChargeStore;
  /** The reason why a request begun now might not be chargeable. */
  fault(): ChargingFault | undefined;
  backlog(): ChargeBacklog;
  /** Before the first request. @throws DatabaseRefused where the database does not take this node. */
  start(): Promise<void>;
  /** To be called last: stores the remaining charges, and releases this node's leases. */
  close(): Promise<void>;
}

/** The server's view of an engine; nothing else in it depends on the kind of engine. */
export interface Engine {
  stores: Stores;
  /** Keeper of the balances. */
  money: AccountMoney;
  /** To be called once. */
  openCharging(tools: ChargingTools): Charging;
  /** This node's rank among the living nodes, as far as known; undefined for an engine with a single node. */
  nodeRank: (() => NodeRank) | undefined;
  lag(): StorageLag;
  /** The processes that share the data. */
  nodes: KnownNodes;
  /** Stores shared with other nodes; undefined without other nodes. */
  shared: SharedStores | undefined;
}

/** Keeps this node's memory up to date with changes by other nodes. */
export interface SharedStores {
  feed: ChangeFeed;
  /** Queries that are answered in the order of this node's own changes. */
  readInOrder: AccountQueries;
  /** Another node needs quota that this one leases and does not use. */
  recalled(recall: LeaseRecall): void;
}

/** Settings for opening an engine. */
export interface EngineSettings {
  masterKey: Uint8Array;
  /** This process's report about itself, to which the engine adds its part. */
  about(): NodeReport;
  /** Receives errors that no caller waits for. */
  reportError(error: Error): void;
  /** Receives each change of a balance except charges. */
  onMove(move: BalanceMove): void;
  /** Something ended by an error that this process cannot start again: it is to end, and to be started again. */
  onBroken(error: Error): void;
}
