import type { UsableGroup } from "@tollgate/contract/api/groups";
import type { PricedModel, PricingAnswer } from "@tollgate/contract/api/pricing";
import type { ModelPriceEntry } from "@tollgate/contract/management/model-price";
import {
  type Decimal,
  divideDown,
  formatDecimal,
  isZero,
  parseDecimal,
  simplify,
  ZERO,
} from "@tollgate/contract/values/decimal";
import type { ModelAbilities } from "@tollgate/contract/values/model-abilities";
import { groupRatioOf, type PriceBook, quotaPerUnitOf } from "@tollgate/metering/price";
import type { Payer } from "@tollgate/metering/price-rules";
import { usdPriceOf } from "@tollgate/metering/usd-price";
import type { Pricing } from "@tollgate/relay/ports/charges";
import type { UpstreamTarget } from "@tollgate/relay/ports/directory";
import { upstreamModelOf } from "@tollgate/relay/routing/upstream-target";
import type { PriceSheet } from "@tollgate/vendors/catalogue/sheet";
import { groupless } from "./effective-price";
import { knownFactsOf } from "./known-facts";

/** Sources of a price list. */
export interface PriceListSources {
  book: PriceBook;
  find: Pricing["find"];
  /** Models that a group can use now. */
  modelsOf(group: string): readonly string[];
  candidates(group: string, model: string): readonly UpstreamTarget[];
  nowMs: number;
  /** Yields to other waiting work. */
  yieldToOthers(): Promise<void>;
}

/** The reader of the list. */
export interface PriceReader {
  payer: Payer;
  /** Groups the reader may use, with descriptions, in order. */
  usable: ReadonlyMap<string, string>;
  auto: readonly string[];
}

/** Models between two turns of others: a price takes some hundredths of a millisecond. */
const MODELS_A_TURN = 20;
const RATIO_PLACES = 12;

const decimalOf = (usd: number): Decimal => parseDecimal(usd) ?? ZERO;

/** A ratio in new-api's sense; undefined where a price is unknown, or the base is 0. */
const ratioOf = (usd: number | undefined, of: number | undefined): number | undefined => {
  const base = decimalOf(of ?? 0);
  if (usd === undefined || isZero(base)) return undefined;
  return Number(formatDecimal(simplify(divideDown(decimalOf(usd), base, RATIO_PLACES))));
};

const ratiosOf = (price: ModelPriceEntry) => {
  if ("perCall" in price) return { quota_type: 1, model_ratio: 0, model_price: price.perCall };
  const { input, output, cacheRead, cacheWrite5m, audioInput, audioOutput } = price;
  return {
    quota_type: 0,
    model_ratio: ratioOf(input, 2) ?? 0,
    model_price: 0,
    completion_ratio: ratioOf(output, input),
    cache_ratio: ratioOf(cacheRead, input),
    create_cache_ratio: ratioOf(cacheWrite5m, input),
    audio_ratio: audioInput === input ? undefined : ratioOf(audioInput, input),
    audio_completion_ratio: audioInput === input ? undefined : ratioOf(audioOutput, audioInput),
  };
};

const encodeAbilities = ({ inputs, outputs, features }: ModelAbilities) => ({
  ...(inputs ? { inputs: [...inputs] } : {}),
  ...(outputs ? { outputs: [...outputs] } : {}),
  ...(features ? { features: { ...features } } : {}),
});

/** A model's prices for a reader; undefined where no group offers it at a price now. */
const priceModel = (
  { book, find, candidates, nowMs }: PriceListSources,
  payer: PriceReader["payer"],
  model: string,
  groups: readonly string[],
  vendorId: (owner: PriceSheet["owner"]) => number,
): PricedModel | undefined => {
  const perUnit = quotaPerUnitOf(book);
  // The first candidate channel determines the upstream's name of the model, and so its price.
  const upstreamOf = (group: string): string => {
    const [first] = candidates(group, model);
    return first ? upstreamModelOf(first.channel, model) : model;
  };
  const own: NonNullable<PricedModel["own"]> = [];
  const priced: string[] = [];
  for (const group of groups) {
    const price = find(upstreamOf(group), group, payer, model);
    if (!price) continue;
    priced.push(group);
    if (price.rule) own.push({ group, price: usdPriceOf(price, perUnit), rule: price.rule });
  }
  const [first] = priced;
  if (first === undefined) return undefined;
  const name = upstreamOf(first);
  const usual = groupless(book, name, nowMs);
  const shown = usual ? usdPriceOf(usual, perUnit) : own[0]?.price;
  if (!shown) return undefined;
  const { owner, context, outputLimit, abilities, traits, endpointTypes } = knownFactsOf(name);
  return {
    model_name: model,
    ...(owner ? { vendor_id: vendorId(owner) } : {}),
    ...ratiosOf(shown),
    enable_groups: priced,
    supported_endpoint_types: [...endpointTypes],
    price: shown,
    ...(own.length > 0 ? { own } : {}),
    ...(context === undefined ? {} : { context }),
    ...(outputLimit === undefined ? {} : { output_limit: outputLimit }),
    ...(traits.length > 0 ? { traits: [...traits] } : {}),
    ...(abilities ? encodeAbilities(abilities) : {}),
  };
};

/** Prices of models for a reader; only of groups that they may use, and of models that these offer at a price now. */
export const createPriceList = async (
  sources: PriceListSources,
  { payer, usable, auto }: PriceReader,
): Promise<Omit<PricingAnswer, "pricing_version">> => {
  const { book, modelsOf, yieldToOthers } = sources;
  const groupsOfModel = new Map<string, string[]>();
  for (const group of usable.keys()) {
    for (const model of modelsOf(group)) {
      const groups = groupsOfModel.get(model);
      if (groups) groups.push(group);
      else groupsOfModel.set(model, [group]);
    }
    await yieldToOthers();
  }
  const vendors = new Map<string, { id: number; name: string }>();
  const vendorId = ({ id: owner, name }: PriceSheet["owner"]): number => {
    const vendor = vendors.get(owner) ?? { id: vendors.size + 1, name };
    vendors.set(owner, vendor);
    return vendor.id;
  };
  const data: PricedModel[] = [];
  let count = 0;
  for (const [model, groups] of [...groupsOfModel].sort(([a], [b]) => (a < b ? -1 : 1))) {
    if (++count % MODELS_A_TURN === 0) await yieldToOthers();
    const priced = priceModel(sources, payer, model, groups, vendorId);
    if (priced) data.push(priced);
  }
  const groups: UsableGroup[] = [...usable].map(([name, description]) => ({
    name,
    description,
    ratio: formatDecimal(groupRatioOf(book, name, payer)),
    is_own: payer.groups.includes(name),
  }));
  return {
    data,
    vendors: [...vendors.values()],
    group_ratio: Object.fromEntries(groups.map(({ name, ratio }) => [name, Number(ratio)])),
    usable_group: Object.fromEntries(usable),
    auto_groups: [...auto],
    groups,
  };
};
