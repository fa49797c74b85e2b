import { parseDecimal } from "@tollgate/contract/values/decimal";
import { DEFAULT_GROUP_RATIOS, DEFAULT_MODEL_RATIOS } from "@tollgate/metering/default-ratios";
import { findPrice, type Price } from "@tollgate/metering/price";
import { parseRatioTable, type RatioTable } from "@tollgate/metering/ratio-table";
import type { Pricing } from "@tollgate/relay/ports";
import { isPriceOption, type Options } from "./options";

const tableOf = (text: string, fallback: Readonly<Record<string, number>>): RatioTable =>
  parseRatioTable(text) ?? parseRatioTable(JSON.stringify(fallback)) ?? new Map();

/** Prices as the options say, worked out once per model and group. */
export const createPricing = (options: Options): Pricing & { groups(): string[] } => {
  let models: RatioTable = new Map();
  let groups: RatioTable = new Map();
  let cache = new Map<string, Price | undefined>();
  const load = (): void => {
    models = tableOf(options.text("ModelRatio"), DEFAULT_MODEL_RATIOS);
    groups = tableOf(options.text("GroupRatio"), DEFAULT_GROUP_RATIOS);
    cache = new Map();
  };
  load();
  options.onChange((key) => {
    if (isPriceOption(key)) load();
  });
  return {
    find(model, group) {
      const cacheKey = `${group}\n${model}`;
      const known = cache.get(cacheKey);
      if (known) return known;
      const fallbackRatio = parseDecimal(options.text("FallbackModelRatio"));
      const price = findPrice(model, group, models, groups, fallbackRatio, options.priceVersion);
      // Unknown names are the clients' to make up: only prices are kept.
      if (price) cache.set(cacheKey, price);
      return price;
    },
    defaultHoldTokens: () => options.number("PreConsumedQuota"),
    drainMs: () =>
      options.text("InterruptionPolicy") === "drain" ? options.number("InterruptionDrainSeconds") * 1000 : 0,
    retryTimes: () => options.number("RetryTimes"),
    groups: () => [...groups.keys()],
  };
};
