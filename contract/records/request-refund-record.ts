/* Refunds of charged requests (docs/money.md#refunds-of-requests). A request has at most one. */

export interface RequestRefund {
  readonly requestId: string;
  readonly userId: number;
  /** The charge. */
  readonly charged: number;
  /** The refunded part of the charge, which is now in the balance. */
  readonly quota: number;
  /** The part of `quota` that a key with a limit has back. */
  readonly keyQuota: number;
  /** The part of `quota` that belongs to plans again. */
  readonly planQuota: number;
  readonly actorId: number;
  /** As the administrator was called then. */
  readonly actorName: string;
  readonly reason: string;
  /** Unix seconds. */
  readonly createdAt: number;
}

/** A refund as an administrator requests it, with the facts of the charge. */
export interface NewRequestRefund extends Omit<RequestRefund, "keyQuota" | "planQuota"> {
  /** The names that the log has of the payer, the channel and the charged model. */
  readonly username: string;
  readonly keyId: number;
  readonly keyName: string;
  readonly channelId: number;
  readonly modelName: string;
  /** Maximum that the charge took from the key. */
  readonly mostOfKey: number;
  /** Whether the upstream's cost is known. It stays: the upstream has answered. */
  readonly hasCost: boolean;
  /** When the request was charged, unix seconds. */
  readonly chargedAt: number;
  /** Whether the log has lines of requests. */
  readonly isLogged: boolean;
}

/** "before": it was refunded before, and nothing moved. */
export interface RequestRefundOutcome {
  readonly kind: "refunded" | "before";
  readonly refund: RequestRefund;
}

/** Refunds of one model or key. */
export interface RefundedBy {
  /** The model's name, or the key's number. */
  readonly key: string;
  readonly quota: number;
}

/** Refunds of a user's requests in a range, by model and by key; both have the same total. */
export interface UserRefunds {
  /** Quota refunded before the range. */
  readonly before: number;
  readonly models: readonly RefundedBy[];
  readonly tokens: readonly RefundedBy[];
}
