import {
  cancelRehearsal,
  changePriceDraft,
  createPriceDraft,
  deletePriceDraft,
  getCurrentPrices,
  getPriceDraft,
  getRehearsal,
  listPriceDrafts,
  publishPriceDraft,
  startRehearsal,
  unschedulePriceDraft,
} from "@tollgate/contract/api/price-drafts";
import { PRICE_OPTIONS } from "@tollgate/contract/management/price-draft";
import { withoutProfit } from "../../rehearsal/without-profit";
import { audit } from "../audit";
import { implement, readInteger } from "../route";

/** Drafts of prices, their rehearsals, and publishing them; beyond the contract. */
export const priceDraftRoutes = [
  implement(listPriceDrafts, ({ services }) => services.priceDrafts.list()),
  implement(getCurrentPrices, ({ services: { options } }) => ({
    price_version: options.priceVersion,
    options: Object.fromEntries(PRICE_OPTIONS.map((key) => [key, options.text(key)])),
  })),
  implement(createPriceDraft, async (context) => {
    const draft = await context.services.priceDrafts.create(context.body, context.caller);
    await audit(context.services, context, "prices.draft", draft.name, { id: draft.id });
    return draft;
  }),
  implement(getPriceDraft, ({ services, params }) => services.priceDrafts.find(params.id)),
  implement(changePriceDraft, async (context) => {
    const { services, params, body } = context;
    const draft = await services.priceDrafts.change(params.id, body);
    const options = Object.keys(body.changes).join(", ");
    await audit(services, context, "prices.draft-change", draft.name, { id: draft.id, options });
    return draft;
  }),
  implement(deletePriceDraft, async (context) => {
    const {
      services,
      params: { id },
      query,
    } = context;
    const { priceDrafts } = services;
    await (query.revision === undefined
      ? priceDrafts.remove(id)
      : priceDrafts.discard(id, readInteger(query.revision)));
    await audit(services, context, "prices.discard", String(id));
    return undefined;
  }),
  implement(publishPriceDraft, async (context) => {
    const draft = await context.services.priceDrafts.publish(context.params.id, context.body);
    const action = draft.state === "scheduled" ? "prices.schedule" : "prices.publish";
    await audit(context.services, context, action, draft.name, {
      id: draft.id,
      holds_from: draft.holds_from,
    });
    return draft;
  }),
  implement(unschedulePriceDraft, async (context) => {
    const draft = await context.services.priceDrafts.unschedule(context.params.id, context.body.revision);
    await audit(context.services, context, "prices.unschedule", draft.name, { id: draft.id });
    return draft;
  }),
  implement(getRehearsal, async ({ services, params, permits }) => {
    const found = await services.rehearsals.find(params.id);
    if (!found) return null;
    return permits("profit", "read") ? found : withoutProfit(found);
  }),
  implement(startRehearsal, ({ services, params, body }) => services.rehearsals.start(params.id, body)),
  implement(cancelRehearsal, async ({ services, params }) => {
    await services.rehearsals.cancel(params.id);
    return undefined;
  }),
];
