import type { PriceDifference } from "@tollgate/contract/management/price-sync";
import { clsx } from "clsx";
import { useTranslation } from "react-i18next";
import { formatUsd } from "../../lib/exact-quota";
import { formatCount } from "../../lib/format";
import { formatShareChange } from "../../lib/format-measure";

/** The changes of a price, one line per part. Increases are red, decreases green, and both have signs. */
export const PriceDifferences = ({ differences }: { differences: readonly PriceDifference[] }) => {
  const { t } = useTranslation();
  if (differences.length === 0) return <span className="text-ink-3">{formatUsd(undefined)}</span>;
  return (
    <ul className="flex flex-col gap-0.5">
      {differences.map((difference) => {
        const { part, above_tokens, old, next, percent } = difference;
        return (
          <li key={`${part} ${above_tokens}`} className="flex flex-wrap gap-x-2">
            <span className="text-ink-2">
              {t(`price.part.${part}`)}
              {above_tokens > 0 &&
                ` ${t("price.above", { count: above_tokens, tokens: formatCount(above_tokens) })}`}
            </span>
            <span className="whitespace-nowrap">
              {formatUsd(old)} → {formatUsd(next)}
            </span>
            {percent !== undefined && (
              <span className={clsx("whitespace-nowrap", percent > 0 ? "text-red" : "text-green")}>
                {formatShareChange(percent / 100)}
              </span>
            )}
          </li>
        );
      })}
    </ul>
  );
};
