import type { Receipt } from "@tollgate/contract/api/receipts";
import { COST_UNITS } from "@tollgate/contract/values/quota";
import { readCurrency } from "@tollgate/contract/values/shown-amount";
import { withSymbol } from "@tollgate/contract/values/shown-currency";
import { clsx } from "clsx";
import type { ReactNode } from "react";
import { useTranslation } from "react-i18next";
import { exactQuota } from "../../lib/exact-quota";
import { formatQuota, isShownInCurrency, shownCurrency } from "../../lib/format";
import { RequestRefund } from "./request-refund";

interface CountLine {
  label: string;
  count: number;
  /** A part of the line above it. */
  isPart?: boolean;
  source?: ReactNode;
}

const useSource = () => {
  const { t } = useTranslation();
  return (source: string): string => {
    switch (source) {
      case "upstream":
        return t("receipt.source.upstream");
      case "counted":
        return t("receipt.source.counted");
      default:
        return t("receipt.source.none");
    }
  };
};

const useLines = (receipt: Receipt): CountLine[] => {
  const { t } = useTranslation();
  const source = useSource();
  const part = (label: string, count: number | undefined): CountLine[] =>
    count === undefined ? [] : [{ label, count, isPart: true }];
  return [
    { label: t("receipt.prompt"), count: receipt.prompt_tokens, source: source(receipt.prompt_source) },
    ...part(t("receipt.cacheRead"), receipt.cache_read_tokens),
    ...part(t("receipt.cacheWrite"), receipt.cache_write_tokens),
    ...part(t("receipt.cacheWrite1h"), receipt.cache_write_1h_tokens),
    ...part(t("receipt.audioInput"), receipt.audio_input_tokens),
    {
      label: t("receipt.completion"),
      count: receipt.completion_tokens,
      source: source(receipt.completion_source),
    },
    ...part(t("receipt.reasoning"), receipt.reasoning_tokens),
    ...part(t("receipt.audioOutput"), receipt.audio_output_tokens),
  ];
};

/** The counted units, their source, their prices, and the result. */
export const CostBreakdown = ({ receipt }: { receipt: Receipt }) => {
  const { t } = useTranslation();
  const lines = useLines(receipt);
  return (
    <div className="flex flex-col gap-4">
      <table className="w-full border-collapse text-sm tabular-nums">
        <thead>
          <tr className="border-line border-b text-xs text-ink-2">
            <th scope="col" className="h-8 text-start font-medium">
              {t("receipt.countedAs")}
            </th>
            <th scope="col" className="ps-3 text-end font-medium">
              {t("receipt.tokens")}
            </th>
            <th scope="col" className="px-6 text-start font-medium">
              {t("receipt.sourceTitle")}
            </th>
          </tr>
        </thead>
        <tbody>
          {lines.map(({ label, count, isPart, source }) => (
            <tr key={label} className="border-line border-b last:border-b-0">
              <th
                scope="row"
                className={clsx("h-10 text-start font-normal", isPart && "ps-3 text-sm text-ink-2")}
              >
                {label}
              </th>
              <td className={clsx("ps-3 text-end", isPart ? "text-ink-2" : "font-medium")}>
                {count.toLocaleString("en-US")}
              </td>
              <td className="px-6 text-sm text-ink-2">{source}</td>
            </tr>
          ))}
        </tbody>
      </table>
      {receipt.formula !== "" && (
        <div className="rounded-md bg-sunken px-4 py-3">
          <div className="text-xs text-ink-2">{t("receipt.formula")}</div>
          <p className="mt-1 break-words font-mono text-base leading-relaxed">{receipt.formula}</p>
          <p className="mt-1 text-sm text-ink-2">{t("receipt.formulaHint")}</p>
        </div>
      )}
      <p className="flex flex-wrap items-baseline justify-between gap-x-4 border-line border-t pt-3">
        <span className="font-medium">{t("receipt.charged")}</span>
        <span className="font-semibold text-xl tabular-nums">
          {formatQuota(receipt.quota, 6)}
          {isShownInCurrency() && (
            <span className="ms-2 font-normal text-sm text-ink-2">
              {t("receipt.points", { count: receipt.quota, text: receipt.quota.toLocaleString("en-US") })}
            </span>
          )}
        </span>
      </p>
      <DayRate receipt={receipt} />
      <RequestRefund receipt={receipt} />
      {receipt.cost_thousandths !== undefined && (
        <div className="rounded-md bg-sunken px-4 py-3">
          <div className="flex flex-wrap items-baseline justify-between gap-x-4 text-xs text-ink-2">
            <span>{t("receipt.buyingCost")}</span>
            <span className="font-medium text-base text-ink tabular-nums">
              {formatQuota(receipt.cost_thousandths / COST_UNITS, 6)}
            </span>
          </div>
          <p className="mt-1 break-words font-mono text-sm leading-relaxed">{receipt.cost_formula}</p>
          <p className="mt-1 text-sm text-ink-2">{t("receipt.buyingCostHint")}</p>
        </div>
      )}
      {receipt.shortfall > 0 && (
        <p className="rounded-md bg-yellow-soft px-3 py-2 text-sm text-yellow">
          {t("receipt.shortfall", { amount: formatQuota(receipt.shortfall, 6) })}
        </p>
      )}
      {(receipt.key_shortfall ?? 0) > 0 && (
        <p className="rounded-md bg-yellow-soft px-3 py-2 text-sm text-yellow">
          {t("receipt.keyShortfall", { amount: formatQuota(receipt.key_shortfall ?? 0, 6) })}
        </p>
      )}
      {receipt.quota === 0 && receipt.end === "failed" && (
        <p className="text-sm text-ink-2">{t("receipt.failedIsFree")}</p>
      )}
    </div>
  );
};

/** Length of a date without its time. Rates hold for days in UTC. */
const DAY_LENGTH = "YYYY-MM-DD".length;

/** The charge at the rate of the request's day, where today's is another. */
const DayRate = ({ receipt }: { receipt: Receipt }) => {
  const { t } = useTranslation();
  const shown = readCurrency(receipt);
  const today = shownCurrency();
  if (!shown || !isShownInCurrency()) return null;
  if (shown.currency === today.currency && Number(shown.rate) === Number(today.rate)) return null;
  return (
    <p className="text-end text-sm text-ink-2 tabular-nums">
      {t("receipt.dayRate", {
        day: new Date(receipt.created_at * 1000).toISOString().slice(0, DAY_LENGTH),
        amount: exactQuota(receipt.quota, undefined, shown),
        rate: withSymbol(shown.rate, shown),
        currency: shown.currency,
      })}
    </p>
  );
};
