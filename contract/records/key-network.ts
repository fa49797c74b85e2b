/* Networks from which API keys are used (docs/guides/notices.md#unusual-spending). */

/** Requests of a key from a network since the last report of this node. */
export interface KeyNetwork {
  readonly keyId: number;
  /** In clear; storage keeps only a keyed hash of it and the key's number. */
  readonly network: string;
  readonly requests: number;
}

/** Use of a key, in an hour, from networks from which it was not used before. */
export interface NewNetworkUse {
  readonly keyId: number;
  readonly networks: number;
  readonly requests: number;
}
