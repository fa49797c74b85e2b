import type { RequestRecord } from "@tollgate/relay/ports/charges";
import type { Charge } from "@tollgate/storage/accounts/charges";
import { failureOf, failureReceiptOf } from "./log-entry";

const MINUTE_SECONDS = 60;
/** Kinds of failures that are remembered, to count more of them; beyond it the oldest begin again. */
const MAX_KINDS = 10_000;
/** Rows per user and minute, over all keys: further failures count with the first one of the same reason. */
const MAX_KINDS_OF_USER = 100;
/** Failures that wait at most; more are lost, which costs no user anything. */
const MAX_WAITING = 1000;

/** A failure that is counted with others of its kind. */
interface Kind {
  requestId: string;
  firstAt: number;
  /** The keys of its sums, so that they agree with its row. */
  subject: Pick<
    Charge,
    "tokenId" | "tokenName" | "modelName" | "channelId" | "count" | "isStream" | "replaced"
  >;
}

/** The failures of one user within the minute. */
interface OfUser {
  kinds: number;
  /** The first of each reason. */
  byReason: Map<string, Kind>;
}

const NONE: ReadonlySet<string> = new Set();

const minuteOf = (seconds: number): number => Math.floor(seconds / MINUTE_SECONDS);

/** Equal for the same failure of the same key. A model that is not offered has no name here: callers may invent any. */
const kindOf = ({
  tokenId,
  tokenName,
  modelName,
  channelId,
  count,
  isStream,
  failure,
  replaced,
}: Charge): string =>
  JSON.stringify([
    tokenId,
    tokenName,
    modelName,
    channelId,
    count,
    isStream,
    failure?.code,
    failure?.status,
    replaced?.map((fault) => [fault.modelName, fault.channelId]),
  ]);

/** The common part of many keys' failures. It includes model and channel, by which an upstream is judged. */
const reasonOf = ({ count, failure, modelName, channelId }: Charge): string =>
  JSON.stringify([failure?.code, count, modelName, channelId]);

/**
 * Gathers failed requests until they are stored. The same failure of a key within a minute is one row with a count:
 * otherwise a key without balance, or a user with many keys, would fill the disk. Minutes are those of the clock, so
 * that a row never reaches into another hour of the sums.
 */
export class RepeatedFailures {
  private minute = 0;
  /** Of this minute. */
  private readonly kinds = new Map<string, Kind>();
  private readonly ofUsers = new Map<number, OfUser>();
  /** Rows waiting to be stored, by request id. */
  private waiting = new Map<string, Charge>();

  /** Number of rows waiting to be stored. */
  get size(): number {
    return this.waiting.size;
  }

  /** @param createdAt unix seconds. */
  add(record: RequestRecord, createdAt: number): void {
    const charge = failureOf(record, createdAt);
    const { failure } = charge;
    if (!failure) return;
    this.begin(minuteOf(createdAt));
    // A rule of the site may tell clients of the same failure something else.
    const { rewrite } = record.told ?? {};
    const name = kindOf(charge) + (rewrite ? JSON.stringify(rewrite) : "");
    const kind = this.kinds.get(name) ?? this.standIn(charge);
    if (kind) {
      charge.requestId = kind.requestId;
      charge.failure = { ...failure, firstAt: kind.firstAt, isRepeat: true };
      Object.assign(charge, kind.subject);
    } else {
      charge.receipt = failureReceiptOf(record);
      if (this.waiting.size < MAX_WAITING) this.remember(name, charge, createdAt);
    }
    this.wait(charge);
  }

  /** Returns waiting rows, except those of the requests in `open`. */
  take(open: ReadonlySet<string> = NONE): Charge[] {
    const charges = [...this.waiting.values()].filter(({ requestId }) => !open.has(requestId));
    for (const { requestId } of charges) this.waiting.delete(requestId);
    return charges;
  }

  /** Puts back rows that could not be stored, before newer ones. */
  putBack(charges: readonly Charge[]): void {
    const since = this.take();
    for (const charge of charges) this.wait(charge);
    for (const charge of since) this.wait(charge);
  }

  private wait(charge: Charge): void {
    const before = this.waiting.get(charge.requestId);
    if (before?.failure && charge.failure) {
      before.failure.count += charge.failure.count;
      before.createdAt = Math.max(before.createdAt, charge.createdAt);
    } else if (this.waiting.size < MAX_WAITING) this.waiting.set(charge.requestId, charge);
  }

  /** Failures within another minute are another row. */
  private begin(minute: number): void {
    if (minute === this.minute) return;
    this.minute = minute;
    this.kinds.clear();
    this.ofUsers.clear();
  }

  /** The row of the same reason, where a user has too many rows. */
  private standIn(charge: Charge): Kind | undefined {
    const ofUser = this.ofUsers.get(charge.userId);
    return ofUser && ofUser.kinds >= MAX_KINDS_OF_USER ? ofUser.byReason.get(reasonOf(charge)) : undefined;
  }

  private remember(name: string, charge: Charge, firstAt: number): void {
    const { requestId, userId, tokenId, tokenName, modelName, channelId, count, isStream, replaced } = charge;
    const subject = { tokenId, tokenName, modelName, channelId, count, isStream, replaced };
    const kind: Kind = { requestId, firstAt, subject };
    const ofUser = this.ofUsers.get(userId) ?? { kinds: 0, byReason: new Map<string, Kind>() };
    this.ofUsers.set(userId, ofUser);
    ofUser.kinds += 1;
    const reason = reasonOf(charge);
    if (!ofUser.byReason.has(reason)) ofUser.byReason.set(reason, kind);
    this.kinds.set(name, kind);
    if (this.kinds.size <= MAX_KINDS) return;
    const [oldest] = this.kinds.keys();
    if (oldest !== undefined) this.kinds.delete(oldest);
  }
}
