import { keepPreviousData, useQuery } from "@tanstack/react-query";
import { getProfit, type ProfitSum, profitOf } from "@tollgate/contract/api/profit";
import { clsx } from "clsx";
import { ArrowDown, ArrowUp } from "lucide-react";
import { useTranslation } from "react-i18next";
import { endpointQuery } from "../../lib/endpoint-query";
import { formatShare } from "../../lib/format-measure";
import { formatProfit, formatRevenue } from "../../lib/profit-text";
import { errorRate, measureOf, metricOf } from "../../lib/usage/usage-metric";
import { usageQuery } from "../../lib/usage/usage-query";
import { clockOffsetMinutes, type UsageRange } from "../../lib/usage/usage-range";
import { sumUsage, type UsageSum } from "../../lib/usage/usage-sum";
import type { CockpitRanges } from "./cockpit-range";

/** What is known of a span of time; what a server does not tell stays unknown. */
interface Sums {
  isPending: boolean;
  usage: UsageSum | undefined;
  profit: ProfitSum | undefined;
}

const useSums = (range: UsageRange): Sums => {
  const usage = useQuery({
    ...usageQuery({ isAll: true, range, step: "day", by: "none", filter: {} }),
    placeholderData: keepPreviousData,
    meta: { silent: true },
  });
  const profit = useQuery({
    ...endpointQuery(getProfit, {
      query: {
        start_timestamp: range.from,
        end_timestamp: range.to,
        by: "none",
        offset_minutes: clockOffsetMinutes(),
      },
    }),
    staleTime: 60_000,
    placeholderData: keepPreviousData,
    meta: { silent: true },
  });
  return {
    isPending: usage.isPending || profit.isPending,
    usage: usage.data?.isOffered ? sumUsage(usage.data.points) : undefined,
    profit: profit.data?.total,
  };
};

const TILES = ["requests", "errorRate", "firstByte", "revenue", "profit"] as const;
type TileName = (typeof TILES)[number];

/** Whether more of it is good news, bad news or neither. */
const MEANING: Readonly<Record<TileName, "good" | "bad" | "neither">> = {
  requests: "neither",
  errorRate: "bad",
  firstByte: "bad",
  revenue: "neither",
  profit: "good",
};

/** A change that is smaller says nothing: the first byte is never twice the same. */
const LEAST_CHANGE = 0.05;

const tileValue = (name: TileName, { usage, profit }: Sums): number | undefined => {
  switch (name) {
    case "requests":
      return usage && metricOf("requests", usage);
    case "errorRate":
      return usage && errorRate(usage);
    case "firstByte":
      return usage && metricOf("firstByte", usage);
    case "revenue":
      return profit?.revenue;
    case "profit":
      return profit && profit.costedRequests > 0 ? profitOf(profit) : undefined;
  }
};

const tileText = (name: TileName, sums: Sums): string => {
  const value = tileValue(name, sums);
  if (value === undefined) return "–";
  switch (name) {
    case "errorRate":
      return formatShare(value);
    case "revenue":
      return formatRevenue(value);
    case "profit":
      return sums.profit ? formatProfit(sums.profit) : "–";
    default:
      return measureOf(name).format(value);
  }
};

/** Today's numbers beside those of the same weekday a week before. */
export const TodayTiles = ({ today, weekBefore }: Pick<CockpitRanges, "today" | "weekBefore">) => {
  const { t } = useTranslation();
  const [now, before] = [useSums(today), useSums(weekBefore)];
  return (
    <section
      aria-label={t("cockpit.today")}
      aria-busy={now.isPending}
      className="grid grid-cols-2 gap-3 wide:grid-cols-5"
    >
      {TILES.map((name) => (
        <div
          key={name}
          className={clsx(
            "flex min-h-[106px] min-w-0 flex-col rounded-lg border border-line bg-surface px-4 py-3",
            name === "profit" && "max-wide:col-span-2",
          )}
        >
          <span className="text-sm text-ink-2">{t(`cockpit.tile.${name}`)}</span>
          {!now.isPending ? (
            <>
              <span className="mt-0.5 flex flex-wrap items-baseline gap-x-2">
                <span
                  className={clsx(
                    "whitespace-nowrap font-semibold text-xl leading-8 tabular-nums",
                    name === "profit" && (tileValue(name, now) ?? 0) < 0 && "text-red",
                  )}
                >
                  {tileText(name, now)}
                </span>
                <Change name={name} now={tileValue(name, now)} before={tileValue(name, before)} />
              </span>
              <span className="text-xs text-ink-3 tabular-nums">
                {t("cockpit.before", { value: tileText(name, before) })}
              </span>
            </>
          ) : (
            <span className="skeleton mt-3 h-7 w-24" />
          )}
        </div>
      ))}
    </section>
  );
};

interface ChangeProps {
  name: TileName;
  now: number | undefined;
  before: number | undefined;
}

const Change = ({ name, now, before }: ChangeProps) => {
  const { t } = useTranslation();
  if (now === undefined || before === undefined || before <= 0) return null;
  const change = (now - before) / before;
  if (Math.abs(change) < LEAST_CHANGE) return null;
  const isMore = change > 0;
  const Arrow = isMore ? ArrowUp : ArrowDown;
  const meaning = MEANING[name];
  const isGood = (meaning === "good") === isMore;
  return (
    <span
      className={clsx(
        "flex items-center gap-0.5 whitespace-nowrap font-medium text-xs tabular-nums",
        meaning === "neither" ? "text-ink-2" : isGood ? "text-green" : "text-red",
      )}
    >
      <Arrow aria-hidden className="size-3" />
      <span className="sr-only">{t(isMore ? "cockpit.more" : "cockpit.less")}</span>
      {change > 9.99 ? ">999%" : formatShare(Math.abs(change))}
    </span>
  );
};
