/** A write that storage refuses because it would break a rule of the data. */
export type ConflictKind =
  | "username-taken"
  | "email-taken"
  | "identity-taken"
  | "not-found"
  | "redemption-unknown"
  | "redemption-used"
  | "redemption-disabled"
  | "balance-too-large";

export class StorageConflict extends Error {
  override readonly name = "StorageConflict";
  constructor(readonly kind: ConflictKind) {
    super(kind);
  }
}

/** Why a database server cannot be worked with. What is said of it stands at the edge. */
export type DatabaseFault =
  | { code: "database-address-invalid" }
  /** Nobody answers there, or nobody who takes connections. `reason`: the driver's or the server's own code for it. */
  | { code: "database-unreachable"; host: string; reason: string }
  | { code: "database-sign-in-refused"; host: string; user: string }
  | { code: "database-missing"; host: string; database: string }
  /** The user may not make tables there. */
  | { code: "database-rights-missing"; database: string; user: string }
  | { code: "database-too-old"; found: string; needed: string }
  | { code: "database-not-utf8"; database: string; found: string }
  /** A newer version of the product has changed the schema. */
  | { code: "database-schema-newer"; database: string; migration: string }
  | { code: "database-other-master-key"; database: string };

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
