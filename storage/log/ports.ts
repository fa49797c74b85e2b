import type { LogFailure, LogFilter, LogSort, StoredLog } from "@tollgate/contract/api/logs";
import type { ProfitGrouping, ProfitOrder, ProfitReport } from "@tollgate/contract/api/profit";
import type {
  LatencyGrouping,
  LatencyPoint,
  LatencyStep,
  ServedModel,
  UsageGrouping,
  UsageStep,
  UserLatency,
} from "@tollgate/contract/api/usage";
import type { ListSort } from "@tollgate/contract/resource/list-sort";
import type { SomeOf } from "../consistency";
import type { ReceiptDetail } from "./receipt-detail";

/* Operations of the log store: lines, receipts, and the sums kept with them. Times are unix seconds. */

export interface LineQueries {
  /** One page, the newest first. */
  page(filter: LogFilter, offset: number, limit: number): Promise<StoredLog[]>;
  /**
   * One page in another order; lines that are equal in it the newest first, and in the order of time as they came.
   * @returns undefined where the filter leaves more lines than are sorted by anything but time (MAX_SORTED_LINES).
   */
  sorted(
    filter: LogFilter,
    sort: ListSort<LogSort>,
    offset: number,
    limit: number,
  ): Promise<StoredLog[] | undefined>;
  /**
   * Returns the page after a line that was read before: a late page costs as much as the first one. Lines that came
   * meanwhile, and are older than that line, may be missing.
   * @param last undefined for the first page.
   */
  after(
    filter: LogFilter,
    last: Pick<StoredLog, "id" | "createdAt" | "requestId"> | undefined,
    limit: number,
  ): Promise<StoredLog[]>;
  /**
   * The newest lines whose type is `keyword` or, of all users' lines, whose text begins with it (contract section 1.9).
   * @param beginnings of the stored phrases whose text begins with it: which these are depends on the reader's language.
   * @param userId undefined for all users'.
   */
  search(
    keyword: string,
    beginnings: readonly string[],
    userId: number | undefined,
    limit: number,
  ): Promise<StoredLog[]>;
}

/** Selects the requests of a sum. */
export interface UsageQuery {
  filter: LogFilter;
  step: UsageStep;
  by: UsageGrouping;
  /** Of the caller's clock from UTC. */
  offsetMinutes: number;
  /** How many keys are told apart; the rest is one more sum per span. Undefined for all of them. */
  top?: number | undefined;
}

/** Quota and requests of one key from one moment until the next. */
export interface SpentSince {
  userId: number;
  tokenId: number;
  /** Start of the moment's hour, unix seconds. */
  from: number;
  quota: number;
  requests: number;
}

/** Quota that one key spent in an hour, beside the hours before it. */
export interface KeySpending {
  userId: number;
  tokenId: number;
  quota: number;
  /** The most that it spent in one of the earlier hours; 0 without any. */
  peakQuota: number;
  /** Begin of the first hour in which it was used, unix seconds. */
  firstHour: number;
}

/** Quota that one key spent in an hour on a model that it had not used in the hours before it. */
export interface NewModelSpending {
  userId: number;
  tokenId: number;
  /** The model at its upstream. */
  model: string;
  quota: number;
}

/** Quota that one model, or one key, cost a user. */
export interface UsedBy {
  /** The model's name, or the key's number. */
  key: string;
  /** As the key was called last. */
  name: string;
  requests: number;
  quota: number;
}

/** Charges of a user in a range, by model and by key; both have the same total. */
export interface UserUsage {
  /** Quota charged before the range. */
  before: number;
  models: UsedBy[];
  tokens: UsedBy[];
}

export interface UsageQueries {
  /**
   * Returns a user's charges, as of one moment.
   * @param from start of an hour, `end` too: unix seconds, `end` excluded. Hours are kept as sums, even after lines are
   *   cleared.
   */
  ofUser(userId: number, from: number, end: number): Promise<UserUsage>;
  /**
   * Returns the quota and the requests of each key, in parts from each moment until the next one: a moment within an
   * hour counts as the hour's start.
   */
  spentSince(moments: readonly number[]): Promise<SpentSince[]>;
  /**
   * Returns the keys that spent at least `leastQuota` in an hour, beside their hours before it.
   * @param hour begin of the hour, `from` that of the first earlier one: unix seconds.
   */
  keySpending(hour: number, from: number, leastQuota: number): Promise<KeySpending[]>;
  /**
   * Returns the models that are new to a key, on each of which it spent at least `leastQuota` in the hour; as above. A
   * smaller use within the last day makes a model no less new.
   */
  newModelSpending(hour: number, from: number, leastQuota: number): Promise<NewModelSpending[]>;
  /** Returns the quota of the filter's lines (contract section 1.9), without cleared lines. */
  consumedQuota(filter: LogFilter, now: number): Promise<number>;
  /**
   * Sums per span of time and, as asked for, per model, token, channel or user, ordered by time: JSON of the wire, so that
   * nothing of a long answer is made on the thread that relays.
   */
  pointsJson(query: UsageQuery, now: number): Promise<string>;
  /**
   * Returns how many answers named another model than was asked for, by channel and model, the most first.
   * @param limit number of channels and models.
   */
  servedModels(filter: LogFilter, limit: number, now: number): Promise<ServedModel[]>;
  /** The same as `pointsJson` in parts of at most `size` points, so that the relaying thread can read one after another. */
  pointsInParts(query: UsageQuery, size: number, now: number): Promise<string[]>;
}

/** Selects the requests of a profit report. */
export interface ProfitQuery {
  filter: LogFilter;
  by: ProfitGrouping;
  order: ProfitOrder;
  isDescending: boolean;
  /** How many rows are told apart. */
  limit: number;
  /** Of the caller's clock from UTC. */
  offsetMinutes: number;
}

