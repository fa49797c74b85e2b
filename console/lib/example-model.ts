import { useQuery } from "@tanstack/react-query";
import { getPricing, type PricingAnswer } from "@tollgate/contract/api/pricing";
import { endpointQuery } from "./endpoint-query";
import { exampleModel, quotableModel, useOwnExample } from "./offered-models";
import { useSession } from "./session";
import { useStatus } from "./status";

/** A priced model that the reader's own groups offer: other usable groups need a key for them. */
const pricedModel = ({ data, groups }: PricingAnswer): string | undefined => {
  const own = new Set(groups.filter(({ is_own }) => is_own).map(({ name }) => name));
  const offered = data.filter(({ enable_groups }) => enable_groups.some((group) => own.has(group)));
  return exampleModel(offered.map(({ model_name }) => model_name));
};

/**
 * The model of an example request: one that the reader's key may use, else one of the price page if the reader may see
 * it. @param placeholder stands for the name of an unknown one.
 */
export const useExampleModel = (placeholder: string): string => {
  const { user } = useSession();
  const own = useOwnExample();
  const { price_page: pricePage } = useStatus() ?? {};
  const hasPrices = pricePage === "public" || (pricePage === "signed-in" && user !== undefined);
  const isKeyless = user === undefined || own === null;
  const { data: prices } = useQuery({
    ...endpointQuery(getPricing, {}),
    meta: { silent: true },
    enabled: hasPrices && isKeyless,
  });
  return quotableModel(own?.model ?? (prices && pricedModel(prices)) ?? placeholder);
};
