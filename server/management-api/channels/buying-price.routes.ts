import {
  buyingPreviewBodySchema,
  buyingPreviewSchema,
  parseBuyingRules,
  upstreamListOf,
  upstreamPricesBodySchema,
  upstreamPricesSchema,
} from "@tollgate/contract/management/buying-price";
import { parseModelMapping, splitList } from "@tollgate/contract/management/channel";
import { readGroups } from "@tollgate/contract/management/group";
import { formatDecimal, ONE } from "@tollgate/contract/values/decimal";
import { priceTimes } from "@tollgate/vendors/price-sources/gateway-groups";
import { giveWay } from "../../give-way";
import { buyingTable } from "../../prices/buying-table";
import { fetchGatewayPrices } from "../../prices/fetch-prices";
import { audit } from "../audit";
import { Failure } from "../failure";
import { type Route, route } from "../route";
import type { Services } from "../services";

/** A form with more than anybody sells is refused: each model is looked up for each group. */
const MOST_MODELS = 2000;
const MOST_PRICES = 20_000;

/** What channels buy at; beyond the contract. The prices themselves are a field of the channel. */
export const buyingPriceRoutes = (services: Services): Route[] => {
  const { channels, pricing, now } = services;
  return [
    route({
      method: "POST",
      path: "/api/channel/buying_prices/preview",
      guard: "admin",
      summary: "What a channel's models are bought and sold at, as it stands in a form; changes nothing",
      body: buyingPreviewBodySchema,
      data: buyingPreviewSchema,
      async answer({ body }) {
        const rules = parseBuyingRules(body.buying_prices);
        if ("fault" in rules) throw new Failure("buying-prices-invalid", { place: rules.fault });
        const modelMapping = parseModelMapping(body.model_mapping ?? "");
        if (!modelMapping) throw new Failure("channel-mapping-invalid");
        const id = body.id ?? 0;
        const models = splitList(body.models);
        const groups = readGroups(body.group);
        if (models.length > MOST_MODELS || models.length * groups.length > MOST_PRICES)
          throw new Failure("invalid-parameter");
        const { upstream } = channels.buyingPricesOf(id) ?? {};
        const channel = { id, name: "", models, modelMapping, groups };
        return {
          rows: await buyingTable({ book: pricing.book(), nowMs: now() * 1000, giveWay }, channel, {
            ...rules,
            upstream,
          }),
          ...(upstream
            ? { upstream: { group: upstream.group, as_of: upstream.as_of, models: upstream.prices.length } }
            : {}),
        };
      },
    }),
    route({
      method: "POST",
      path: "/api/channel/upstream_prices",
      guard: "admin",
      summary:
        "Reads the price list of a channel's upstream, a gateway that publishes one at /api/pricing; kept for one of its groups, or only asked for its groups",
      body: upstreamPricesBodySchema,
      data: upstreamPricesSchema,
      async answer(context) {
        const { id, group } = context.body;
        const [target] = channels.keysOf(id);
        if (!target) throw new Failure("channel-unusable");
        const list = await fetchGatewayPrices(target, giveWay);
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
          const changed = await channels.change(id, { upstreamPrices: JSON.stringify(kept) });
          if (!changed) throw new Failure("record-not-found");
          await audit(services, context, "channel.upstream_prices", id, { group, count: models });
        }
        return { groups, models, refused: list.refused.length + list.prices.length - models };
      },
    }),
  ];
};
