/** A write that storage refuses because it would break a rule of the data. */
export type ConflictKind = "username-taken" | "not-found" | "negative-balance";

export class StorageConflict extends Error {
  override readonly name = "StorageConflict";
  constructor(readonly kind: ConflictKind) {
    super(kind);
  }
}
