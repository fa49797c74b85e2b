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
  summary: "What a channel's models are bought and sold at, as it stands in a form; changes nothing",
  body: buyingPreviewBodySchema,
  data: plain(buyingPreviewSchema),
  reads: "channels",
});

export const readUpstreamPrices = endpoint({
  method: "POST",
  path: "/api/channel/upstream_prices",
  guard: "admin",
  summary:
    "Reads the price list of a channel's upstream, a gateway that publishes one at /api/pricing; kept for one of its groups, or only asked for its groups",
  body: upstreamPricesBodySchema,
  data: plain(upstreamPricesSchema),
  changes: ["channels"],
});
