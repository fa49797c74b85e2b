/** Which fields beyond the necessary ones an answer's objects have. */
export type OptionalFields = "all" | "extra" | "missing";

/** In what ways servers of this contract differ. */
export interface Dialect {
  rowsPerPage: number;
  /** What `message` is on success; undefined leaves it out. */
  successMessage: string | undefined;
  /** Values that may be null are null. */
  hasNulls: boolean;
  isEnglish: boolean;
  /** Under which name a log row's id travels; "absent" leaves it out. */
  logId: "id" | "id;index:idx_created_at_id" | "absent";
  optionalFields: OptionalFields;
  latencyMs: number;
  /** Whether the server knows sums over usage, receipts and nodes; one that does not answers these calls with 404. */
  hasUsage: boolean;
}

/** The dialect in which answers are what the contract's schemas say. */
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
