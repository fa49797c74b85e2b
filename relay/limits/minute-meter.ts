export const MINUTE_MS = 60_000;

/** What one key, user, group or channel uses in the minute of the clock that is running. */
export class MinuteMeter {
  /** Requests under way. */
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

  /** Whether nothing is under way and nothing was counted in this minute: a new meter would say the same. */
  isIdle(nowMs: number): boolean {
    this.turn(nowMs);
    return this.active === 0 && this.requestCount === 0 && this.tokenCount === 0;
  }

  /** A request begins. @param tokens an estimate of its prompt. @returns the minute to which they were counted. */
  enter(tokens: number, nowMs: number): number {
    this.turn(nowMs);
    this.active += 1;
    this.requestCount += 1;
    this.tokenCount += tokens;
    return this.startMs;
  }

  /**
   * A request has ended.
   * @param tokens what is taken back of the estimate: all of it makes room for what `add` counts.
   * @param startMs what `enter` returned. @param requests 1 where the request itself is not to count.
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

  /** What is known from elsewhere to have been counted in this minute. */
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
