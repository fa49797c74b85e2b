import type { ModelPriceEntry } from "@tollgate/contract/management/model-price";
import type { PricedName, PriceRuleWire } from "@tollgate/contract/management/price-rule";
import { readTypedNumber } from "../../lib/typed-number";

/** A rule as form fields: typed, not yet converted. */
export interface RuleFields {
  name: string;
  username: string;
  group: string;
  models: string;
  names: PricedName;
  factor: string;
  ratio: string;
  input: string;
  output: string;
  cacheRead: string;
  perCall: string;
  from: string;
  until: string;
  note: string;
}

export const NEW_RULE: RuleFields = {
  name: "",
  username: "",
  group: "",
  models: "",
  names: "upstream",
  factor: "",
  ratio: "",
  input: "",
  output: "",
  cacheRead: "",
  perCall: "",
  from: "",
  until: "",
  note: "",
};

const textOf = (value: number | undefined): string => (value === undefined ? "" : String(value));

const isPrice = (price: unknown): price is ModelPriceEntry => typeof price === "object" && price !== null;

/** The rule's own price; undefined if it has none. */
export const priceOf = ({ rule: { price } }: PriceRuleWire): ModelPriceEntry | undefined =>
  isPrice(price) ? price : undefined;

export const toRuleFields = (wire: PriceRuleWire): RuleFields => {
  const { rule } = wire;
  const price = priceOf(wire);
  const tokens = price && "input" in price ? price : undefined;
  return {
    name: wire.name,
    username: wire.username,
    group: rule.group ?? "",
    models: rule.models,
    names: rule.names ?? "upstream",
    factor: textOf(rule.factor),
    ratio: textOf(rule.ratio),
    input: textOf(tokens?.input),
    output: textOf(tokens?.output),
    cacheRead: textOf(tokens?.cacheRead),
    perCall: price && "perCall" in price ? String(price.perCall) : "",
    from: rule.from ?? "",
    until: rule.until ?? "",
    note: rule.note ?? "",
  };
};

/** A number, "" for none; an invalid text is sent as typed, so that the server names the field. */
const numberOf = (text: string): number | string | undefined => {
  const typed = text.trim();
  if (typed === "") return undefined;
  const number = readTypedNumber(typed);
  return Number.isFinite(number) ? number : typed;
};

const orNone = (text: string): string | undefined => text.trim() || undefined;

/** The price in the form's fields, with the parts of the previous one that the form does not show (tiers, audio). */
const readPrice = (fields: RuleFields, before: ModelPriceEntry | undefined): object | undefined => {
  const perCall = numberOf(fields.perCall);
  if (perCall !== undefined) return { perCall };
  const input = numberOf(fields.input);
  const output = numberOf(fields.output);
  const cacheRead = numberOf(fields.cacheRead);
  if (input === undefined && output === undefined && cacheRead === undefined) return undefined;
  const kept = before && "input" in before ? before : {};
  return { ...kept, input, output, cacheRead };
};

/** @param before the edited rule. */
export const toRule = (fields: RuleFields, before: PriceRuleWire | undefined): Record<string, unknown> => {
  const username = fields.username.trim();
  return {
    // A deleted customer stays in the rule until another one is named.
    ...(username === "" && before?.username === "" && before.rule.user !== undefined
      ? { user: before.rule.user }
      : {}),
    group: orNone(fields.group),
    models: fields.models.trim(),
    names: fields.names === "requested" ? "requested" : undefined,
    price: readPrice(fields, before && priceOf(before)),
    ratio: numberOf(fields.ratio),
    factor: numberOf(fields.factor),
    from: orNone(fields.from),
    until: orNone(fields.until),
    note: orNone(fields.note),
  };
};
