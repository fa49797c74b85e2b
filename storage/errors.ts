/** A write that storage refuses because it would break a rule of the data. */
export type ConflictKind =
  | "username-taken"
  | "email-taken"
  | "identity-taken"
  /** The last account elsewhere by which a user can sign in. */
  | "last-identity"
  | "provider-slug-taken"
  | "not-found"
  | "redemption-unknown"
  | "redemption-used"
  | "redemption-disabled"
  | "redemption-expired"
  | "redemption-used-before"
  | "commission-short"
  | "balance-too-large"
  /** A movement of the same cause and reference was booked before. */
  | "booked-before"
  /** Root alone decides about the money of administrators (contract/values/favour.ts). */
  | "favour-refused"
  /** A promotion that a new order would use is over or used up. */
  | "promotion-over"
  | "promotion-code-taken"
  | "promotions-too-many"
  | "plan-unaffordable"
  | "plan-often-enough"
  | "plan-followed"
  | "price-draft-changed"
  | "prices-changed";

export class StorageConflict extends Error {
  override readonly name = "StorageConflict";
  constructor(readonly kind: ConflictKind) {
    super(kind);
  }
}

/** Charges that break a rule of the data: they would be refused again, however often they are sent. */
export class ChargesRefused extends Error {
  override readonly name = "ChargesRefused";
}

/** Whose use of quota is looked at. */
export type UsingRecord = "user" | "key" | "channel";

/**
 * A fault of the product's data: found by an examination, by the start or by a backup. Its sentence is in
 * server/locales/data-faults.json; the other fields are the values that the sentence names.
 */
