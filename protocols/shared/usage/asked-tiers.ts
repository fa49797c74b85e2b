import { type AskedTier, isStandardTier, type TierField } from "@tollgate/contract/relay/extras";
import { isRecord, type JsonRecord } from "../json/json-values";

/** A field's name in a body, and its name in answers. */
type TierName = readonly [string, TierField];

/** OpenAI and those of its shape (`service_tier`), and Anthropic (https://docs.anthropic.com/en/build-with-claude/fast-mode). */
export const SNAKE_TIERS: readonly TierName[] = [
  ["service_tier", "service_tier"],
  ["speed", "speed"],
  ["inference_geo", "inference_geo"],
];

/** https://ai.google.dev/gemini-api/docs/priority-inference */
export const GOOGLE_TIERS: readonly TierName[] = [
  ["serviceTier", "service_tier"],
  ["service_tier", "service_tier"],
];

/** Operations other than chats; `speed` is the speaking speed. */
export const OPERATION_TIERS: readonly TierName[] = [["service_tier", "service_tier"]];

const NONE: readonly AskedTier[] = [];

/**
 * The requested tiers, other than the usual ones. Some servers also read `extra_body`.
 * @param names the fields of the protocol.
 */
export const readTiers = (body: JsonRecord, names: readonly TierName[]): readonly AskedTier[] => {
  const tiers = readFields(body, names, []);
  return isRecord(body.extra_body)
    ? [...tiers, ...readFields(body.extra_body, names, ["extra_body"])]
    : tiers;
};

const readFields = (
  fields: JsonRecord,
  names: readonly TierName[],
  place: readonly string[],
): readonly AskedTier[] => {
  let found: AskedTier[] | undefined;
  for (const [name, field] of names) {
    const value = fields[name];
    if (value === undefined || value === null) continue;
    if (typeof value === "string" && isStandardTier(value)) continue;
    found ??= [];
    found.push({ field, name: typeof value === "string" ? value : undefined, path: [...place, name] });
  }
  return found ?? NONE;
};
