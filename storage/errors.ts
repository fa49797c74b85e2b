/** A write that storage refuses because it would break a rule of the data. */
export type ConflictKind =
  | "username-taken"
  | "email-taken"
  | "github-taken"
  | "wechat-taken"
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
