/** A relay in front of the fast upstream, or the upstream itself. */
export interface Target {
  name: string;
  port: number;
  /** Processes whose CPU time and memory count. */
  pids: number[];
  /** Headers sent by its clients. */
  headers: Record<string, string>;
  stop(): Promise<void>;
}

export interface TargetSettings {
  /** Base address of the upstream, without a slash at the end. */
  upstreamUrl: string;
  /** The core to pin it to; undefined for any. */
  core: number | undefined;
  /** Variables that its process needs besides its own. */
  env?: Record<string, string>;
  /** The Node that runs the product, when it is not the one of the bench. */
  node?: string;
}
