/** A relay in front of the fast upstream, or the upstream itself. */
export interface Target {
  name: string;
  port: number;
  /** The processes whose CPU and memory count. */
  pids: number[];
  /** What its clients send along. */
  headers: Record<string, string>;
  stop(): Promise<void>;
}

/** How a target is started. */
export interface TargetSettings {
  /** Base address of the upstream, without a slash at the end. */
  upstreamUrl: string;
  /** Where it stays; undefined for anywhere. */
  core: number | undefined;
  /** Variables that its process needs besides its own. */
  env?: Record<string, string>;
  /** The Node that runs the product, when it is not the one of the bench. */
  node?: string;
}
