export interface TransportSettings {
  connectTimeoutMs: number;
  /** How long an upstream may take until its answer begins. */
  firstByteTimeoutMs: number;
  /** How long an upstream may be silent in the middle of its answer. */
  idleTimeoutMs: number;
}
