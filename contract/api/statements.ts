import * as z from "zod/mini";
import { endpoint } from "../resource/endpoint";
import { FORMAT_PARAMETER } from "../resource/file-parameters";
import { optional, plain } from "../resource/resource";

/*
 * A user's statement of one month: opening balance, movements, cost of requests, closing balance. Beyond the contract.
 */

const movedSchema = z.object({
  cause: z.string(),
  /** How many entries of the ledger it is. */
  entries: z.int(),
  quota: z.int(),
});

const usedSchema = z.object({
  /** The model, or the number of the API key. */
  key: z.string(),
  name: z.string(),
  requests: z.int(),
  quota: z.int(),
});

const statementSchema = z.object({
  user_id: z.int(),
  username: z.string(),
  /** The user's default invoice title; absent without one, and where the site offers no invoices. */
  title: z.optional(z.object({ name: z.string(), tax_number: z.string() })),
  /** YYYY-MM. */
  month: z.string(),
  /** Of the clock by which the month begins, from UTC. */
  offset_minutes: z.int(),
  /** Unix seconds: the first hour of the month, or of its known part. */
  from: z.int(),
  /** Unix seconds, excluded. */
  end: z.int(),
  /**
   * Balance at the start, and at the end; null when the whole month is unknown, because it ended before the ledger
   * began.
   */
  opening: z.nullable(z.int()),
  closing: z.nullable(z.int()),
  /** Whether the ledger began within the month: the balance before it is brought forward in `opening`. */
  is_partial: z.boolean(),
  /** Movements of the balance other than charges, by cause. */
  movements: z.array(movedSchema),
  /** Charges in all; the sums by model and by key are the same. */
  charged: z.int(),
  models: z.array(usedSchema),
  tokens: z.array(usedSchema),
  /**
   * The currency and rate of the month's last day, or of today while the month runs; absent on a site that shows US
   * dollars alone.
   */
  display_currency: z.optional(z.string()),
  display_symbol: z.optional(z.string()),
  display_rate: z.optional(z.number()),
});
export type StatementWire = z.infer<typeof statementSchema>;

/** All amounts of a statement but that of the charges' sign, for the decimals of its column. */
export const statementQuotas = ({
  opening,
  closing,
  charged,
  movements,
  models,
  tokens,
}: StatementWire): number[] => [
  opening ?? 0,
  closing ?? 0,
  charged,
  ...[...movements, ...models, ...tokens].map(({ quota }) => quota),
];

export const STATEMENT_PARAMETERS = {
  month: "YYYY-MM.",
  offset_minutes: "The clock's offset from UTC at the beginning of the month.",
  end_offset_minutes: "The offset at the end of the month; default: `offset_minutes`.",
} as const;

/** The formats of a statement's file: as of all files, and a document. */
export const STATEMENT_FILE_PARAMETERS = {
  ...FORMAT_PARAMETER,
  format:
    "`csv` (RFC 4180 with a byte order mark; a text that a spreadsheet would take for a formula begins with a '), `jsonl`, one JSON object per line, or `pdf`, a document to print.",
  language: "The language of a PDF (`zh-CN`, `zh-TW` or `en`); default: that of Accept-Language.",
} as const;

/** Whose statement an administrator asks for. */
export const ALL_STATEMENTS_PARAMETERS = {
  username: "The user's name; without name and id one's own statement.",
  user_id: "The user's id.",
} as const;

export const getStatement = endpoint({
  method: "GET",
  path: "/api/statement",
  guard: "admin",
  area: "balances",
  summary:
    "A user's statement of a month: the balance at its beginning, the movements and charges, and the balance at its end",
  query: { ...STATEMENT_PARAMETERS, ...ALL_STATEMENTS_PARAMETERS },
  data: optional(plain(statementSchema)),
  reads: "statements",
});

export const getOwnStatement = endpoint({
  method: "GET",
  path: "/api/statement/self",
  guard: "user",
  summary: "One's own statement of a month",
  query: STATEMENT_PARAMETERS,
  data: optional(plain(statementSchema)),
  reads: "statements",
});

export const exportStatement = endpoint({
  method: "GET",
  path: "/api/statement/export",
  guard: "admin",
  area: "balances",
  summary: "A user's statement of a month, as a file",
  query: { ...STATEMENT_FILE_PARAMETERS, ...STATEMENT_PARAMETERS, ...ALL_STATEMENTS_PARAMETERS },
  isFile: true,
});

export const exportOwnStatement = endpoint({
  method: "GET",
  path: "/api/statement/self/export",
  guard: "user",
  summary: "One's own statement of a month, as a file",
  query: { ...STATEMENT_FILE_PARAMETERS, ...STATEMENT_PARAMETERS },
  isFile: true,
});
