export interface TransportSettings {
  connectTimeoutMs: number;
  /** Maximum time until an upstream's answer starts. */
  firstByteTimeoutMs: number;
  /** Maximum silence of an upstream in the middle of its answer. */
  idleTimeoutMs: number;
}
