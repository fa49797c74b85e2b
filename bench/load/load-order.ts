/** One measurement for the load generator to make. */
export interface LoadOrder {
  port: number;
  path: string;
  headers: Record<string, string>;
  body: string;
  connections: number;
  /** After this nothing new is sent; what is under way is waited for. */
  durationMs: number;
  /**
   * Requests that become due in a second, whatever happened to the ones before; one that finds no connection free waits,
   * and its wait counts. Undefined for a closed loop: each connection sends its next request when its answer is complete.
   */
  perSecond?: number;
  /** Of a closed loop: the most that each connection sends. */
  requestsPerConnection?: number;
}

export interface LoadResult {
  requests: number;
  /** Answers that were not 200, and broken connections. */
  failed: number;
  /** The first of them, for the reader. */
  failure: string | undefined;
  p50Ms: number;
  p99Ms: number;
  /** From the first request to the last answer. */
  elapsedMs: number;
}
