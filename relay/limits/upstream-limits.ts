import type { UpstreamTarget } from "../ports/directory";
import type { RateAnswer, RateFault, RateSubject, Rates, RateUse } from "./rates";
import { untilNextMinuteMs, waitSeconds } from "./waiting";

/** Maximum time before a full limit is checked again, because limits and shares of them may change. */
const ASK_AGAIN_MS = 1000;
/** The same when other nodes use it as well, because they do not announce the end of their requests. */
const ASK_OTHERS_AGAIN_MS = 50;
/** Far more than are full at once. */
const MAX_MARKS = 10_000;

/** A limit found full, which is not checked again for a moment. */
interface Mark {
  readonly subject: RateSubject;
  readonly fault: RateFault;
  /** A request for fewer tokens may find room. */
  readonly tokens: number;
  readonly untilMs: number;
  /** Time at which there may be room, if known. */
  readonly freeAtMs: number;
}

const nameOf = ({ scope, id }: RateSubject): string => `${scope} ${id}`;

/** A request's slot at an upstream key, from before it is sent until its answer is over. Ended exactly once. */
export class UpstreamSlot {
  private isOpen = true;
  private isSent = false;

  /** @param free gives it back. @param add counts tokens that were used. */
  constructor(
    private readonly free: (kind: "counted" | "uncounted" | "unsent") => void,
    private readonly add: (tokens: number) => void,
  ) {}

  /** The request is sent: from now on it counts in its minute, whatever its outcome. */
  send(): void {
    this.isSent = true;
  }

  /** The answer is over; its used tokens replace the estimate. */
  used(tokens: number): void {
    if (!this.isOpen) return;
    this.isOpen = false;
    this.add(tokens);
    this.free("counted");
  }

  /** Ends the slot without known usage: if the request was sent, its estimate stays. Does nothing after the end. */
  end(): void {
    if (!this.isOpen) return;
    this.isOpen = false;
    this.free(this.isSent ? "uncounted" : "unsent");
  }
}

/**
 * Limits of channels and of their keys: requests and tokens per minute, and concurrent requests. They are counted
 * together with the limits of users (`Rates`): in the memory of one process, or by all nodes together. A target without
 * limits is never checked.
 */
export class UpstreamLimits {
  private readonly marks = new Map<string, Mark>();
  /** Open slots of this process, by the id of their channel. */
  readonly inUse = new Map<number, number>();

  /** @param now milliseconds since the epoch. */
  constructor(
    private readonly rates: Rates,
    private readonly now: () => number,
    /** Called whenever a slot was released. */
    private readonly onFree: () => void,
  ) {}

  /** Whether its limits can ever admit a request with this many tokens: a minute's limit may be lower. */
  isEverFree({ limited }: UpstreamTarget, tokens: number): boolean {
    return limited?.every(({ limits: { tpm } }) => tpm === undefined || tokens <= tpm) ?? true;
  }

  /** Whether it was full a moment ago for this many tokens, and no request has ended since. */
  isFull(entry: UpstreamTarget, tokens: number): boolean {
    if (entry.limited === undefined || this.marks.size === 0) return false;
    const nowMs = this.now();
    return entry.limited.some((subject) => {
      const mark = this.markOf(subject, nowMs);
      return mark !== undefined && tokens >= mark.tokens;
    });
  }

  /**
   * Takes a slot at a limited key.
   * @param subjects its limits. @param tokens an estimate of the prompt.
   * @returns undefined when no slot is free now; a promise only when several nodes count together.
   */
  enter(
    { channel: { id } }: UpstreamTarget,
    subjects: readonly RateSubject[],
    tokens: number,
  ): UpstreamSlot | undefined | Promise<UpstreamSlot | undefined> {
    const answer = this.rates.enter(subjects, tokens);
    if (!("then" in answer)) return this.slotOf(answer, id, subjects, tokens, ASK_AGAIN_MS);
    return answer.then((said) => this.slotOf(said, id, subjects, tokens, ASK_OTHERS_AGAIN_MS));
  }

  /** Whole seconds until one of them may have room, if known. */
  waitSeconds(entries: readonly UpstreamTarget[]): number {
    const nowMs = this.now();
    let soonestMs = Number.POSITIVE_INFINITY;
    for (const { limited } of entries) {
      let ofEntry = 0;
      for (const subject of limited ?? []) {
        const mark = this.marks.get(nameOf(subject));
        if (mark) ofEntry = Math.max(ofEntry, mark.freeAtMs - nowMs);
      }
      if (ofEntry > 0) soonestMs = Math.min(soonestMs, ofEntry);
    }
    return waitSeconds(Number.isFinite(soonestMs) ? soonestMs : 0);
  }

  /** Current usage of the limits: on all nodes when these count together, else on this one. */
  look(subjects: readonly RateSubject[]): readonly RateUse[] | Promise<readonly RateUse[]> {
    return this.rates.look(subjects);
  }

  private markOf(subject: RateSubject, nowMs: number): Mark | undefined {
    const mark = this.marks.get(nameOf(subject));
    // Another subject of that name has other limits: they were changed.
    return mark && mark.subject === subject && nowMs < mark.untilMs ? mark : undefined;
  }

  private slotOf(
    { nowMs: countedMs, outcome }: RateAnswer,
    channelId: number,
    subjects: readonly RateSubject[],
    tokens: number,
    askAgainMs: number,
  ): UpstreamSlot | undefined {
    if (!("leave" in outcome)) {
      const subject = subjects[outcome.refusedBy];
      if (subject && outcome.fault) this.mark(subject, outcome.fault, tokens, countedMs, askAgainMs);
      return undefined;
    }
    const { leave } = outcome;
    this.count(channelId, 1);
    return new UpstreamSlot(
      (kind) => {
        leave(kind);
        this.count(channelId, -1);
        for (const subject of subjects) this.marks.delete(nameOf(subject));
        this.onFree();
      },
      (used) => {
        for (const { scope, id } of subjects) this.rates.add(scope, id, used);
      },
    );
  }

  private count(channelId: number, change: 1 | -1): void {
    const open = (this.inUse.get(channelId) ?? 0) + change;
    if (open > 0) this.inUse.set(channelId, open);
    else this.inUse.delete(channelId);
  }

  private mark(
    subject: RateSubject,
    fault: RateFault,
    tokens: number,
    countedMs: number,
    askAgainMs: number,
  ): void {
    const nowMs = this.now();
    const minuteMs = untilNextMinuteMs(countedMs);
    const isConcurrency = fault === "concurrency-limited";
    const freeAtMs = nowMs + (isConcurrency ? 1000 : minuteMs);
    // Only concurrent requests on other nodes end unnoticed; a minute lasts, but its limits may change.
    const keptMs = isConcurrency ? askAgainMs : Math.min(minuteMs, ASK_AGAIN_MS);
    if (this.marks.size >= MAX_MARKS) this.marks.clear();
    this.marks.set(nameOf(subject), {
      subject,
      fault,
      tokens: fault === "tokens-limited" ? tokens : 0,
      untilMs: nowMs + keptMs,
      freeAtMs,
    });
  }
}
