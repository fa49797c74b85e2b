import { listMissingPrices, previewPrices, setPriceLock, takePrices } from "@tollgate/contract/api/prices";
import type { PricePreview, PricePreviewBody } from "@tollgate/contract/management/price-sync";
import { isRoot } from "@tollgate/contract/values/roles";
import { isModelName } from "@tollgate/vendors/price-sources/source-price";
import { acceptPrices } from "../../prices/accept-prices";
import { comparePrices } from "../../prices/compare-prices";
import { fetchPrices } from "../../prices/fetch-prices";
import { lockedPrices, lockPrice } from "../../prices/locked-prices";
import { firstMissing, missingPrices } from "../../prices/missing-prices";
import { offeredModels } from "../../prices/offered-models";
import { yieldToOthers } from "../../yield-to-others";
import { audit } from "../audit";
import { Failure } from "../failure";
import { implement, type Route, readInteger } from "../route";
import type { Services } from "../services";

/** Maximum number of an acceptance's models named in the audit log. */
const NAMED_MODELS = 100;

/** Prices beside those of published lists, and models without one; beyond the contract. */
export const priceRoutes = (services: Services): Route[] => {
  const { channels, options, pricing, notices, now } = services;
  const nowMs = (): number => now() * 1000;
  let isComparing = false;

  const preview = async (body: PricePreviewBody): Promise<PricePreview> => {
    const document = await fetchPrices(body, nowMs(), yieldToOthers);
    const version = options.priceVersion;
    const rows = await comparePrices({
      book: pricing.book(),
      nowMs: nowMs(),
      document,
      offered: new Set(offeredModels(channels.enabled()).keys()),
      locked: lockedPrices(options),
      isOnlyOffered: body.only_offered ?? true,
      yieldToOthers,
    });
    return { price_version: version, rows };
  };

  return [
    implement(previewPrices, async ({ body, rank }) => {
      if (body.source === "url" && !isRoot(rank)) throw new Failure("prices-address-root-only");
      // A list is megabytes: one at a time is enough for any number of administrators.
      if (isComparing) throw new Failure("prices-busy");
      isComparing = true;
      try {
        return await preview(body);
      } finally {
        isComparing = false;
      }
    }),
    implement(takePrices, async (context) => {
      const { prices, price_version, source } = context.body;
      const models = Object.keys(prices);
      await acceptPrices({ options, pricing, nowMs: nowMs(), yieldToOthers }, prices, price_version);
      await audit(services, context, "prices.accept", source, {
        count: models.length,
        models: models.slice(0, NAMED_MODELS).join(", "),
      });
      notices.raise({
        event: "prices-changed",
        subject: options.priceVersion,
        params: { count: models.length, source },
      });
      return { accepted: models.length, price_version: options.priceVersion };
    }),
    implement(setPriceLock, async (context) => {
      const { model, is_locked } = context.body;
      if (!isModelName(model) || model.includes(",")) throw new Failure("invalid-parameter");
      await lockPrice(options, model, is_locked);
      await audit(services, context, is_locked ? "prices.lock" : "prices.unlock", model);
      return undefined;
    }),
    implement(listMissingPrices, ({ query }) => {
      const offering = channels.enabled();
      const id = query.channel ? readInteger(query.channel) : undefined;
      const asked = id === undefined ? offering : offering.filter((channel) => channel.id === id);
      const missing = missingPrices(pricing.book(), offeredModels(asked), nowMs());
      return { price_version: options.priceVersion, ...firstMissing(missing) };
    }),
  ];
};
