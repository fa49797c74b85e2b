import { previewBuyingPrices, readUpstreamPrices } from "@tollgate/contract/api/buying-prices";
import { parseBuyingRules, upstreamListOf } from "@tollgate/contract/management/buying-price";
import { readGroups } from "@tollgate/contract/management/group";
import { parseModelMapping } from "@tollgate/contract/management/model-mapping";
import { formatDecimal, ONE } from "@tollgate/contract/values/decimal";
import { splitList } from "@tollgate/contract/values/split-list";
import { priceTimes } from "@tollgate/vendors/price-sources/gateway-groups";
import { buyingTable } from "../../prices/buying-table";
import { fetchGatewayPrices } from "../../prices/fetch-prices";
import { yieldToOthers } from "../../yield-to-others";
import { audit } from "../audit";
import { existing, Failure } from "../failure";
import { implement } from "../route";

/** A form with more than any person sells is refused: each model is looked up for each group. */
const MAX_MODELS = 2000;
const MAX_PRICES = 20_000;

/** Buying prices of channels. */
export const buyingPriceRoutes = [
  implement(previewBuyingPrices, async ({ services: { channels, pricing, now }, body }) => {
    const rules = parseBuyingRules(body.buying_prices);
    if ("fault" in rules) throw new Failure("buying-prices-invalid", { place: rules.fault });
    const modelMapping = parseModelMapping(body.model_mapping ?? "");
    if (!modelMapping) throw new Failure("channel-mapping-invalid");
    const id = body.id ?? 0;
    const models = splitList(body.models);
    const groups = readGroups(body.group);
    if (models.length > MAX_MODELS || models.length * groups.length > MAX_PRICES)
      throw new Failure("invalid-parameter");
    const { upstream } = channels.buyingPricesOf(id) ?? {};
    const channel = { id, name: "", models, modelMapping, groups };
    return {
      rows: await buyingTable({ book: pricing.book(), nowMs: now() * 1000, yieldToOthers }, channel, {
        ...rules,
        upstream,
      }),
      ...(upstream
        ? { upstream: { group: upstream.group, as_of: upstream.as_of, models: upstream.prices.length } }
        : {}),
    };
  }),

  implement(readUpstreamPrices, async (context) => {
    const { services } = context;
    const { channels, now } = services;
    const { id, group } = context.body;
    const [target] = channels.keysOf(id);
    if (!target) throw new Failure("channel-unusable");
    const list = await fetchGatewayPrices(target, yieldToOthers);
    const groups = list.groups.map(({ name, ratio }) => ({ name, ratio: Number(formatDecimal(ratio)) }));
    let models = list.prices.length;
    if (group !== undefined) {
      const chosen = list.groups.find(({ name }) => name === group);
      if (!chosen && list.groups.length > 0) throw new Failure("upstream-group-unknown", { group });
      const prices = list.prices.map(({ model, price }) => ({
        model,
        price: priceTimes(price, chosen?.ratio ?? ONE),
      }));
      const kept = upstreamListOf(group, now(), prices);
      models = kept.prices.length;
      existing(await channels.change(id, { upstreamPrices: JSON.stringify(kept) }));
      await audit(services, context, "channel.upstream_prices", id, { group, count: models });
    }
    return { groups, models, refused: list.refused.length + list.prices.length - models };
  }),
];
