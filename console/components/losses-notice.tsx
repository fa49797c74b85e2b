import { useQuery } from "@tanstack/react-query";
import { Link } from "@tanstack/react-router";
import type { Loss } from "@tollgate/contract/management/buying-price";
import { TrendingDown } from "lucide-react";
import type { ReactNode } from "react";
import { useTranslation } from "react-i18next";
import { useFixedAddress } from "../lib/fixed-address";
import { formatSignedShare } from "../lib/format-measure";
import { lossesQuery } from "../lib/losses-query";

const MAX_NAMED = 5;

/** Whether a loss concerns the record of the page. */
const isOf =
  (fixed: Readonly<Record<string, unknown>>) =>
  ({ channel, model }: Loss): boolean =>
    !("username" in fixed) &&
    (fixed.channel ?? String(channel)) === String(channel) &&
    (fixed.model ?? model) === model;

/**
 * Lists current prices below cost; without such prices renders only the children.
 * @param children content below, shown once the losses are known, so that it does not jump.
 */
export const LossesNotice = ({ children }: { children: ReactNode }) => {
  const { data = [], isPending } = useQuery(lossesQuery);
  const losses = data.filter(isOf(useFixedAddress() ?? {}));
  if (isPending) return <div aria-busy className="min-h-[60dvh]" />;
  return (
    <>
      {losses.length > 0 && <Losses losses={losses} />}
      {children}
    </>
  );
};

const Losses = ({ losses: data }: { losses: readonly Loss[] }) => {
  const { t } = useTranslation();
  const worst = data.toSorted((a, b) => a.margin - b.margin).slice(0, MAX_NAMED);
  return (
    <section
      aria-label={t("profit.losses.title", { count: data.length })}
      className="flex gap-3 rounded-lg border border-line bg-red-soft px-4 py-3"
    >
      <TrendingDown aria-hidden className="mt-0.5 size-4 shrink-0 text-red" />
      <div className="min-w-0">
        <h2 className="font-medium">{t("profit.losses.title", { count: data.length })}</h2>
        <ul className="mt-1 flex flex-col gap-0.5 text-sm">
          {worst.map(({ channel, channel_name, model, group, margin }) => (
            <li key={`${channel} ${model} ${group}`} className="break-words">
              <Link
                to="/channel/buying/$id"
                params={{ id: String(channel) }}
                className="underline underline-offset-2"
              >
                {channel_name || `#${channel}`}
              </Link>{" "}
              {t("profit.losses.row", { model, group, margin: formatSignedShare(margin) })}
            </li>
          ))}
        </ul>
      </div>
    </section>
  );
};
