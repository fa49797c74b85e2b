import type { UpstreamError, UpstreamErrorKind } from "@tollgate/contract/relay/error";
import type { UpstreamFault } from "@tollgate/contract/relay/upstream-fault";
import type { TimeBounds } from "../routing/time-bounds";

/** Maximum time an upstream may send only keep-alive data. */
export interface QuietLimit {
  /** Milliseconds; undefined for no limit. */
  readonly quietMs?: number | undefined;
  now(): number;
}

export const NO_QUIET_LIMIT: QuietLimit = { now: () => 0 };

/** The attempt as its watch sees it. */
export interface WatchedAnswer {
  /** The answer waits for the client or for this process, or only its end mark is missing. */
  readonly isExcused: boolean;
  /** Called at most once. */
  onLate(error: UpstreamError, fault: UpstreamFault): void;
}

/**
 * A read is searched for content once this part of the gap has passed since the last one: the gap counts as over that much
 * later, never earlier.
 */
const STALE_SHARE = 1 / 8;
/** Interval of checks while the answer is excused. */
const EXCUSED_MS = 1000;

/**
 * Watches the time of one answer. Only content for the client counts, never keep-alives, roles or empty deltas. The time
 * of a slow client, and of this process, does not count.
 */
export class AnswerWatch {
  private timer: NodeJS.Timeout | undefined;
  private isOver = false;
  private hasHead = false;
  private hasDelivered = false;
  /** Monotonic, because a clock that is set must not end answers. */
  private sentAtMs = 0;
  private contentAtMs = 0;
  /** Since when only signs of life have come; milliseconds. */
  private quietSinceMs: number | undefined;

  constructor(
    private readonly answer: WatchedAnswer,
    private readonly limit: QuietLimit,
    private readonly bounds: TimeBounds | undefined,
  ) {}

  /** The request is being sent. */
  onSent(): void {
    if (!this.bounds || this.isOver) return;
    this.sentAtMs = performance.now();
    this.arm();
  }

  onHead(): void {
    this.hasHead = true;
  }

  /** Whether the next read should be searched for content, although it passes unparsed. */
  get wantsContent(): boolean {
    const gapMs = this.bounds?.gapMs;
    return gapMs !== undefined && performance.now() - this.contentAtMs > gapMs * STALE_SHARE;
  }

  /**
   * @param isQuiet the read had only signs of life. @param hasDelivered something was for the client, now or before.
   * @param isSearched the read was searched for content: otherwise empty deltas may have passed for it.
   */
  onRead(isQuiet: boolean | undefined, hasDelivered: boolean, isSearched: boolean): void {
    if (!isQuiet) {
      this.quietSinceMs = undefined;
      if (isSearched) this.contentAtMs = performance.now();
    }
    if (hasDelivered && !this.hasDelivered) {
      this.hasDelivered = true;
      if (this.bounds) {
        this.contentAtMs = performance.now();
        this.arm();
      }
    }
    if (isQuiet) this.boundQuiet();
  }

  /** The client reads again: the time without reading does not count. */
  onResume(): void {
    this.quietSinceMs = undefined;
    if (this.bounds) this.contentAtMs = performance.now();
  }

  stop(): void {
    this.isOver = true;
    clearTimeout(this.timer);
  }

  /** Abandons an upstream that sends only keep-alive data like a silent one, but later. */
  private boundQuiet(): void {
    const { quietMs } = this.limit;
    const own = this.hasDelivered ? this.bounds?.gapMs : this.bounds?.firstMs;
    if (quietMs === undefined || own !== undefined || this.isOver) return;
    const nowMs = this.limit.now();
    this.quietSinceMs ??= nowMs;
    if (nowMs - this.quietSinceMs >= quietMs) this.end("network", { code: "only-keep-alives" });
  }

  private end(kind: UpstreamErrorKind, fault: UpstreamFault): void {
    this.stop();
    this.answer.onLate({ kind, status: 0, message: "", code: "timeout", fault }, fault);
  }

  private arm(): void {
    clearTimeout(this.timer);
    const dueMs = this.dueInMs();
    if (dueMs === undefined || this.isOver) return;
    const waitMs = this.answer.isExcused ? Math.max(dueMs, EXCUSED_MS) : Math.max(dueMs, 0);
    // Data that arrived while this process was busy is read before the answer counts as late.
    this.timer = setTimeout(() => setImmediate(() => this.check()), Math.ceil(waitMs)).unref();
  }

  /** Time left until the next bound; undefined when none applies any more. */
  private dueInMs(): number | undefined {
    const { bounds } = this;
    if (!bounds) return undefined;
    const nowMs = performance.now();
    if (this.hasDelivered) {
      if (bounds.gapMs === undefined) return undefined;
      return this.contentAtMs + bounds.gapMs * (1 + STALE_SHARE) - nowMs;
    }
    const headersMs = this.hasHead ? undefined : bounds.headersMs;
    const allowedMs = Math.min(headersMs ?? Infinity, bounds.firstMs ?? Infinity);
    return allowedMs === Infinity ? undefined : this.sentAtMs + allowedMs - nowMs;
  }

  private check(): void {
    if (this.isOver) return;
    const dueMs = this.dueInMs();
    if (dueMs === undefined) return;
    if (dueMs > 0 || this.answer.isExcused) this.arm();
    else this.endLate();
  }

  private endLate(): void {
    const { isStream = false, headersMs = 0, firstMs = 0, gapMs = 0 } = this.bounds ?? {};
    if (this.hasDelivered) this.end("late-token", { code: "token-late", seconds: gapMs / 1000 });
    else if (!isStream) this.end("late-answer", { code: "answer-late", seconds: firstMs / 1000 });
    else if (!this.hasHead && headersMs > 0)
      this.end("late-answer", { code: "headers-late", seconds: headersMs / 1000 });
    else this.end("late-first-token", { code: "first-token-late", seconds: firstMs / 1000 });
  }
}
