import {
  acceptedPricesSchema,
  acceptPricesBodySchema,
  lockPriceBodySchema,
  missingPricesSchema,
  type PricePreview,
  pricePreviewBodySchema,
  pricePreviewSchema,
} from "@tollgate/contract/management/price-sync";
import { isRoot } from "@tollgate/contract/values/roles";
import { isModelName } from "@tollgate/vendors/price-sources/source-price";
import type { z } from "zod/mini";
import { giveWay } from "../../give-way";
import { acceptPrices } from "../../prices/accept-prices";
import { comparePrices } from "../../prices/compare-prices";
import { fetchPrices, MAX_DOCUMENT_BYTES } from "../../prices/fetch-prices";
import { lockedPrices, lockPrice } from "../../prices/locked-prices";
import { missingPrices } from "../../prices/missing-prices";
import { offeredModels } from "../../prices/offered-models";
import { audit } from "../audit";
import { Failure } from "../failure";
import { type Route, route } from "../route";
import type { Services } from "../services";

/** A document travels as a text of JSON: its quotes take a second byte. */
const BODY_LIMIT_BYTES = 1.5 * MAX_DOCUMENT_BYTES;

/** What the audit log names of the models of one acceptance. */
const NAMED_MODELS = 100;

/** Prices beside those of published lists, and what has none; beyond the contract. */
export const priceRoutes = (services: Services): Route[] => {
  const { channels, options, pricing, notices, now } = services;
  const nowMs = (): number => now() * 1000;
  let isComparing = false;

  const preview = async (body: z.output<typeof pricePreviewBodySchema>): Promise<PricePreview> => {
    const document = await fetchPrices(body, nowMs(), giveWay);
    const version = options.priceVersion;
    const rows = await comparePrices({
      book: pricing.book(),
      nowMs: nowMs(),
      document,
      offered: new Set(offeredModels(channels.enabled()).keys()),
      locked: lockedPrices(options),
      isOnlyOffered: body.only_offered ?? true,
      giveWay,
    });
    return { price_version: version, rows };
  };

  return [
    route({
      method: "POST",
      path: "/api/prices/preview",
      guard: "admin",
      summary:
        "Compares the prices with those of a published list; changes nothing. Only root names an address",
      body: pricePreviewBodySchema,
      data: pricePreviewSchema,
      bodyLimitBytes: BODY_LIMIT_BYTES,
      async answer({ body, caller }) {
        if (body.source === "url" && !isRoot(caller.role)) throw new Failure("prices-address-root-only");
        // A list is megabytes: one at a time is enough for any number of administrators.
        if (isComparing) throw new Failure("prices-busy");
        isComparing = true;
        try {
          return await preview(body);
        } finally {
          isComparing = false;
        }
      },
    }),
    route({
      method: "POST",
      path: "/api/prices/accept",
      guard: "root",
      summary: "Takes prices of a preview over into the option ModelPrice, all or none",
      body: acceptPricesBodySchema,
      data: acceptedPricesSchema,
      async answer(context) {
        const { prices, price_version, source } = context.body;
        const models = Object.keys(prices);
        await acceptPrices({ options, pricing, nowMs: nowMs(), giveWay }, prices, price_version);
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
      },
    }),
    route({
      method: "PUT",
      path: "/api/prices/lock",
      guard: "root",
      summary: "Locks a model's price, so that no list changes it, or unlocks it",
      body: lockPriceBodySchema,
      async answer(context) {
        const { model, is_locked } = context.body;
        if (!isModelName(model) || model.includes(",")) throw new Failure("invalid-parameter");
        await lockPrice(options, model, is_locked);
        await audit(services, context, is_locked ? "prices.lock" : "prices.unlock", model);
        return undefined;
      },
    }),
    route({
      method: "GET",
      path: "/api/prices/missing",
      guard: "admin",
      summary: "Offered models that requests are refused for, because they have no price",
      data: missingPricesSchema,
      answer: () => ({
        price_version: options.priceVersion,
        models: missingPrices(pricing.book(), offeredModels(channels.enabled()), nowMs()),
      }),
    }),
  ];
};
