import type { PricedModel, PricingAnswer } from "@tollgate/contract/api/pricing";
import { useTranslation } from "react-i18next";
import { Badge } from "../../components/badge";
import { type ClassPrices, formatPrice, formatTokens, shownPrice, usePriceUnit } from "./shown-price";

const USUAL = ["input", "output", "cacheRead", "cacheWrite"] as const;
/** Classes of tokens that few models charge apart. */
const RARE = ["cacheWrite1h", "audioInput", "audioOutput"] as const;

/** The price of one model in each group of the user; empty for a model without a price. */
export const ModelPrice = ({ answer, name }: { answer: PricingAnswer; name: string }) => {
  const model = answer.data.find(({ model_name }) => model_name === name);
  return model ? <PriceTable answer={answer} model={model} /> : null;
};

const PriceTable = ({ answer, model }: { answer: PricingAnswer; model: PricedModel }) => {
  const { t } = useTranslation();
  const groups = answer.groups
    .filter(({ name }) => model.enable_groups.includes(name))
    .map((group) => ({ ...group, price: shownPrice(model, group.name, Number(group.ratio)) }));
  const unit = usePriceUnit();
  const isRare = (name: (typeof RARE)[number]) => groups.some(({ price }) => price[name] !== undefined);
  const columns = [...USUAL, ...RARE.filter(isRare)];
  const cells = (price: ClassPrices) =>
    columns.map((column) => (
      <td key={column} className="whitespace-nowrap px-2 text-end last:pe-4">
        {price[column] === undefined ? "–" : formatPrice(price[column])}
      </td>
    ));
  const doesReason = model.features?.reasoning === true;
  const traits = (model.traits ?? []).map((trait) => t(`pricing.trait.${trait}`));
  const title = t("pricing.title");
  return (
    <section aria-label={title} className="min-w-0 rounded-lg border border-line bg-surface">
      <header className="flex min-h-11 flex-wrap items-center justify-between gap-x-4 gap-y-1 px-4 py-2">
        <h2 className="font-semibold text-base">
          {title} <span className="font-normal text-sm text-ink-2">{unit}</span>
        </h2>
        <span className="flex flex-wrap gap-1">
          {traits.map((trait) => (
            <Badge key={trait}>{trait}</Badge>
          ))}
        </span>
      </header>
      <div className="overflow-x-auto">
        <table aria-label={title} className="w-full border-collapse text-sm tabular-nums">
          <thead>
            <tr className="border-line border-t text-xs text-ink-2">
              <th scope="col" className="h-9 px-4 text-start font-medium">
                {t("pricing.group")}
              </th>
              {columns.map((column) => (
                <th key={column} scope="col" className="px-2 text-end font-medium last:pe-4">
                  {t(`pricing.${column}`)}
                </th>
              ))}
            </tr>
          </thead>
          <tbody>
            {groups.flatMap(({ name, ratio, price }) => [
              <tr key={name} className="border-line border-t">
                <td className="h-9 px-4 py-1.5">
                  <span className="flex flex-wrap items-center gap-1">
                    {name}
                    {price.rule === undefined ? (
                      <span className="text-ink-2">× {ratio}</span>
                    ) : (
                      <Badge tone="green">{t("pricing.yours", { name: price.rule })}</Badge>
                    )}
                  </span>
                </td>
                {price.perCall === undefined ? (
                  cells(price)
                ) : (
                  <td colSpan={columns.length} className="px-4 text-end">
                    {t("pricing.perCall", { price: formatPrice(price.perCall) })}
                  </td>
                )}
              </tr>,
              ...(price.tiers ?? []).map((tier) => (
                <tr key={`${name} ${tier.above}`}>
                  <td className="h-8 whitespace-nowrap px-4 text-end text-ink-2">
                    {t("pricing.above", { tokens: formatTokens(tier.above) })}
                  </td>
                  {cells(tier)}
                </tr>
              )),
            ])}
          </tbody>
        </table>
      </div>
      {doesReason && (
        <p className="border-line border-t px-4 py-2 text-sm text-ink-2">{t("pricing.reasoningNote")}</p>
      )}
    </section>
  );
};
