import {
  buyingPreviewBodySchema,
  buyingPreviewSchema,
  upstreamPricesBodySchema,
  upstreamPricesSchema,
} from "../management/buying-price";
import { endpoint } from "../resource/endpoint";
import { plain } from "../resource/resource";

/* Buying prices of channels; beyond the contract. The prices themselves are a field of the channel. */

export const previewBuyingPrices = endpoint({
  method: "POST",
  path: "/api/channel/buying_prices/preview",
  guard: "admin",
  area: "channels",
  summary: "The buying and selling prices of a channel's models, for the values of a form; changes nothing",
  body: buyingPreviewBodySchema,
  data: plain(buyingPreviewSchema),
  reads: "channels",
});

export const readUpstreamPrices = endpoint({
  method: "POST",
  path: "/api/channel/upstream_prices",
  guard: "admin",
  area: "channels",
  summary:
    "Reads the price list of a channel's upstream, a gateway that publishes one at /api/pricing; stores it for one of its groups, or only lists its groups",
  body: upstreamPricesBodySchema,
  data: plain(upstreamPricesSchema),
  changes: ["channels"],
});
