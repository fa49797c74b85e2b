import * as z from "zod/mini";
import { isOnDay } from "../values/is-day";
import { tryParseJson } from "../values/parse-json";
import { type Fault, type ModelPriceEntry, modelPriceEntrySchema, parseModelPrices } from "./model-price";
import { maybe } from "./wire";

/*
 * The option PriceRules: prices of single customers, groups and models (docs/reference/prices.md#price-rules). JSON text, from
 * the rule's name to the rule.
 */

export const MAX_PRICE_RULES = 10_000;
const LONGEST_NAME = 100;
const LONGEST_PATTERN = 200;
const LONGEST_NOTE = 500;
const MAX_FACTOR = 1000;

/** Name of a model that a rule's pattern matches: the upstream's name, as for all prices, or the client's. */
export const PRICED_NAMES = ["upstream", "requested"] as const;
export type PricedName = (typeof PRICED_NAMES)[number];

/** A day (its midnight, UTC) or a moment with its offset. */
const MOMENT = /^\d{4}-\d{2}-\d{2}(?:T\d{2}:\d{2}(?::\d{2})?(?:Z|[+-]\d{2}:\d{2}))?$/;
const moment = z.string().check(
  z.regex(MOMENT),
  z.refine((text) => Number.isFinite(Date.parse(text))),
);

const CONTROL = /\p{Cc}/u;
const line = (longest: number) =>
  z.string().check(
    z.minLength(1),
    z.maxLength(longest),
    z.refine((text) => text === text.trim() && !CONTROL.test(text)),
  );

const factor = z.number().check(z.minimum(0), z.maximum(MAX_FACTOR));

const ruleShape = {
  /** The customer's number. */
  user: z.optional(z.int().check(z.minimum(1))),
  /** The group by which the request goes. */
  group: z.optional(line(64)),
  /** Names of models, in which * stands for any characters. */
  models: line(LONGEST_PATTERN),
  names: z.optional(z.enum(PRICED_NAMES)),
  /** In place of the model's price: an entry of the option ModelPrice without a date. */
  price: z.optional(z.unknown()),
  /** In place of the group's ratio. */
  ratio: z.optional(factor),
  /** Times all that. */
  factor: z.optional(factor),
  /** The rule holds from this moment on, and until that one. */
  from: z.optional(moment),
  until: z.optional(moment),
  /** For administrators alone; the name stands on the customer's receipts. */
  note: z.optional(z.string().check(z.maxLength(LONGEST_NOTE))),
};

const ruleSchema = z.strictObject(ruleShape);

/** The field of a rule that a fault lies in; undefined outside its declared fields. */
export const priceRuleFieldOf = (name: string, fault: string): string | undefined => {
  const [field = ""] = fault.slice(name.length + 1).split(".");
  return Object.hasOwn(ruleShape, field) ? field : undefined;
};

export interface PriceRule extends Omit<z.infer<typeof ruleSchema>, "price"> {
  price?: ModelPriceEntry | undefined;
}

export const isPriceRuleName = (name: string): boolean => line(LONGEST_NAME).safeParse(name).success;

const isDated = (price: unknown): boolean => typeof price === "object" && price !== null && "from" in price;

/** @param name of the rule, for messages of a fault. */
export const parsePriceRule = (name: string, value: unknown): PriceRule | Fault => {
  const parsed = ruleSchema.safeParse(value);
  if (!parsed.success) {
    const [issue] = parsed.error.issues;
    const unknown = issue?.code === "unrecognized_keys" ? issue.keys.slice(0, 1) : [];
    return { fault: [name, ...(issue?.path ?? []), ...unknown].join(".") };
  }
  const { price, ...rule } = parsed.data;
  const { from, until } = rule;
  if (rule.factor === undefined && rule.ratio === undefined && price === undefined)
    return { fault: `${name}.factor` };
  if (from !== undefined && until !== undefined && Date.parse(until) <= Date.parse(from))
    return { fault: `${name}.until` };
  if (price === undefined) return rule;
  // A rule has dates of its own.
  if (Array.isArray(price) || isDated(price)) return { fault: `${name}.price` };
  const prices = parseModelPrices(JSON.stringify({ price }));
  if ("fault" in prices) return { fault: `${name}.${prices.fault}` };
  return { ...rule, price: prices.get("price")?.[0] };
};

