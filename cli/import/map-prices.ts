import type { ModelPriceEntry } from "@tollgate/contract/management/model-price";
import type { ImportedOption } from "@tollgate/contract/records/imported-records";
import { formatDecimal } from "@tollgate/contract/values/decimal";
import { findListPrice } from "@tollgate/server/state/list-prices";
import { readOfferedModels } from "./channel-models";
import { modelSourceOf } from "./map-channels";
import { type AddRemark, LONGEST_VALUE, type OptionsContext, type PriceDecision } from "./mapped";
import type { Series } from "./origin";
import type { PriceTables } from "./price-tables";
import { type SourcePrice, sourcePriceOf } from "./source-price";

/** Names by which the source looks up prices of requests to an upstream here: final name → such names. */
export const wantedPrices = (
  series: Series,
  channels: OptionsContext["channels"],
): Map<string, Set<string>> => {
  const wanted = new Map<string, Set<string>>();
  for (const row of channels) {
    const source = modelSourceOf(series, row);
    if (!source) continue;
    const { models, priced, mapping } = readOfferedModels(series, source);
    for (const name of models) {
      const final = mapping.get(name) ?? name;
      const names = wanted.get(final) ?? new Set();
      wanted.set(final, names.add(priced.get(name) ?? name));
    }
  }
  return wanted;
};

/** Values by which prices are compared: the dearer one costs more for input, and then for output. */
const weightOf = (entry: ModelPriceEntry): [number, number] =>
  "perCall" in entry ? [Number.POSITIVE_INFINITY, entry.perCall] : [entry.input, entry.output ?? entry.input];

const isDearer = (a: ModelPriceEntry, b: ModelPriceEntry): boolean => {
  const [inputA, outputA] = weightOf(a);
  const [inputB, outputB] = weightOf(b);
  return inputA + outputA === inputB + outputB ? inputA > inputB : inputA + outputA > inputB + outputB;
};

const isEntry = (price: SourcePrice): price is ModelPriceEntry => price !== undefined && !("fault" in price);

const isListed = (model: string): boolean => (findListPrice(model)?.entries.length ?? 0) > 0;

const MAX_ALIASES = 10;

/** Every name that has a price, each once. */
const namesOf = ({ modelRatio, callPrice, expressions }: PriceTables): ReadonlySet<string> =>
  new Set([...(modelRatio?.keys() ?? []), ...(callPrice?.keys() ?? []), ...expressions.keys()]);

/** The price of a model that the source knew by several names, at least one. */
const chooseAlias = (
  model: string,
  found: readonly { name: string; price: ModelPriceEntry }[],
  decision: PriceDecision | undefined,
  addRemark: AddRemark,
): ModelPriceEntry => {
  const kinds = new Set(found.map(({ price }) => JSON.stringify(price)));
  if (kinds.size > 1) {
    const aliases = found.map(({ name }) => name).slice(0, MAX_ALIASES);
    addRemark("ModelPrice", "noted", "price-conflict", { name: model, aliases: aliases.join(", ") });
  }
  const isCheapest = decision === "cheapest";
  return found.reduce((a, b) => (isDearer(b.price, a.price) === isCheapest ? a : b)).price;
};

/** The option ModelPrice: every price that the source had, under the names by which they are looked up here. */
export const mapPrices = (
  series: Series,
  tables: PriceTables,
  wanted: ReadonlyMap<string, ReadonlySet<string>>,
  decision: PriceDecision | undefined,
  addRemark: AddRemark,
): ImportedOption[] => {
  const prices = new Map<string, ModelPriceEntry>();
  const told = new Set<string>();
  const priceOf = (name: string): SourcePrice => {
    const price = sourcePriceOf(series, tables, name);
    if (price && "fault" in price && !told.has(name)) {
      told.add(name);
      const isExpression = price.fault === "expression";
      const id = isExpression ? "billing_setting.billing_expr" : "ModelPrice";
      addRemark(id, "changed", isExpression ? "price-expression" : "price-too-large", { name });
    }
    return price;
  };
  for (const name of namesOf(tables)) {
    // "gpt-4-gizmo-*" is no name of a model, and "name(17)" one of a channel type.
    if (name.endsWith("*")) continue;
    if (series !== "new-api" && /\(\d+\)$/.test(name)) {
      addRemark("ModelRatio", "changed", "price-per-channel-type", { name });
      continue;
    }
    const price = priceOf(name);
    if (isEntry(price)) prices.set(name, price);
  }
  for (const [final, names] of wanted) {
    const found = [...names].flatMap((name) => {
      const price = priceOf(name);
      return isEntry(price) ? [{ name, price }] : [];
    });
    if (found.length > 0) prices.set(final, chooseAlias(final, found, decision, addRemark));
    else if (!prices.has(final))
      addRemark("ModelRatio", "noted", isListed(final) ? "price-from-catalogue" : "price-missing", {
        name: final,
      });
  }
  for (const [name, ratio] of tables.imageRatio ?? []) {
    if (formatDecimal(ratio) !== "1" && prices.has(name))
      addRemark("ImageRatio", "noted", "price-image-ratio", { name, ratio: formatDecimal(ratio) });
  }
  if (prices.size === 0) return [];
  return [{ key: "ModelPrice", value: writePrices(prices, wanted, addRemark), isSecret: false }];
};

const writePrices = (
  prices: ReadonlyMap<string, ModelPriceEntry>,
  wanted: ReadonlyMap<string, unknown>,
  addRemark: AddRemark,
): string => {
  const all = JSON.stringify(Object.fromEntries(prices));
  if (all.length <= LONGEST_VALUE) return all;
  const offered = [...prices].filter(([name]) => wanted.has(name));
  addRemark("ModelPrice", "changed", "prices-too-many", { count: prices.size - offered.length });
  let length = 2;
  const kept = offered.filter((entry) => {
    length += JSON.stringify(entry).length;
    return length <= LONGEST_VALUE;
  });
  return JSON.stringify(Object.fromEntries(kept));
};
