export const MINUTE_MS = 60_000;

/** Usage of one key, user, group or channel in the current minute of the clock. */
export class MinuteMeter {
  /** Running requests. */
  active = 0;
  private startMs = 0;
  private requestCount = 0;
  private tokenCount = 0;

  /** @param nowMs milliseconds since the epoch. */
  requests(nowMs: number): number {
    this.turn(nowMs);
    return this.requestCount;
  }

  tokens(nowMs: number): number {
    this.turn(nowMs);
    return this.tokenCount;
  }

  /** Whether it can be removed: it has no running requests and no counts in this minute, like a new meter. */
  isIdle(nowMs: number): boolean {
    this.turn(nowMs);
    return this.active === 0 && this.requestCount === 0 && this.tokenCount === 0;
  }

  /** A request starts. @param tokens an estimate of its prompt. @returns the minute in which it was counted. */
  enter(tokens: number, nowMs: number): number {
    this.turn(nowMs);
    this.active += 1;
    this.requestCount += 1;
    this.tokenCount += tokens;
    return this.startMs;
  }

  /**
   * A request has ended.
   * @param tokens the part of the estimate to remove: all of it when `add` counts the real usage.
   * @param startMs the result of `enter`. @param requests 1 if the request itself must not count.
   */
  leave(tokens: number, startMs: number, nowMs: number, requests = 0): void {
    this.turn(nowMs);
    this.active -= 1;
    if (this.startMs !== startMs) return;
    this.tokenCount = Math.max(0, this.tokenCount - tokens);
    this.requestCount = Math.max(0, this.requestCount - requests);
  }

  /** Tokens were used. */
  add(tokens: number, nowMs: number): void {
    this.turn(nowMs);
    this.tokenCount += tokens;
  }

  /** Sets this minute's counts, as known from another source. */
  set(requests: number, tokens: number, nowMs: number): void {
    this.turn(nowMs);
    this.requestCount = requests;
    this.tokenCount = tokens;
  }

  private turn(nowMs: number): void {
    const startMs = nowMs - (nowMs % MINUTE_MS);
    if (startMs === this.startMs) return;
    const isBack = startMs < this.startMs;
    this.startMs = startMs;
    // A clock that is set back must not make a minute's room once more.
    if (isBack) return;
    this.requestCount = 0;
    this.tokenCount = 0;
  }
}