/** Rules by their names. */
export type PriceRules = ReadonlyMap<string, PriceRule>;

/** Reads the option PriceRules. @returns where the text is wrong when it cannot be used. */
export const parsePriceRules = (text: string): PriceRules | Fault => {
  const parsed = tryParseJson(text);
  if (parsed === undefined) return { fault: "JSON" };
  if (typeof parsed !== "object" || parsed === null || Array.isArray(parsed)) return { fault: "JSON" };
  const entries = Object.entries(parsed);
  if (entries.length > MAX_PRICE_RULES) return { fault: String(MAX_PRICE_RULES) };
  const rules = new Map<string, PriceRule>();
  for (const [name, value] of entries) {
    if (!isPriceRuleName(name)) return { fault: name.slice(0, LONGEST_NAME) || "JSON" };
    const rule = parsePriceRule(name, value);
    if ("fault" in rule) return rule;
    rules.set(name, rule);
  }
  return rules;
};

/** Finds a day that does not exist, which a new rule is refused for. A stored one may have it from before, and holds. */
export const findDateFaultOf = (name: string, { from, until }: PriceRule): Fault | undefined => {
  if (from !== undefined && !isOnDay(from)) return { fault: `${name}.from` };
  return until === undefined || isOnDay(until) ? undefined : { fault: `${name}.until` };
};

/** The first such fault of the option's text. */
export const findRuleDateFault = (text: string): Fault | undefined => {
  const rules = parsePriceRules(text);
  if ("fault" in rules) return undefined;
  for (const [name, rule] of rules) {
    const fault = findDateFaultOf(name, rule);
    if (fault) return fault;
  }
  return undefined;
};

/** The text of the option. Names are the administrator's, "__proto__" as well as any. */
export const writePriceRules = (rules: PriceRules): string => JSON.stringify(Object.fromEntries(rules));

/** The rule that a price follows from, as it stands on receipts. */
export const appliedRuleSchema = z.object({
  name: z.string(),
  /** Decimals, absent where the rule says nothing of it. */
  factor: z.optional(z.string()),
  ratio: z.optional(z.string()),
  /** The rule has a price of its own. */
  has_price: z.optional(z.boolean()),
});
export type AppliedRule = z.infer<typeof appliedRuleSchema>;

/** One rule as the calls return it: the option's, with its name, and the customer's for people. */
export const priceRuleWireSchema = z.object({
  name: z.string(),
  /** Of the customer; "" for none, or a deleted one. */
  username: z.string(),
  rule: z.object(ruleShape),
});

/** GET /api/prices/rules, in the order in which they take precedence. */
export const priceRulesSchema = z.object({ price_version: z.int(), rules: z.array(priceRuleWireSchema) });
export type PriceRulesWire = z.infer<typeof priceRulesSchema>;
export type PriceRuleWire = PriceRulesWire["rules"][number];

/** PUT /api/prices/rules: adds a rule, or replaces the one that was called `before`. */
export const putPriceRuleBodySchema = z.object({
  name: z.string(),
  before: maybe(z.string()),
  /** In place of the rule's `user`; "" for none. */
  username: maybe(z.string()),
  rule: z.record(z.string(), z.unknown()),
  /** That of the page: when another person has changed a price since, nothing is stored. */
  price_version: z.int(),
});

/** POST /api/prices/rules/preview: the price that a customer would pay. */
export const rulePreviewBodySchema = z.object({
  /** "" for no user in particular. */
  username: z.string(),
  group: z.string(),
  /** As the client asks for it. */
  model: z.string().check(z.minLength(1), z.maxLength(LONGEST_PATTERN)),
  /** The upstream's name of the model; by default the same. */
  upstream_model: maybe(z.string().check(z.maxLength(LONGEST_PATTERN))),
});

export const rulePreviewSchema = z.object({
  /** USD, with everything that it is multiplied by; absent where the model has no price. */
  price: z.optional(modelPriceEntrySchema),
  /** The price without rules. */
  usual: z.optional(modelPriceEntrySchema),
  rule: z.optional(appliedRuleSchema),
});
export type RulePreview = z.infer<typeof rulePreviewSchema>;
