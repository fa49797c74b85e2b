import { splitList } from "@tollgate/contract/values/split-list";
import type { Series } from "./origin";
import { readObject } from "./read-json";

/** Models that a channel of the source offers, and the vendor's names of them here. */
export interface OfferedModels {
  /** As clients call them. */
  models: string[];
  /** The client's name → the name that the source itself looks a price up by, where it is another. */
  priced: ReadonlyMap<string, string>;
  /** The client's name → the upstream's name, by which this gateway looks a price up. */
  mapping: ReadonlyMap<string, string>;
  /** Models of which the name is the vendor's own only since the import: the source replaced it in its code. */
  renamed: string[];
  /** The source's mapping is no JSON object of names. */
  isMappingUnreadable: boolean;
  /** Its mapping led over several steps. */
  hasChain: boolean;
}

/** Fields of a channel that decide about its models. */
export interface ModelSource {
  /** The channel's type here. */
  type: number;
  models: string | undefined;
  model_mapping: string | undefined;
  /** Region of its key or of a field, where the vendor has any. */
  region: string;
}

const CONTROL = /\p{Cc}/u;
const isName = (text: string): boolean => text !== "" && !CONTROL.test(text);

const BEDROCK = 33;
const VERTEX = 42;

/** AWS's names of models that clients request by the maker's names (`awsModelIDMap` of both series). */
const BEDROCK_NAMES: ReadonlyMap<string, string> = new Map([
  ["claude-instant-1.2", "anthropic.claude-instant-v1"],
  ["claude-2.0", "anthropic.claude-v2"],
  ["claude-2.1", "anthropic.claude-v2:1"],
  ["claude-3-sonnet-20240229", "anthropic.claude-3-sonnet-20240229-v1:0"],
  ["claude-3-opus-20240229", "anthropic.claude-3-opus-20240229-v1:0"],
  ["claude-3-haiku-20240307", "anthropic.claude-3-haiku-20240307-v1:0"],
  ["claude-3-5-sonnet-20240620", "anthropic.claude-3-5-sonnet-20240620-v1:0"],
  ["claude-3-5-sonnet-20241022", "anthropic.claude-3-5-sonnet-20241022-v2:0"],
  ["claude-3-5-sonnet-latest", "anthropic.claude-3-5-sonnet-20241022-v2:0"],
  ["claude-3-5-haiku-20241022", "anthropic.claude-3-5-haiku-20241022-v1:0"],
  ["claude-3-7-sonnet-20250219", "anthropic.claude-3-7-sonnet-20250219-v1:0"],
  ["claude-sonnet-4-20250514", "anthropic.claude-sonnet-4-20250514-v1:0"],
  ["claude-opus-4-20250514", "anthropic.claude-opus-4-20250514-v1:0"],
  ["claude-opus-4-1-20250805", "anthropic.claude-opus-4-1-20250805-v1:0"],
  ["claude-sonnet-4-5-20250929", "anthropic.claude-sonnet-4-5-20250929-v1:0"],
  ["claude-haiku-4-5-20251001", "anthropic.claude-haiku-4-5-20251001-v1:0"],
  ["claude-opus-4-5-20251101", "anthropic.claude-opus-4-5-20251101-v1:0"],
  ["claude-sonnet-4-6", "anthropic.claude-sonnet-4-6"],
  ["claude-opus-4-6", "anthropic.claude-opus-4-6-v1"],
  ["llama3-8b-8192", "meta.llama3-8b-instruct-v1:0"],
  ["llama3-70b-8192", "meta.llama3-70b-instruct-v1:0"],
  ["nova-micro-v1:0", "amazon.nova-micro-v1:0"],
  ["nova-lite-v1:0", "amazon.nova-lite-v1:0"],
  ["nova-pro-v1:0", "amazon.nova-pro-v1:0"],
  ["nova-premier-v1:0", "amazon.nova-premier-v1:0"],
]);

