/** Which fields beyond the necessary ones an answer's objects have. */
export type OptionalFields = "all" | "extra" | "missing";

/** Differences between servers of this contract. */
export interface Dialect {
  rowsPerPage: number;
  /** The `message` on success; undefined omits it. */
  successMessage: string | undefined;
  /** Values that may be null are null. */
  hasNulls: boolean;
  isEnglish: boolean;
  /** Under which name a log row's id travels; "absent" leaves it out. */
  logId: "id" | "id;index:idx_created_at_id" | "absent";
  optionalFields: OptionalFields;
  latencyMs: number;
  /** Whether the server has usage sums, receipts and nodes; otherwise these calls return 404. */
  hasUsage: boolean;
}

/** The dialect whose answers follow the contract's schemas exactly. */
export const PLAIN_DIALECT: Readonly<Dialect> = {
  rowsPerPage: 10,
  successMessage: "",
  hasNulls: false,
  isEnglish: false,
  logId: "id",
  optionalFields: "all",
  latencyMs: 0,
  hasUsage: true,
};
