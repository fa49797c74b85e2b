import * as z from "zod/mini";
import { tryParseJson } from "../values/parse-json";

/* A channel's names for models, as one-api has them: JSON text `{"asked": "upstream's"}`. */

/** One of several names that an upstream has for a model. */
export interface WeightedName {
  name: string;
  /** Its share of the requests, beside the others' weights. */
  weight: number;
}

/** Requested model name → the upstream's name, or several of them by weight. */
export type ModelMapping = Readonly<Record<string, string | readonly WeightedName[]>>;

/** Names of one model. */
const MAX_NAMES = 20;
const MAX_WEIGHT = 1_000_000;

const weightedName = z.object({
  name: z.string().check(z.minLength(1)),
  weight: z.int().check(z.minimum(1), z.maximum(MAX_WEIGHT)),
});

export const modelMappingSchema: z.ZodMiniType<ModelMapping> = z.record(
  z.string(),
  z.union([z.string(), z.array(weightedName).check(z.minLength(1), z.maxLength(MAX_NAMES))]),
);

/**
 * Reads the JSON text of a model mapping.
 * @returns {} for blank text; undefined when it is no JSON object of names.
 */
export const parseModelMapping = (text: string): ModelMapping | undefined => {
  if (text.trim() === "") return {};
  return modelMappingSchema.safeParse(tryParseJson(text)).data;
};

export const encodeMapping = (mapping: ModelMapping): string =>
  Object.keys(mapping).length === 0 ? "" : JSON.stringify(mapping, null, 2);

const mappedTo = (mapping: ModelMapping, model: string): ModelMapping[string] =>
  (Object.hasOwn(mapping, model) ? mapping[model] : undefined) ?? model;

/** All names that the upstream has for a client's model. */
export const upstreamNamesOf = (mapping: ModelMapping, model: string): readonly string[] => {
  const mapped = mappedTo(mapping, model);
  return typeof mapped === "string" ? [mapped] : mapped.map(({ name }) => name);
};

/**
 * The upstream's name for a client's model: of several, one by weight.
 * @param draw returns a number from 0 up to, but without, 1; called only to choose among several.
 */
export const chooseUpstreamName = (mapping: ModelMapping, model: string, draw: () => number): string => {
  const mapped = mappedTo(mapping, model);
  if (typeof mapped === "string") return mapped;
  let left = draw() * mapped.reduce((sum, { weight }) => sum + weight, 0);
  const chosen = mapped.find(({ weight }) => {
    left -= weight;
    return left < 0;
  });
  return chosen?.name ?? mapped.at(-1)?.name ?? model;
};

/** The name that stands for all: of several the one with the largest weight. */
export const mainUpstreamName = (mapping: ModelMapping, model: string): string => {
  const mapped = mappedTo(mapping, model);
  if (typeof mapped === "string") return mapped;
  return mapped.reduce((main, other) => (other.weight > main.weight ? other : main)).name;
};