export type DataFault =
  /** Files that cannot be opened. */
  | { code: "file-missing"; path: string }
  | { code: "file-unopenable"; path: string; reason: string }
  | { code: "file-unreadable"; path: string }
  | { code: "file-damaged"; path: string; reason: string }
  | { code: "file-damaged-throughout"; path: string; reason: string }
  | { code: "main-file-missing"; path: string }
  | { code: "folder-in-use"; folder: string }
  | { code: "data-damaged"; reason: string }
  /** A folder whose data was taken to a database, is being brought there, or was not taken to the one that is named. */
  | { code: "folder-moved"; folder: string; host: string; database: string }
  | { code: "folder-incomplete"; folder: string }
  | { code: "folder-not-moved"; folder: string }
  | { code: "folder-not-empty"; folder: string }
  | { code: "schema-newer"; migration: string }
  | { code: "schema-too-old" }
  | { code: "schema-other" }
  | { code: "other-master-key" }
  | { code: "secret-sealed-otherwise" }
  /** Some secrets are sealed under a new master key already; the new one that was named is another one. */
  | { code: "key-rotation-unfinished" }
  | { code: "key-rotation-other" }
  /** The charge journal and the outbox. */
  | { code: "journal-cut"; file: string; at: number }
  | { code: "journal-damaged"; file: string; from: number; to: number; bytes: number }
  | { code: "journal-batch-twice"; batch: number }
  | { code: "journal-batch-missing"; batch: number }
  | { code: "journal-batches-missing"; from: number; to: number; count: number }
  | { code: "journal-batches-uncertain"; after: number }
  | { code: "journal-complete" }
  | { code: "journal-batch-unknown"; batch: number }
  | { code: "journal-batch-unfinished" }
  | { code: "journal-set-aside"; path: string }
  | { code: "journal-without-room" }
  | { code: "outbox-lacks-charges" }
  | { code: "outbox-row-unreadable"; row: number }
  /** Balances. */
  | { code: "user-below-zero"; user: number; username: string; balance: number }
  | {
      code: "user-balance";
      user: number;
      username: string;
      balance: number;
      granted: number;
      used: number;
      due: number;
    }
  /** The granted quota differs from the ledger's entries. */
  | { code: "user-ledger"; user: number; username: string; granted: number; entered: number }
  | { code: "key-ledger"; key: number; name: string; user: number; granted: number; entered: number }
  | { code: "commission-ledger"; user: number; account: string; balance: number; entered: number }
  | { code: "ledger-below-zero"; user: number; account: string; balance: number }
  /** A plan period's grant, or the quota taken back of it, differs from the ledger's entries. */
  | {
      code: "plan-ledger";
      subscription: number;
      period: number;
      user: number;
      granted: number;
      taken: number;
      entered: number;
      back: number;
    }
  | { code: "plan-parked"; user: number; parked: number; entered: number }
  /** The ledger itself: a movement that was booked twice, one half of a transfer, an entry whose row is gone, one without an explanation. */
  | { code: "entry-twice"; cause: string; reference: string; account: string; times: number }
  | { code: "transfer-uneven"; user: number; cause: string; sum: number }
  | {
      code: "entry-of-nothing";
      entry: number;
      user: number;
      cause: string;
      reference: string;
      amount: number;
    }
  /** A refunded request without its entry, or with more than its charge. */
  | {
      code: "request-refund";
      request: string;
      user: number;
      charged: number;
      quota: number;
      key_quota: number;
      plan_quota: number;
      entered: number;
    }
  /** Refunds that a channel counts, and those of its requests. */
  | { code: "channel-refunds"; channel: number; name: string; refunded: number; entered: number }
  /** Limits of a plan, a subscription or a subscriber that are no limits. */
  | { code: "plan-limits"; kind: string; id: number; limits: string }
  | { code: "movement-unexplained"; entry: number; user: number; account: string; amount: number }
  /** Orders, by their numbers, and refunds. Amounts of money are minor units. */
  | { code: "order-given"; order: string; user: number; state: string; quota: number; entered: number }
  | {
      code: "order-state";
      order: string;
      user: number;
      state: string;
      amount: number;
      refunded: number;
      disputed: number;
      quota: number;
      taken: number;
    }
  | {
      code: "order-back";
      order: string;
      user: number;
      refunded: number;
      disputed: number;
      sent: number;
      claimed: number;
    }
  | { code: "order-taken"; order: string; user: number; taken: number; entered: number }
  | {
      code: "refund-ledger";
      order: string;
      user: number;
      refund: number;
      taken: number;
      missing: number;
      quota: number;
      entered: number;
    }
  | { code: "order-plan"; order: string; user: number }
  | { code: "order-terms"; order: string; user: number; quota: number; began: number }
  | { code: "order-subscription"; order: string; user: number; named: number; began: number }
  | {
      code: "promotion-uses";
      promotion: number;
      used_count: number;
      used_total: number;
      uses: number;
      total: number;
    }
  | { code: "promotion-orders"; use: number; promotion: number; order: string; used: string; state: string }
  | { code: "order-plan-back"; order: string; user: number; back: number; entered: number }
  | {
      code: "invoice-orders";
      invoice: number;
      user: number;
      state: string;
      amount: number;
      parts: number;
      paid: number;
    }
  /** Plans. */
  | {
      code: "plan-price";
      subscription: number;
      user: number;
      source: string;
      price: number;
      entered: number;
    }
  | { code: "plan-without-period"; subscription: number; user: number }
  | { code: "plan-followed-twice"; subscription: number; times: number }
  | { code: "plan-open-twice"; subscription: number; times: number }
  | {
      code: "plan-period-sum";
      subscription: number;
      period: number;
      user: number;
      granted: number;
      spent: number;
      unspent: number;
      withdrawn: number;
      taken: number;
    }
  | {
      code: "plan-quota";
      subscription: number;
      period: number;
      user: number;
      granted: number;
      quota: number;
    }
  /** Commissions; the user is who earns them. */
  | {
      code: "commission-share";
      order: string;
      user: number;
      base: number;
      amount: number;
      taken_back: number;
      missing: number;
      entered: number;
    }
  | { code: "commission-back"; user: number; taken: number; entered: number }
  | { code: "payout-aside"; user: number; payout: number; asked: number }
  | { code: "payout-ledger"; payout: number; user: number; amount: number; state: string }
  | { code: "user-use"; user: number; username: string; used: number; logged: number }
  | { code: "user-use-before-log"; user: number }
  | { code: "key-below-zero"; key: number; name: string; user: number; balance: number }
  | {
      code: "key-balance";
      key: number;
      name: string;
      user: number;
      balance: number;
      granted: number;
      taken: number;
      due: number;
    }
  | { code: "key-overtaken"; key: number; name: string; user: number }
  | {
      code: "key-use";
      key: number;
      name: string;
      user: number;
      used: number;
      taken: number;
      untaken: number;
      due: number;
    }
  | {
      code: "logged-use";
      record: UsingRecord;
      id: number;
      column: string;
      stored: number;
      logged: number;
    }
  /** Leases, and the nodes that have them. */
  | { code: "lease-below-zero"; record: UsingRecord; id: number; epoch: number; leased: number }
  | { code: "node-not-ended"; epoch: number; seconds: number }
  /** The log and its sums. `hour` and `block` begin in UTC; `keys`: which row, column by column. */
  | { code: "hour-sums"; hour: string; column: string; whole: number; table: string; sum: number }
  | { code: "block-sums"; hour: string; block: string; whole: number; table: string; sum: number }
  | { code: "hour-lines"; hour: string; lines: number; counted: number }
  | { code: "hour-cost"; hour: string; cost: number; summed: number }
  | { code: "table-sums"; table: string; keys: string }
  | { code: "line-sums"; keys: string }
  | { code: "text-hours"; keys: string }
  | { code: "charge-unlike-log"; request: string; charged: number; logged: number }
  | { code: "request-repeated"; request: string; times: number }
  | { code: "line-without-receipt"; line: number }
  | { code: "line-unlike-receipt"; line: number }
  | { code: "line-of-another-user"; line: number }
  | { code: "line-without-names"; line: number }
  /** Records that belong to each other. */
  | { code: "key-of-another-user"; user: number; key: number }
  | { code: "row-of-nobody"; table: string; parent: string }
  | { code: "redemption-use"; redemption: number }
  | { code: "redemption-ledger"; redemption: number; used: number; times: number }
  | { code: "redemption-unbooked"; redemption: number; user: number; quota: number }
  /** Ids of a table would be given a second time. */
  | { code: "sequence-behind"; table: string; highest: number; next: number }
  /** Number of faults of one kind that are not listed. */
  | { code: "more-faults"; kind: string; count: number };

