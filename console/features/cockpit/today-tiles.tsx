import { keepPreviousData, useQuery } from "@tanstack/react-query";
import { Link, type LinkProps } from "@tanstack/react-router";
import { getProfit, hasKnownCost, type ProfitSum, profitOf } from "@tollgate/contract/api/profit";
import type { Quantiles } from "@tollgate/contract/api/usage";
import { LOG_CONSUME, LOG_ERROR } from "@tollgate/contract/values/statuses";
import { clsx } from "clsx";
import { useTranslation } from "react-i18next";
import { Change } from "../../components/change";
import { endpointQuery } from "../../lib/endpoint-query";
import { formatTime } from "../../lib/format";
import { formatShare } from "../../lib/format-measure";
import { formatProfit, formatRevenue } from "../../lib/profit-text";
import { useSession } from "../../lib/session";
import type { ChangeMeaning } from "../../lib/usage/change";
import { latencyQuery } from "../../lib/usage/latency-query";
import { allRequests, errorRate, measureOf, metricOf } from "../../lib/usage/usage-metric";
import { usageQuery } from "../../lib/usage/usage-query";
import { clockOffsetMinutes, type UsageRange } from "../../lib/usage/usage-range";
import { sumUsage, type UsageSum } from "../../lib/usage/usage-sum";
import type { CockpitRanges } from "./cockpit-range";

/** The figures of a time range; those that a server does not report are undefined. */
interface Sums {
  isPending: boolean;
  usage: UsageSum | undefined;
  profit: ProfitSum | undefined;
  /** Of the first byte of streams. */
  firstByte: Quantiles | undefined;
}

const useSums = (range: UsageRange): Sums => {
  const usage = useQuery({
    ...usageQuery({ isAll: true, range, step: "day", by: "none", filter: {} }),
    placeholderData: keepPreviousData,
    meta: { silent: true },
  });
  const seesProfit = useSession().may("profit");
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
    enabled: seesProfit,
    meta: { silent: true },
  });
  const latency = useQuery({
    ...latencyQuery({ isAll: true, range, step: "range", by: "none", filter: {} }),
    placeholderData: keepPreviousData,
  });
  return {
    isPending: usage.isPending || (seesProfit && profit.isPending) || latency.isPending,
    usage: usage.data?.isOffered ? sumUsage(usage.data.points) : undefined,
    profit: profit.data?.total,
    firstByte: latency.data?.points[0]?.first_byte,
  };
};

const TILES = ["requests", "errorRate", "firstByte", "revenue", "profit"] as const;
type TileName = (typeof TILES)[number];
const OF_PROFIT: ReadonlySet<TileName> = new Set(["revenue", "profit"]);

const MEANING: Readonly<Record<TileName, ChangeMeaning>> = {
  requests: "neither",
  errorRate: "bad",
  firstByte: "bad",
  revenue: "neither",
  profit: "good",
};

const tileValue = (name: TileName, { usage, profit, firstByte }: Sums): number | undefined => {
  switch (name) {
    case "requests":
      return usage && metricOf("requests", usage);
    case "errorRate":
      return usage && errorRate(usage);
    case "firstByte":
      return firstByte?.p95_ms;
    case "revenue":
      return profit?.revenue;
    case "profit":
      return profit && hasKnownCost(profit) ? profitOf(profit) : undefined;
  }
};

/** Number of requests behind a comparison. */
const sampleOf = (name: TileName, now: Sums, before: Sums): number => {
  const both = (count: (sums: Sums) => number | undefined): [number, number] => [
    count(now) ?? 0,
    count(before) ?? 0,
  ];
  switch (name) {
    case "requests":
      return Math.min(...both(({ usage }) => usage && allRequests(usage)));
    case "errorRate":
      return Math.max(...both(({ usage }) => usage?.errors));
    case "firstByte":
      return Math.min(...both(({ firstByte }) => firstByte?.requests));
    case "revenue":
      return Math.min(...both(({ profit }) => profit?.requests));
    case "profit":
      return Math.min(...both(({ profit }) => profit?.costedRequests));
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

/** The records behind a number, or its history. */
const tileLink = (name: TileName, { from, to }: UsageRange): LinkProps => {
  const lines = { from: formatTime(from), to: formatTime(to) };
  switch (name) {
    case "requests":
      return { to: "/log", search: lines };
    case "errorRate":
      return { to: "/log", search: { ...lines, type: LOG_ERROR } };
    case "firstByte":
      return { to: "/dashboard", search: { range: "today", metric: "firstByte" } };
    case "revenue":
      return { to: "/log", search: { ...lines, type: LOG_CONSUME } };
    case "profit":
      return { to: "/profit", search: { range: "today" } };
  }
};

/** Today's figures beside those of the same weekday a week earlier. */
export const TodayTiles = ({ today, weekBefore }: Pick<CockpitRanges, "today" | "weekBefore">) => {
  const { t } = useTranslation();
  const [now, before] = [useSums(today), useSums(weekBefore)];
  const seesProfit = useSession().may("profit");
  return (
    <section
      aria-label={t("cockpit.today")}
      aria-busy={now.isPending}
      className="grid grid-cols-2 gap-3 wide:grid-cols-5"
    >
      {TILES.filter((name) => seesProfit || !OF_PROFIT.has(name)).map((name) => (
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
                  <Link {...tileLink(name, today)} className="underline-offset-2 hover:underline">
                    {tileText(name, now)}
                  </Link>
                </span>
                <Change
                  now={tileValue(name, now)}
                  before={tileValue(name, before)}
                  meaning={MEANING[name]}
                  sample={sampleOf(name, now, before)}
                  isPercentile={name === "firstByte"}
                />
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
