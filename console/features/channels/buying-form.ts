import {
  type BuyingFactor,
  type BuyingFault,
  type BuyingRule,
  type BuyingRules,
  encodeBuyingRules,
  MAX_FACTOR,
  parseBuyingRules,
} from "@tollgate/contract/management/buying-price";
import type { ModelPriceEntry } from "@tollgate/contract/management/model-price";
import { readTypedNumber } from "../../lib/typed-number";

/** Kinds of a model's cost price in the form: "entries" is a price with more parts than the form has fields for. */
export const BUYING_KINDS = ["list", "upstream", "tokens", "call", "entries"] as const;
export type BuyingKind = (typeof BUYING_KINDS)[number];

/** A rule as a row of the form: typed text. */
export interface RuleFields {
  /** Of the row, as long as it exists. */
  id: number;
  model: string;
  kind: BuyingKind;
  factor: string;
  input: string;
  output: string;
  cacheRead: string;
  perCall: string;
  /** JSON of a list of entries. */
  entries: string;
}

export interface BuyingFields {
  /** Applies to models without a rule; "unknown" if the cost is not known. */
  usual: BuyingFactor["of"] | "unknown";
  usualFactor: string;
  rules: RuleFields[];
}

const NO_PRICES = { factor: "1", input: "", output: "", cacheRead: "", perCall: "", entries: "" };

let lastId = 0;

export const newRule = (): RuleFields => {
  lastId += 1;
  return { id: lastId, model: "", kind: "list", ...NO_PRICES };
};

const text = (value: number | undefined): string => (value === undefined ? "" : String(value));

const isSimple = (entry: ModelPriceEntry): boolean =>
  Object.keys(entry).every((name) => ["input", "output", "cacheRead", "perCall"].includes(name));

const ruleFields = (rule: BuyingRule): RuleFields => {
  const fields: RuleFields = { ...newRule(), model: rule.model };
  if (!("prices" in rule)) return { ...fields, kind: rule.of, factor: String(rule.factor) };
  const [entry] = rule.prices;
  if (!entry || rule.prices.length > 1 || !isSimple(entry))
    return { ...fields, kind: "entries", entries: JSON.stringify(rule.prices, null, 2) };
  if ("perCall" in entry) return { ...fields, kind: "call", perCall: String(entry.perCall) };
  const { input, output, cacheRead } = entry;
  return { ...fields, kind: "tokens", input: text(input), output: text(output), cacheRead: text(cacheRead) };
};

/** The stored prices as form fields. */
export const toBuyingFields = (stored: string): BuyingFields => {
  const read = parseBuyingRules(stored);
  const { default: usual, rules }: BuyingRules = "fault" in read ? { rules: [] } : read;
  return {
    usual: usual?.of ?? "unknown",
    usualFactor: text(usual?.factor) || "1",
    rules: rules.map(ruleFields),
  };
};

/** A typed number; an invalid one is rejected when the whole text is parsed. */
const number = (typed: string): number | string => {
  const value = readTypedNumber(typed);
  return Number.isFinite(value) ? value : typed;
};

const given = (name: string, typed: string): Record<string, unknown> =>
  typed.trim() === "" ? {} : { [name]: number(typed) };

const parseEntries = (typed: string): unknown => {
  try {
    return JSON.parse(typed);
  } catch {
    return typed;
  }
};

const toRule = ({ model, kind, factor, input, output, cacheRead, perCall, entries }: RuleFields): unknown => {
  switch (kind) {
    case "list":
    case "upstream":
      return { model: model.trim(), of: kind, factor: number(factor) };
    case "call":
      return { model: model.trim(), prices: [{ perCall: number(perCall) }] };
    case "tokens":
      return {
        model: model.trim(),
        prices: [{ input: number(input), ...given("output", output), ...given("cacheRead", cacheRead) }],
      };
    case "entries":
      return { model: model.trim(), prices: parseEntries(entries) };
  }
};

/** The text to store, or the form's mistake. */
export const fromBuyingFields = ({ usual, usualFactor, rules }: BuyingFields): string | BuyingFault => {
  const read = parseBuyingRules(
    JSON.stringify({
      ...(usual === "unknown" ? {} : { default: { of: usual, factor: number(usualFactor) } }),
      rules: rules.map(toRule),
    }),
  );
  return "fault" in read ? read : encodeBuyingRules(read);
};

/** Index of the rule with the mistake; undefined if it is elsewhere. */
export const faultyRule = ({ fault }: BuyingFault): number | undefined => {
  const [, index] = /^rules\.(\d+)/.exec(fault) ?? [];
  return index === undefined ? undefined : Number(index);
};

/** Fields of a rule with a mistake of their own. */
export type RuleMistake = "model" | "factor" | "input" | "output" | "cacheRead" | "perCall";

const NEEDED: Readonly<Record<BuyingKind, readonly RuleMistake[]>> = {
  list: ["factor"],
  upstream: ["factor"],
  tokens: ["input"],
  call: ["perCall"],
  entries: [],
};
const OPTIONAL: readonly RuleMistake[] = ["output", "cacheRead"];

const isAmount = (typed: string, max = Number.POSITIVE_INFINITY): boolean => {
  const value = readTypedNumber(typed);
  return Number.isFinite(value) && value >= 0 && value <= max;
};

/** The fields of a rule that are missing or invalid. @param others models of the other rules */
export const ruleMistakes = (rule: RuleFields, others: readonly string[]): ReadonlySet<RuleMistake> => {
  const model = rule.model.trim();
  const optional = rule.kind === "tokens" ? OPTIONAL.filter((name) => rule[name].trim() !== "") : [];
  return new Set<RuleMistake>([
    ...(model === "" || others.includes(model) ? (["model"] as const) : []),
    ...[...NEEDED[rule.kind], ...optional].filter(
      (name) => !isAmount(rule[name], name === "factor" ? MAX_FACTOR : undefined),
    ),
  ]);
};
