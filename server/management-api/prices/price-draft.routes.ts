import {
  changePriceDraftSchema,
  currentPricesSchema,
  newPriceDraftSchema,
  PRICE_OPTIONS,
  priceDraftSchema,
  priceDraftSummariesSchema,
  publishPriceDraftSchema,
  rehearsalSchema,
  startRehearsalSchema,
} from "@tollgate/contract/management/price-draft";
import { z } from "zod/mini";
import { audit } from "../audit";
import { type Route, readInteger, route } from "../route";
import type { Services } from "../services";

const ID = "/api/price-drafts/:id";

/** Drafts of prices, their rehearsals, and publishing them; beyond the contract. */
export const priceDraftRoutes = (services: Services): Route[] => {
  const { options, priceDrafts, rehearsals } = services;
  const idOf = ({ id }: Record<string, string>): number => readInteger(id);
  return [
    route({
      method: "GET",
      path: "/api/price-drafts",
      guard: "admin",
      summary:
        "Drafts of prices, the newest first: how many entries each changes, and how many of these somebody else has changed since",
      data: priceDraftSummariesSchema,
      answer: () => priceDrafts.list(),
    }),
    route({
      method: "GET",
      path: "/api/price-drafts/current",
      guard: "admin",
      summary: "The options that prices follow from, as they are now: what a draft changes",
      data: currentPricesSchema,
      answer: () => ({
        price_version: options.priceVersion,
        options: Object.fromEntries(PRICE_OPTIONS.map((key) => [key, options.text(key)])),
      }),
    }),
    route({
      method: "POST",
      path: "/api/price-drafts",
      guard: "admin",
      summary: "Makes a draft of prices, which changes nothing until it is published",
      body: newPriceDraftSchema,
      data: priceDraftSchema,
      async answer(context) {
        const draft = await priceDrafts.create(context.body, context.caller);
        await audit(services, context, "prices.draft", draft.name, { id: draft.id });
        return draft;
      },
    }),
    route({
      method: "GET",
      path: ID,
      guard: "admin",
      summary:
        "A draft of prices whole: what it changes, what that was, and what somebody else has changed since",
      data: priceDraftSchema,
      answer: ({ params }) => priceDrafts.find(idOf(params)),
    }),
    route({
      method: "PUT",
      path: ID,
      guard: "admin",
      summary:
        "Changes a draft that is neither scheduled nor published; with `rebase` the prices of now are what it is compared with",
      body: changePriceDraftSchema,
      data: priceDraftSchema,
      answer: ({ params, body }) => priceDrafts.change(idOf(params), body),
    }),
    route({
      method: "DELETE",
      path: ID,
      guard: "admin",
      summary: "Discards a draft (query `revision`), or deletes one that was published or discarded",
      query: { revision: "Which one was seen; left out to delete one that was published or discarded" },
      async answer(context) {
        const { params, query } = context;
        const id = idOf(params);
        await (query.revision === undefined
          ? priceDrafts.remove(id)
          : priceDrafts.discard(id, readInteger(query.revision)));
        await audit(services, context, "prices.discard", String(id));
        return undefined;
      },
    }),
    route({
      method: "POST",
      path: `${ID}/publish`,
      guard: "root",
      summary:
        "Makes all that a draft changes the prices, now or from `holds_from` on; refused where somebody has changed the same meanwhile",
      body: publishPriceDraftSchema,
      data: priceDraftSchema,
      async answer(context) {
        const draft = await priceDrafts.publish(idOf(context.params), context.body);
        const action = draft.state === "scheduled" ? "prices.schedule" : "prices.publish";
        await audit(services, context, action, draft.name, { id: draft.id, holds_from: draft.holds_from });
        return draft;
      },
    }),
    route({
      method: "POST",
      path: `${ID}/unschedule`,
      guard: "root",
      summary: "Takes a scheduled draft back, to be changed or published at another time",
      body: publishPriceDraftSchema,
      data: priceDraftSchema,
      async answer(context) {
        const draft = await priceDrafts.unschedule(idOf(context.params), context.body.revision);
        await audit(services, context, "prices.unschedule", draft.name, { id: draft.id });
        return draft;
      },
    }),
    route({
      method: "GET",
      path: `${ID}/rehearsal`,
      guard: "admin",
      summary: "How far the rehearsal of a draft is, and its result; null before the first one",
      data: z.nullable(rehearsalSchema),
      answer: async ({ params }) => (await rehearsals.find(idOf(params))) ?? null,
    }),
    route({
      method: "POST",
      path: `${ID}/rehearsal`,
      guard: "admin",
      summary:
        "Begins to run a draft over the usage from `from` to `to` (unix seconds, `to` excluded); prices with dates as of each call, or as of `as_of`",
      body: startRehearsalSchema,
      data: rehearsalSchema,
      answer: ({ params, body }) => rehearsals.start(idOf(params), body),
    }),
    route({
      method: "DELETE",
      path: `${ID}/rehearsal`,
      guard: "admin",
      summary: "Cancels the rehearsal of a draft that is running",
      async answer({ params }) {
        await rehearsals.cancel(idOf(params));
        return undefined;
      },
    }),
  ];
};
