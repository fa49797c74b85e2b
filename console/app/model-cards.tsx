import { useQuery } from "@tanstack/react-query";
import type { ReactNode } from "react";
import { modelStatusQuery } from "../features/model-status/model-status-query";
import { OneModelStatus } from "../features/model-status/one-model-status";
import { ModelAbilities } from "../features/pricing/model-abilities";
import { ModelPrice } from "../features/pricing/model-price";
import { pricingQuery } from "../features/pricing/pricing-query";
import { useStatus } from "../lib/status";

interface ModelCardsProps {
  model: string;
  /** Shown below the cards, once it is known which of them exist, so that it does not jump. */
  children: ReactNode;
}

/** Price and health of one model, if the site shows them. */
export const ModelCards = ({ model, children }: ModelCardsProps) => {
  const { price_page: pricePage = "off", model_status: statusPage = "off" } = useStatus() ?? {};
  const isPriced = pricePage !== "off";
  const isWatched = statusPage !== "off";
  const prices = useQuery({ ...pricingQuery, meta: { silent: true }, enabled: isPriced });
  const health = useQuery({ ...modelStatusQuery, meta: { silent: true }, enabled: isWatched });
  if (prices.isLoading || health.isLoading) return <div aria-busy className="min-h-[60dvh]" />;
  const priced = prices.data?.data.find(({ model_name }) => model_name === model);
  return (
    <>
      <div className="grid items-start gap-4 empty:hidden lg:grid-cols-2">
        {prices.data && <ModelPrice answer={prices.data} name={model} />}
        {priced && <ModelAbilities model={priced} />}
        <OneModelStatus
          status={health.data?.models.find((each) => each.model === model)}
          updatedAt={health.data?.updated_at ?? 0}
        />
      </div>
      {children}
    </>
  );
};
