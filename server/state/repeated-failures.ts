import type { RequestRecord } from "@tollgate/relay/ports";
import type { Charge } from "@tollgate/storage/accounts/charges";
import { failureOf, failureReceiptOf } from "./log-entry";

const MINUTE_SECONDS = 60;
/** Kinds of failures that are remembered, to count more of them; beyond it the oldest begin again. */
const MAX_KINDS = 10_000;
/** Failures that wait at most; more are lost, which costs no user anything. */
const MAX_WAITING = 1000;

/** A failure that is counted with others of its kind. */
interface Kind {
  requestId: string;
  firstAt: number;
  minute: number;
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

/**
 * Gathers requests that came to nothing until they are stored. The same failure of a key within a minute is one row with a
 * count: otherwise a key without balance fills the disk. Minutes are those of the clock, so that a row never reaches into
 * another hour of the sums.
 */
export class RepeatedFailures {
  private readonly kinds = new Map<string, Kind>();
  /** What waits to be stored, by the request id of its row. */
  private waiting = new Map<string, Charge>();

  /** How many rows wait to be stored. */
  get size(): number {
    return this.waiting.size;
  }

  /** @param createdAt unix seconds. */
  add(record: RequestRecord, createdAt: number): void {
    const charge = failureOf(record, createdAt);
    const { failure } = charge;
    if (!failure) return;
    const name = kindOf(charge);
    const minute = minuteOf(createdAt);
    const kind = this.kinds.get(name);
    if (kind?.minute === minute) {
      charge.requestId = kind.requestId;
      charge.failure = { ...failure, firstAt: kind.firstAt, isRepeat: true };
    } else {
      charge.receipt = failureReceiptOf(record);
      if (this.waiting.size < MAX_WAITING)
        this.remember(name, { requestId: charge.requestId, firstAt: createdAt, minute });
    }
    this.wait(charge);
  }

  /** Gives out what waits, except rows of the requests in `open`. */
  take(open: ReadonlySet<string> = NONE): Charge[] {
    const charges = [...this.waiting.values()].filter(({ requestId }) => !open.has(requestId));
    for (const { requestId } of charges) this.waiting.delete(requestId);
    return charges;
  }

  /** Puts back what could not be stored, before what came meanwhile. */
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

  private remember(name: string, kind: Kind): void {
    // Last again, however long it was known.
    this.kinds.delete(name);
    this.kinds.set(name, kind);
    if (this.kinds.size <= MAX_KINDS) return;
    const [oldest] = this.kinds.keys();
    if (oldest !== undefined) this.kinds.delete(oldest);
  }
}
