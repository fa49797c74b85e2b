import type { Receipt } from "@tollgate/contract/api/receipts";
import { formatQuota } from "../../lib/format";
import { formatDuration } from "../../lib/format-measure";

const NAMES = [
  "model",
  "upstreamModel",
  "key",
  "group",
  "rule",
  "channel",
  "attempts",
  "kind",
  "end",
  "status",
  "duration",
  "firstByte",
  "prompt",
  "cacheRead",
  "cacheWrite",
  "completion",
  "reasoning",
  "charged",
  "priceVersion",
  "formula",
] as const;

/** A line of two receipts beside each other. */
export interface ComparedLine {
  name: (typeof NAMES)[number];
  values: readonly [string, string];
  isDifferent: boolean;
}

const NONE = "–";

const countOf = (tokens: number | undefined): string => tokens?.toLocaleString("en-US") ?? NONE;
const durationOf = (ms: number | undefined): string => (ms === undefined ? NONE : formatDuration(ms));

/** Words for what a receipt has as codes. */
export interface ReceiptWords {
  kindOf(isStream: boolean): string;
  endOf(end: string): string;
}

const valuesOf = (
  receipt: Receipt,
  { kindOf, endOf }: ReceiptWords,
): Record<ComparedLine["name"], string> => {
  const last = receipt.attempts.at(-1);
  return {
    model: receipt.alias === undefined ? receipt.model_name : `${receipt.alias} → ${receipt.model_name}`,
    upstreamModel: receipt.upstream_model || NONE,
    key: receipt.token_name || NONE,
    group: receipt.group ?? NONE,
    rule: receipt.rule?.name ?? NONE,
    channel: last && last.channel > 0 ? `#${last.channel} ${last.channel_name}` : NONE,
    attempts: String(receipt.attempts.length),
    kind: kindOf(receipt.is_stream),
    end: endOf(receipt.end),
    status: [receipt.status, receipt.code].filter(Boolean).join(" ") || NONE,
    duration: durationOf(receipt.duration_ms),
    firstByte: durationOf(receipt.first_byte_ms),
    prompt: countOf(receipt.prompt_tokens),
    cacheRead: countOf(receipt.cache_read_tokens),
    cacheWrite: countOf(receipt.cache_write_tokens),
    completion: countOf(receipt.completion_tokens),
    reasoning: countOf(receipt.reasoning_tokens),
    charged: formatQuota(receipt.quota, 6),
    priceVersion: String(receipt.price_version),
    formula: receipt.formula || NONE,
  };
};

/** Two receipts line by line; lines that neither has are left out. */
export const compareReceipts = (one: Receipt, other: Receipt, words: ReceiptWords): ComparedLine[] => {
  const [left, right] = [valuesOf(one, words), valuesOf(other, words)];
  return NAMES.map(
    (name): ComparedLine => ({
      name,
      values: [left[name], right[name]],
      isDifferent: left[name] !== right[name],
    }),
  ).filter(({ values }) => values.some((value) => value !== NONE));
};
