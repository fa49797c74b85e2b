import type { AccountMoney } from "@tollgate/accounts/account-money";
import type { Accounts } from "@tollgate/accounts/accounts";
import type { BalanceMove } from "@tollgate/accounts/balances";
import type { NodeReport } from "@tollgate/contract/api/nodes";
import type { LeaseRecall } from "@tollgate/contract/records/lease";
import type { LeasedSum } from "@tollgate/metering/leases/node-leases";
import type { Limiter } from "@tollgate/relay/limits/limiter";
import type { LivePlace } from "@tollgate/relay/limits/node-share";
import type { ChargeRecord, ChargeStore, Holds, RequestRecord } from "@tollgate/relay/ports";
import type { ChangeFeed } from "@tollgate/storage/accounts/node-ports";
import type { AccountQueries } from "@tollgate/storage/accounts/ports";
import type { Stores } from "@tollgate/storage/stores";
import type { ChargingFault } from "../relay-api/read-admitted";
import type { KnownNodes } from "../state/known-nodes";
import type { Options } from "../state/options";

/** Told of each request that had reached the engine, once, when it is over. */
export interface EndedRequests {
  /** A charge is durable. @param quota what was taken in the end, which with several nodes may differ from the record's. */
  charged(record: ChargeRecord, quota: number): void;
  /** It ended without a charge. */
  failed(record: RequestRecord): void;
  /** A charge of something that was delivered can never be stored. */
  lost(record: ChargeRecord): void;
}

/** Charges and failed requests that are not durable yet. */
export interface ChargeBacklog {
  /** Answers of which the last byte waits for its charge, and for how many milliseconds the first of them has. */
  readonly waiting: number;
  readonly longestMs: number;
  /** Charges of answers that were delivered or broken off without waiting any longer, which are tried again. */
  readonly late: number;
  /** Failed requests on their way to the log. */
  readonly failures: number;
}

/** How far storage is behind, as far as this process knows it without asking. What an engine does not have is left out. */
export interface StorageLag {
  /** Charges that are durable in the journal and not yet in the accounts: batches, and their bytes. */
  readonly journalBatches?: number;
  readonly journalBytes?: number;
  /** Batches in the accounts of which the log does not have the lines. */
  readonly outboxBatches?: number;
  /** Milliseconds until changes of other nodes hold here. */
  readonly feedMs?: number | undefined;
  /** Connections to the database, and what waits for one of them. */
  readonly connections?: number;
  readonly connectionsWaiting?: number;
  /** What this node leases. */
  readonly leases?: LeasedSum;
}

/** What charging needs of the rest of the server. */
export interface ChargingTools {
  accounts: Pick<Accounts, "users" | "keys">;
  options: Options;
  /** Milliseconds since the epoch. */
  now(): number;
  /** A user's balance fell below the option QuotaRemindThreshold, or is used up. */
  onQuotaLow(userId: number, left: number): void;
  /** How many requests are under way. */
  countActive(): number;
  /** Counts what is charged against limits. */
  limiter: Pick<Limiter, "charge" | "refund">;
  ended: EndedRequests;
}

/** How requests are paid for. */
export interface Charging {
  holds: Holds;
  charges: ChargeStore;
  /** Why what is begun now might not be chargeable. */
  fault(): ChargingFault | undefined;
  backlog(): ChargeBacklog;
  /** Before the first request. @throws DatabaseRefused where the database does not take this node. */
  start(): Promise<void>;
  /** After the last one: stores what is left, and gives back what this node has. */
  close(): Promise<void>;
}

/** What the server has of an engine; nothing else in it knows which one it is. */
export interface Engine {
  stores: Stores;
  /** How balances are kept. */
  money: AccountMoney;
  /** To be called once. */
  openCharging(tools: ChargingTools): Charging;
  /** Which of the nodes that live this one is, as far as it knows; undefined where there never is another one. */
  livePlace: (() => LivePlace) | undefined;
  lag(): StorageLag;
  /** The processes that share the data. */
  nodes: KnownNodes;
  /** What is shared with other nodes; undefined where there are none. */
  shared: SharedStores | undefined;
}

/** What a node needs to keep in memory what other nodes change. */
export interface SharedStores {
  feed: ChangeFeed;
  /** Queries that are answered in the order of this node's own changes. */
  readInOrder: AccountQueries;
  /** Another node needs what this one leases and does not need. */
  recalled(recall: LeaseRecall): void;
}

/** What an engine is opened with. */
export interface EngineSettings {
  masterKey: Uint8Array;
  /** What this process tells of itself; what it has of the engine is added there. */
  about(): NodeReport;
  /** Told of what fails where no caller waits. */
  reportError(error: Error): void;
  /** Told of each move of a balance, but for charges. */
  onMove(move: BalanceMove): void;
  /** Something ended by an error that this process cannot start again: it is to end, and to be started again. */
  onBroken(error: Error): void;
}
