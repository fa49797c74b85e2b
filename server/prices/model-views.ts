import type { ListedModel, ModelFacts } from "@tollgate/contract/relay/client-api";
import { quotaPerUnitOf } from "@tollgate/metering/price";
import type { Payer } from "@tollgate/metering/price-rules";
import { usdPriceOf } from "@tollgate/metering/usd-price";
import type { ApiKey } from "@tollgate/relay/ports/directory";
import { upstreamModelOf } from "@tollgate/relay/routing/upstream-target";
import type { NamedModel } from "../state/gateway-directory";
import { KeptViews } from "../state/kept-views";
import { knownFactsOf } from "./known-facts";
import type { PriceListSources } from "./price-list";

/** Models between two turns of others, as in the list of prices. */
const MODELS_A_TURN = 20;

/** Dependencies of the models' facts. */
export interface ModelViewTools
  extends Pick<PriceListSources, "find" | "modelsOf" | "candidates" | "yieldToOthers"> {
  book(): PriceListSources["book"];
  groupsOf(key: ApiKey): readonly string[];
  /** Whether the site shows prices to its users. */
  showsPrices(): boolean;
  /** Events after which the facts may be others. */
  changing: ConstructorParameters<typeof KeptViews>[0];
}

/** A model without facts; one missing in all price lists, an administrator's own, is "custom". */
export const listedModel = (id: string): ListedModel => ({
  id,
  owner: knownFactsOf(id).owner?.id ?? "custom",
});

const withFacts = ({ name, model }: NamedModel, facts: ModelFacts | undefined): ListedModel => ({
  ...listedModel(model),
  id: name,
  ...(facts ? { facts } : {}),
});

const factsOf = (
  { book, find, candidates, showsPrices }: ModelViewTools,
  groups: readonly string[],
  payer: Payer,
  model: string,
): ModelFacts | undefined => {
  for (const group of groups) {
    // A request goes to the first group that offers the model, and the first channel decides its name upstream.
    const [first] = candidates(group, model);
    if (!first) continue;
    const name = upstreamModelOf(first.channel, model);
    const { owner: _, ...facts } = knownFactsOf(name);
    const price = showsPrices() ? find(name, group, payer, model) : undefined;
    return { ...facts, price: price && usdPriceOf(price, quotaPerUnitOf(book())) };
  }
  return undefined;
};

/** The models of keys as /v1/models lists them, with the facts of the price page. */
export const createModelViews = (tools: ModelViewTools) => {
  const { book, groupsOf, modelsOf, yieldToOthers, changing } = tools;
  const kept = new KeptViews<ReadonlyMap<string, ModelFacts>>(changing);

  const make = async (groups: readonly string[], payer: Payer): Promise<ReadonlyMap<string, ModelFacts>> => {
    const view = new Map<string, ModelFacts>();
    let count = 0;
    for (const model of new Set(groups.flatMap(modelsOf))) {
      if (++count % MODELS_A_TURN === 0) await yieldToOthers();
      const facts = factsOf(tools, groups, payer, model);
      if (facts) view.set(model, facts);
    }
    return view;
  };

  const payerOf = ({ user }: ApiKey): Payer => ({ id: user.id, groups: user.groups });

  return {
    /** Adds the facts to models of a key. Keys with the same groups share a view, unless a price rule names their user. */
    async list(key: ApiKey, models: readonly NamedModel[]): Promise<ListedModel[]> {
      const groups = groupsOf(key);
      const payer = payerOf(key);
      const own = book().rules?.names(key.user.id) ? key.user.id : undefined;
      const reader = JSON.stringify([groups, key.user.groups, own]);
      const view = await kept.of(reader, () => make(groups, payer));
      return models.map((named) => withFacts(named, view.get(named.model)));
    },

    /** Adds the facts to one model of a key. */
    describe(key: ApiKey, named: NamedModel): ListedModel {
      return withFacts(named, factsOf(tools, groupsOf(key), payerOf(key), named.model));
    },
  };
};

export type ModelViews = ReturnType<typeof createModelViews>;