/** The data cannot be worked with as it is; or one thing that is wrong with it, on its way to the log. */
export class DataRefused extends Error {
  override readonly name: string = "DataRefused";
  constructor(
    readonly fault: DataFault,
    options?: ErrorOptions,
  ) {
    super(JSON.stringify(fault), options);
  }
}

/** Reason why a database server cannot be used. Its sentence is at the edge. */
export type DatabaseFault =
  | { code: "database-address-invalid" }
  /** No server answers there, or none that takes connections. `reason`: the driver's or the server's own code for it. */
  | { code: "database-unreachable"; host: string; reason: string }
  | { code: "database-sign-in-refused"; host: string; user: string }
  | { code: "database-missing"; host: string; database: string }
  /** The server gives no more connections. */
  | { code: "database-full"; host: string }
  /** All connections that this process has are in use, and none became free in time. */
  | { code: "database-busy"; host: string }
  /** Another transaction kept a lock for too long. Nothing was changed. */
  | { code: "database-locked" }
  /** It follows another server, and takes no changes itself. */
  | { code: "database-read-only"; host: string; database: string }
  /** The address given for the copy is another database. */
  | { code: "database-not-a-copy"; host: string; database: string }
  /** Notifications are not heard at the address that is named for them: another database, or a pooler of transactions. */
  | { code: "database-listens-elsewhere"; host: string }
  /** The copy gives no answer; queries go to the database itself. */
  | { code: "database-copy-silent"; host: string; reason: string }
  /** The user may not make tables there. */
  | { code: "database-rights-missing"; database: string; user: string }
  | { code: "database-too-old"; found: string; needed: string }
  | { code: "database-not-utf8"; database: string; found: string }
  /** A newer version of the product has changed the schema. */
  | { code: "database-schema-newer"; database: string; migration: string }
  /** A version before the first migration of this one wrote the schema. */
  | { code: "database-schema-too-old"; database: string }
  /** Another client keeps a table locked that the upgrade changes: it waits, or has waited for too long. */
  | { code: "database-upgrade-waits"; database: string }
  | { code: "database-upgrade-locked"; database: string }
  | { code: "database-other-master-key"; database: string }
  /** Its data is being brought there, or was taken elsewhere; it has data of its own; nodes work with it. */
  | { code: "database-incomplete"; database: string }
  | { code: "database-left"; database: string }
  | { code: "database-not-empty"; database: string }
  | { code: "database-has-nodes"; database: string; nodes: number }
  /** Entries are still on their way to its log or its sums. */
  | { code: "database-unsettled"; database: string }
  /** Another command works with all of it. */
  | { code: "database-taken"; database: string };

/** A database server that cannot be worked with; its address is never told, because it may have a password in it. */
export class DatabaseRefused extends Error {
  override readonly name = "DatabaseRefused";
  constructor(
    readonly fault: DatabaseFault,
    options?: ErrorOptions,
  ) {
    super(JSON.stringify(fault), options);
  }
}