/** Of which models new-api asks the profile of several regions, by the beginning of the channel's region. */
const EVERYWHERE = new Set(["us", "eu", "ap"]);
const US_ALONE = /^(?:anthropic\.claude-(?:3-opus|3-5-haiku|opus-4-2025|opus-4-1)|amazon\.nova-premier)/;
const NEVER_ACROSS = /^(?:anthropic\.claude-(?:instant|v2)|meta\.)/;
const PROFILES: Readonly<Record<string, string>> = { us: "us", eu: "eu", ap: "apac" };

const bedrockName = (series: Series, region: string, name: string): string => {
  const id = BEDROCK_NAMES.get(name);
  if (id === undefined) return name;
  const area = region.slice(0, 2);
  const isAcross =
    series === "new-api" &&
    !NEVER_ACROSS.test(id) &&
    (US_ALONE.test(id) ? area === "us" : EVERYWHERE.has(area)) &&
    !(area === "eu" && id.includes("claude-3-5-sonnet-20241022"));
  return isAcross ? `${PROFILES[area]}.${id}` : id;
};

/** Vertex AI writes the day of a Claude with an "@" (`modelMap` of both series). */
const vertexName = (name: string): string =>
  name === "claude-3-5-sonnet-20241022"
    ? "claude-3-5-sonnet-v2@20241022"
    : name.replace(/^(claude-.+)-(20\d{6})$/, "$1@$2");

/** Returns the vendor's name of a model, as the source's own code computes it. */
const vendorName = (series: Series, { type, region }: ModelSource, name: string): string =>
  type === BEDROCK ? bedrockName(series, region, name) : type === VERTEX ? vertexName(name) : name;

const readMapping = (text: string | undefined): ReadonlyMap<string, string> | undefined => {
  const parsed = readObject(text);
  if (!parsed) return undefined;
  const mapping = new Map<string, string>();
  for (const [from, to] of Object.entries(parsed)) {
    if (typeof to !== "string") return undefined;
    const [name, target] = [from.trim(), to.trim()];
    if (isName(name) && isName(target)) mapping.set(name, target);
  }
  return mapping;
};

/** new-api follows a mapping until it ends; one-api takes one step. A circle ends where it began. */
const follow = (series: Series, mapping: ReadonlyMap<string, string>, name: string): string => {
  let found = mapping.get(name) ?? name;
  if (series !== "new-api") return found;
  const seen = new Set([name]);
  for (let next = mapping.get(found); next !== undefined && !seen.has(found); next = mapping.get(found)) {
    seen.add(found);
    found = next;
  }
  return found;
};

/** Reads the models of a channel of the source, and its mapping of their names. Never throws. */
export const readOfferedModels = (series: Series, source: ModelSource): OfferedModels => {
  const models = splitList(source.models ?? "").filter(isName);
  const written = readMapping(source.model_mapping);
  const from = written ?? new Map<string, string>();
  const priced = new Map<string, string>();
  const mapping = new Map<string, string>();
  const renamed: string[] = [];
  let hasChain = false;
  for (const name of new Set([...models, ...from.keys()])) {
    const mapped = follow(series, from, name);
    const final = vendorName(series, source, mapped);
    hasChain ||= mapped !== (from.get(name) ?? name);
    // new-api looks prices up by the client's name, one-api by the mapped one.
    const pricedBy = series === "new-api" ? name : mapped;
    if (pricedBy !== name) priced.set(name, pricedBy);
    if (final !== name) mapping.set(name, final);
    if (final !== mapped && models.includes(name)) renamed.push(name);
  }
  return { models, priced, mapping, renamed, isMappingUnreadable: written === undefined, hasChain };
};

/**
 * The name by which this gateway will look a price up for a line of the source's log. one-api writes the mapped name there,
 * new-api the client's.
 */
export const nameAfterMove = (series: Series, source: ModelSource | undefined, logged: string): string => {
  if (!source) return logged;
  const mapping = readMapping(source.model_mapping) ?? new Map<string, string>();
  const mapped = series === "new-api" ? follow(series, mapping, logged) : logged;
  return vendorName(series, source, mapped);
};
