import { isStandardTier } from "@tollgate/contract/relay/extras";
import type { Feature, FieldNode, FieldTable } from "@tollgate/contract/relay/features";
import { isRecord } from "./json-values";

/* Building blocks of the tables that define the features of each client protocol's fields. */

/** A field that readers and builders of all protocols carry or refuse themselves. */
export const READ: FieldNode = {};

/** @param fields the fields in it; the field itself requests `feature`, if given. */
export const holder = (fields: FieldTable, feature?: Feature): FieldNode =>
  feature === undefined ? { fields } : { fields, feature };

/** An object, or a list of objects, whose unknown fields request nothing. */
export const openHolder = (fields: FieldTable): FieldNode => ({ fields, isOpen: true });

/** @param defaults values with the same meaning as the field's absence. */
export const asks = (feature: Feature, ...defaults: readonly unknown[]): FieldNode =>
  defaults.length === 0
    ? { feature }
    : { feature, featureOf: (value) => (defaults.includes(value) ? undefined : feature) };

/** Fields that request the same feature. */
export const asksAll = (feature: Feature, ...names: readonly string[]): FieldTable =>
  Object.fromEntries(names.map((name) => [name, asks(feature)]));

/** Fields that readers understand. */
export const readAll = (...names: readonly string[]): FieldTable =>
  Object.fromEntries(names.map((name) => [name, READ]));

/** True: the vendor may keep the answer; false: it must not. */
export const STORE: FieldNode = {
  feature: "noStorage",
  featureOf: (value) => (value === false ? "noStorage" : "storage"),
};

export const SERVICE_TIER: FieldNode = {
  feature: "serviceTier",
  featureOf: (value) => (typeof value === "string" && isStandardTier(value) ? undefined : "serviceTier"),
};

export const INFERENCE_GEO: FieldNode = {
  feature: "place",
  featureOf: (value) => (typeof value === "string" && isStandardTier(value) ? undefined : "place"),
};

/** A choice that leaves the model free, or forbids tools, is carried everywhere. */
export const TOOL_CHOICE: FieldNode = {
  feature: "toolChoice",
  featureOf(value) {
    const kind = isRecord(value) ? value.type : value;
    return kind === "auto" || kind === "none" || kind === "allowed_tools" ? undefined : "toolChoice";
  },
};

/** With adaptive thinking the model decides how much it thinks, and shows it. */
export const THINKING: FieldNode = {
  featureOf: (value) => (isRecord(value) && value.type === "adaptive" ? "reasoningShown" : "reasoning"),
  fields: {
    ...readAll("type", "budget_tokens"),
    display: asks("unknown", "omitted", "summarized"),
    block_binding: asks("history"),
  },
};

/** A location for a search, in the field names shared by OpenAI and Anthropic. */
export const USER_LOCATION: FieldNode = {
  feature: "searchLocation",
  fields: {
    ...readAll("type", "country", "region", "city", "timezone"),
    approximate: holder(readAll("country", "region", "city", "timezone")),
  },
};
