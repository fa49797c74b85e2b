/** One measurement for the load generator to make. */
export interface LoadOrder {
  port: number;
  path: string;
  headers: Record<string, string>;
  body: string;
  connections: number;
  /** After this nothing new is sent; running requests are awaited. */
  durationMs: number;
  /**
   * Requests that become due in a second, independent of earlier ones; one without a free connection waits, and its
   * wait counts. Undefined for a closed loop: each connection sends its next request when its answer is complete.
   */
  perSecond?: number;
  /** For a closed loop: maximum number of requests per connection. */
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
