import { getPricing } from "@tollgate/contract/api/pricing";
import { createPriceList } from "../../prices/price-list";
import { KeptViews } from "../../state/kept-views";
import { yieldToOthers } from "../../yield-to-others";
import { versionOf, writeKeptAnswer } from "../kept-answers";
import { implement, type KeptAnswer, type Route } from "../route";
import type { Services } from "../services";
import { type PageReader, readPageReader } from "../site/page-reader";

/** Prices of models for the reader; beyond the contract, in the format of new-api's answer. */
export const pricingRoutes = (services: Services): Route[] => {
  const { channels, pricing, groupAccess, now } = services;
  const kept = new KeptViews<KeptAnswer>(services);

  const make = async (groups: readonly string[], id: number | undefined): Promise<KeptAnswer> => {
    const list = await createPriceList(
      {
        book: pricing.book(),
        find: pricing.find,
        modelsOf: (group) => channels.modelsOf(group),
        candidates: (group, model) => channels.candidates(group, model),
        nowMs: now() * 1000,
        yieldToOthers,
      },
      { payer: { id, groups }, usable: groupAccess.usableBy(groups), auto: groupAccess.autoOf(groups) },
    );
    const version = versionOf(list);
    return writeKeptAnswer({ ...list, pricing_version: version }, version);
  };

  /** One list for all readers with the same groups and no price rule. */
  const listFor = ({ user, groups }: PageReader): Promise<KeptAnswer> => {
    const id = pricing.book().rules?.names(user?.id) ? user?.id : undefined;
    return kept.of(`${id ?? ""} ${groups.join(",")}`, () => make(groups, id));
  };

  return [
    implement(getPricing, async ({ request }) =>
      listFor(await readPageReader(services, request, "PricePage")),
    ),
  ];
};
