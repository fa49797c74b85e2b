import * as z from "zod/mini";
import { endpoint, REQUEST_ID_PARAMETER } from "../resource/endpoint";
import { tolerant } from "../resource/tolerant";

/*
 * What the gateway made of a stored request before it sent it to its upstream. Not part of the one-api contract. The
 * body for the upstream is not stored: it is made again, with the settings of today.
 */

/** Why there is nothing to compare. */
export const UNTRANSLATED_REASONS = [
  /** The request is no chat, or no text. */
  "no-chat",
  /** Only the beginning of the request is stored. */
  "cut",
  /** Its address is not stored: it is from before addresses were. */
  "no-address",
  /** No channel was asked, or it is gone or without a usable key. */
  "no-channel",
  /** With the settings of today it would be refused. */
  "refused",
  /** It has too many fields. */
  "too-large",
] as const;
export type UntranslatedReason = (typeof UNTRANSLATED_REASONS)[number];

/** How a field differs: `moved` has the same value under another name or in another place. */
export const FIELD_CHANGES = ["removed", "changed", "moved", "added"] as const;

const rowSchema = z.object({
  kind: z.string(),
  /**
   * The field in the client's body, `messages[0].content`, and the one in the upstream's body; the first is absent for an
   * added field, the second for a removed one, and always in the owner's version.
   */
  from: z.optional(z.string()),
  to: z.optional(z.string()),
  /** Its value before and after, cut. The owner's version has none from the upstream's side. */
  before: z.optional(z.string()),
  after: z.optional(z.string()),
  /** How many fields differ in this way: those of the same place in a list's items are one row. */
  count: z.int(),
});
export type TranslationRow = z.infer<typeof rowSchema>;

const translationSchema = z.object({
  request_id: z.string(),
  /** Present where there is nothing to compare; one of UNTRANSLATED_REASONS. */
  reason: z.optional(z.string()),
  rows: z.array(rowSchema),
  /** How many rows there would be without the limit. */
  row_count: z.int(),
});
export type Translation = z.infer<typeof translationSchema>;

const translation = tolerant(translationSchema);

export const getTranslation = endpoint({
  method: "GET",
  path: "/api/log/translation",
  guard: "root",
  summary:
    "What the translation changed in the stored request of request_id, made again with today's settings; the audit log records who read another user's",
  query: REQUEST_ID_PARAMETER,
  changesState: true,
  data: translation,
  reads: "receipts",
});

export const getOwnTranslation = endpoint({
  method: "GET",
  path: "/api/log/self/translation",
  guard: "user",
  summary:
    "What became of the fields of one's own stored request of request_id, without those that the site adds and without the upstream's names",
  query: REQUEST_ID_PARAMETER,
  data: translation,
  reads: "receipts",
});
