import { Link } from "@tanstack/react-router";
import type { UsageGrouping } from "@tollgate/contract/control/usage";
import { clsx } from "clsx";
import { ListFilter } from "lucide-react";
import { useState } from "react";
import { useTranslation } from "react-i18next";
import { Button } from "../../components/button";
import { type ChartColor, GROUP_COLORS, groupColor } from "../../components/chart/chart-colors";
import { Sparkline } from "../../components/chart/sparkline";
import { formatCount } from "../../lib/format";
import { formatShare } from "../../lib/format-measure";
import {
  allRequests,
  errorRate,
  isMean,
  measureOf,
  metricOf,
  type UsageMetric,
} from "../../lib/usage/usage-metric";
import type { UsageGroup } from "../../lib/usage/usage-sum";
import { rankGroups } from "./chart-series";
import type { DashboardSearch } from "./dashboard-search";
import { groupName } from "./group-name";
import { groupFilter } from "./log-search-of";
import { useRanking, type View } from "./use-dashboard";
import { useLogSearch } from "./use-log-search";

/** More rows than this are folded away. */
const SHOWN = 6;

interface RankingCardProps {
  view: View;
  by: Exclude<UsageGrouping, "none">;
  metric: UsageMetric;
  onFilter: (filter: DashboardSearch) => void;
}

/** Who or what used most, of one grouping: by the chosen metric, with shares. */
export const RankingCard = ({ view, by, metric, onFilter }: RankingCardProps) => {
  const { t } = useTranslation();
  const { usage, query } = useRanking(view, by);
  const [isOpen, setOpen] = useState(false);
  const title = t(`dashboard.ranking.${by}`);
  const ranked = usage && rankGroups(usage.groups, metric);
  const shown = isOpen ? ranked : ranked?.slice(0, SHOWN);
  return (
    <section aria-label={title} className="flex min-w-0 flex-col rounded-lg border border-line bg-surface">
      <div className="overflow-x-auto">
        <table aria-label={title} className="w-full border-collapse text-[13.5px] tabular-nums">
          <thead>
            <tr className="text-[12.5px] text-ink-2">
              <th scope="col" className="h-11 w-full px-4 text-start font-semibold text-[14px] text-ink">
                <h2>{title}</h2>
              </th>
              <th scope="col" className="whitespace-nowrap px-2 text-end font-medium">
                {t(`usage.metric.${metric}`)}
              </th>
              <th scope="col" className="whitespace-nowrap px-2 text-end font-medium max-wide:hidden">
                {isMean(metric) ? t("usage.metric.requests") : t("dashboard.share")}
              </th>
              <th scope="col" className="whitespace-nowrap px-2 text-end font-medium max-wide:hidden">
                {t("dashboard.errorRate")}
              </th>
              <th scope="col" className="px-2 font-medium">
                <span className="sr-only">{t("field.actions")}</span>
              </th>
            </tr>
          </thead>
          <tbody>
            {shown?.map((group, rank) => (
              <Row
                key={group.key}
                view={view}
                by={by}
                metric={metric}
                group={group}
                // Only the groups of the chart have its colours.
                color={view.by === by ? groupColor(rank) : GROUP_COLORS[0]}
                of={usage?.all ?? group}
                onFilter={onFilter}
              />
            )) ?? <Waiting error={query.error} onRetry={() => void query.refetch()} />}
            {ranked?.length === 0 && (
              <tr>
                <td colSpan={5} className="h-11 text-center text-ink-3">
                  {t("chart.nothing")}
                </td>
              </tr>
            )}
          </tbody>
        </table>
      </div>
      {ranked && ranked.length > SHOWN && (
        <Button
          look="quiet"
          size="small"
          className="self-start"
          aria-expanded={isOpen}
          onClick={() => setOpen(!isOpen)}
        >
          {isOpen ? t("dashboard.fewer") : t("dashboard.allOf", { count: ranked.length })}
        </Button>
      )}
    </section>
  );
};

interface RowProps {
  view: View;
  by: UsageGrouping;
  metric: UsageMetric;
  group: UsageGroup;
  color: ChartColor;
  /** All groups together. */
  of: UsageGroup;
  onFilter: (filter: DashboardSearch) => void;
}

const Row = ({ view, by, metric, group, color, of, onFilter }: RowProps) => {
  const { t } = useTranslation();
  const logSearch = useLogSearch(view);
  const name = groupName(by, group);
  const filter = groupFilter(by, group);
  const value = metricOf(metric, group.total);
  const weighed: UsageMetric = isMean(metric) ? "requests" : metric;
  const whole = metricOf(weighed, of.total) ?? 0;
  const share = whole === 0 ? 0 : (metricOf(weighed, group.total) ?? 0) / whole;
  const rate = errorRate(group.total);
  return (
    <tr className="group border-line border-t hover:bg-canvas">
      <th scope="row" className="rank-name h-12 w-full px-4 text-start font-normal">
        <div className="flex items-center gap-3">
          <Link
            to="/log"
            search={logSearch({ group: filter })}
            className="min-w-0 flex-1 truncate underline-offset-2 hover:underline"
            title={name}
          >
            {name}
          </Link>
          <Sparkline
            values={group.spans.map((sum) => metricOf(metric, sum))}
            color={color}
            className="h-4 w-16 shrink-0"
          />
        </div>
        <div aria-hidden className="mt-1 h-1 overflow-hidden rounded-full bg-sunken">
          <div
            className="h-full rounded-full"
            style={{ width: `${Math.max(share * 100, 0.5)}%`, background: `var(${color})` }}
          />
        </div>
      </th>
      <td className="whitespace-nowrap px-2 text-end font-medium">
        {value === undefined ? "–" : measureOf(metric).format(value)}
      </td>
      <td className="whitespace-nowrap px-2 text-end text-ink-2 max-wide:hidden">
        {isMean(metric) ? formatCount(allRequests(group.total)) : formatShare(share)}
      </td>
      <td
        className={clsx(
          "whitespace-nowrap px-2 text-end max-wide:hidden",
          (rate ?? 0) >= 0.05 ? "text-red" : "text-ink-2",
        )}
      >
        {rate === undefined ? "–" : formatShare(rate)}
      </td>
      <td className="px-2">
        <Button
          look="quiet"
          size="smallIcon"
          aria-label={t("dashboard.onlyThis", { name })}
          title={t("dashboard.onlyThis", { name })}
          onClick={() => onFilter(filter)}
        >
          <ListFilter aria-hidden className="size-3.5" />
        </Button>
      </td>
    </tr>
  );
};

const SKELETON_ROWS = [1, 2, 3, 4];

/** Stands where the rows are on their way, or did not come. */
const Waiting = ({ error, onRetry }: { error: Error | null; onRetry: () => void }) => {
  const { t } = useTranslation();
  if (error)
    return (
      <tr>
        <td colSpan={5} className="h-11 px-4 py-4 text-center text-ink-2">
          <p className="mb-2">{t("table.failed")}</p>
          <Button size="small" onClick={onRetry}>
            {t("action.retry")}
          </Button>
        </td>
      </tr>
    );
  return SKELETON_ROWS.map((row) => (
    <tr key={row} className="border-line border-t">
      <td colSpan={5} className="h-12 px-4">
        <div className="skeleton h-3.5 w-full" />
      </td>
    </tr>
  ));
};