/** How a model was served in one hour or day (UTC). */
export interface ModelHealth {
  /** As upstreams are asked for it. */
  model: string;
  /** Begin of the hour or day, unix seconds. */
  time: number;
  /** Requests that were answered. */
  requests: number;
  /** Requests that came to nothing by no fault of the client. */
  faults: number;
  /** Milliseconds to the first byte, added up over `streams`. */
  firstByteMs: number;
  streams: number;
}

/** Selects the requests of percentiles: of the filter, model, channel and range. */
export interface LatencyQuery {
  filter: Pick<LogFilter, "modelName" | "channelId" | "startTimestamp" | "endTimestamp">;
  by: LatencyGrouping;
  /** "range" is one point over all of it. */
  step: LatencyStep;
  /** Of the caller's clock from UTC. */
  offsetMinutes: number;
}

/** Selects the requests of one user's percentiles. The filter names the user, a key, or both. */
export interface UserLatencyQuery extends Omit<LatencyQuery, "filter"> {
  filter: Omit<LogFilter, "type" | "requestId">;
  /** The account that has the filter's username now: others had it before. */
  holderId?: number | undefined;
  /** How many lines count, the newest of the range. */
  limit: number;
}

/** Requests over one channel in one hour. */
export interface ChannelHour {
  channelId: number;
  /** Its begin, unix seconds. */
  hour: number;
  requests: number;
  errors: number;
  quota: number;
}

export interface HealthQueries {
  /** Returns requests over these channels, by the hour, without empty hours. @param from start of an hour. */
  ofChannels(ids: readonly number[], from: number): Promise<ChannelHour[]>;
  /**
   * How models were served, by name and time; nothing of those without a request.
   * @param from begin of an hour, unix seconds. @param stepSeconds 3600 or 86400.
   */
  ofModels(from: number, stepSeconds: 3600 | 86_400): Promise<ModelHealth[]>;
  /** Percentiles of answered requests, by time and key; hours that the range cuts count as a whole. */
  latency(query: LatencyQuery): Promise<LatencyPoint[]>;
  /**
   * Returns percentiles of the newest lines of a user's requests in the range; limited, so that the cost is bounded.
   * Nothing but `is_shared` for a name that several users have, or had if none of them is `holderId`: no index leads to
   * the newest lines of a name.
   */
  userLatency(query: UserLatencyQuery): Promise<UserLatency>;
}

export interface ProfitQueries {
  /** Returns the charged quota, and the upstreams' cost. */
  report(query: ProfitQuery, now: number): Promise<ProfitReport>;
}

/** A receipt with the names that were in use then. */
export interface StoredReceipt {
  requestId: string;
  createdAt: number;
  userId: number;
  username: string;
  keyId: number;
  tokenName: string;
  /** The channel and the model that the charge counts for. */
  channelId: number;
  chargedModel: string;
  detail: ReceiptDetail;
  /** Of a request that came to nothing. */
  failure: LogFailure | undefined;
}

export interface ReceiptQueries {
  /**
   * Returns the receipt of one request.
   * @param userId only this user's; undefined for all users'. @param keyId only this key's.
   * @returns undefined for an unknown request, or one that is older than receipts are.
   */
  find(requestId: string, userId: number | undefined, keyId?: number): Promise<StoredReceipt | undefined>;
}

/** Some of the lines of an hour, as PricedLineReader reads them (./priced-lines.ts). */
export interface PricedPart {
  /** Its begin, unix seconds. */
  hour: number;
  lines: number;
  data: Uint8Array;
}

/** Materials of charged lines, from which they can be priced again. */
export interface PricedLineQueries {
  /** Returns texts that lines have in common, by number (metering/priced-use.ts). */
  shapes(): Promise<{ id: number; text: string }[]>;
  /**
   * How many lines of requests there are from a moment to another one (excluded), and from when on: those of before are cleared.
   */
  lines(from: number, to: number): Promise<{ from: number; lines: number }>;
  /** The lines of the hours from one (its begin) to another one (excluded), in the order of hours. */
  part(fromHour: number, toHour: number): Promise<PricedPart[]>;
}

/** Queries of the log: all but those of health see everything that was charged or changed before. */
export interface LogQueries {
  logs: LineQueries;
  usage: UsageQueries;
  profit: ProfitQueries;
  health: HealthQueries;
  receipts: ReceiptQueries;
  pricedLines: PricedLineQueries;
}

export interface LogMaintenance {
  /**
   * Deletes some of the lines and receipts older than a moment. The sums stay: they hold the use, not the requests.
   * @param now lines from now on are not cleared, whatever the timestamp.
   * @returns the number of deleted lines, and whether there may be more.
   */
  clearBefore(timestamp: number, now: number): Promise<{ deleted: number; isDone: boolean }>;
  /** Deletes some of the failures of before a moment, with their receipts. @returns whether there are no more. */
  clearFailuresBefore(timestamp: number): Promise<boolean>;
  /**
   * Adds one bucket of eight hours to the sums of long ranges, once it is over for some time.
   * @returns whether there was one.
   */
  closeBucket(now: number): Promise<boolean>;
  /** Until when lines were deleted; 0 for never. */
  clearedBefore(): Promise<number>;
}

export interface LogChanges {
  log: LogMaintenance;
}

/** Queries that wait until the log has every line of committed charges. */
export const LINE_QUERIES: Required<SomeOf<Omit<LogQueries, "health">>> = {
  logs: "all",
  usage: "all",
  profit: "all",
  receipts: "all",
  pricedLines: "all",
};
