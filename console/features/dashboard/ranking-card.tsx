import { Link } from "@tanstack/react-router";
import type { UsageGrouping } from "@tollgate/contract/api/usage";
import { clsx } from "clsx";
import { ListFilter } from "lucide-react";
import { useState } from "react";
import { useTranslation } from "react-i18next";
import { Button } from "../../components/button";
import { type ChartColor, GROUP_COLORS, OTHER_COLOR } from "../../components/chart/chart-colors";
import { Sparkline } from "../../components/chart/sparkline";
import { GroupLink } from "../../components/group-link";
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
import { sumUsage, type UsageGroup, type UsageSum } from "../../lib/usage/usage-sum";
import { useGroupName } from "../../lib/usage/use-group-name";
import { type Ranking, rankUsage } from "./chart-series";
import type { DashboardSearch } from "./dashboard-search";
import { groupFilter } from "./log-search-of";
import { COLORED_GROUPS, type Usage, useRanking, type View } from "./use-dashboard";
import { useLogSearch } from "./use-log-search";

/** Maximum length of the list: further entries are found by filtering. */
const MAX_SHOWN = 100;

interface RankingCardProps {
  view: View;
  by: Exclude<UsageGrouping, "none">;
  metric: UsageMetric;
  onFilter: (filter: DashboardSearch) => void;
}

/** The usage of a ranking: of its top, or of all that the list may show. */
const useRankedUsage = (view: View, by: RankingCardProps["by"], isOpen: boolean) => {
  const short = useRanking(view, by, COLORED_GROUPS, true);
  const hasOthers = short.usage?.others !== undefined;
  const long = useRanking(view, by, MAX_SHOWN, isOpen && hasOthers);
  const isLong = isOpen && (!hasOthers || long.usage !== undefined);
  return {
    usage: (isOpen ? long.usage : undefined) ?? short.usage,
    /** The usage has all groups that the open list shows. */
    isLong,
    isReadingMore: isOpen && long.query.isFetching,
    query: short.query,
  };
};

/** The top of one grouping, by the chosen metric, with shares. */
export const RankingCard = ({ view, by, metric, onFilter }: RankingCardProps) => {
  const { t } = useTranslation();
  const [isOpen, setOpen] = useState(false);
  const { usage, isLong, isReadingMore, query } = useRankedUsage(view, by, isOpen);
  const ranking = usage && rankUsage(usage, metric, isLong ? MAX_SHOWN : COLORED_GROUPS);
  const title = t(`dashboard.ranking.${by}`);
  return (
    <section aria-label={title} className="flex min-w-0 flex-col rounded-lg border border-line bg-surface">
      <div className="overflow-x-auto">
        <table aria-label={title} className="w-full border-collapse text-sm tabular-nums">
          <Head title={title} metric={metric} />
          <tbody>
            {usage && ranking ? (
              <Rows
                view={view}
                by={by}
                metric={metric}
                onFilter={onFilter}
                usage={usage}
                ranking={ranking}
                isLong={isLong}
              />
            ) : (
              <Waiting error={query.error} onRetry={() => void query.refetch()} />
            )}
          </tbody>
        </table>
      </div>
      {ranking && ranking.count > COLORED_GROUPS && (
        <MoreButton
          count={ranking.count}
          isOpen={isOpen}
          isBusy={isReadingMore}
          onClick={() => setOpen(!isOpen)}
        />
      )}
    </section>
  );
};

/** The title beside the names of the columns. */
const Head = ({ title, metric }: { title: string; metric: UsageMetric }) => {
  const { t } = useTranslation();
  return (
    <thead>
      <tr className="text-xs text-ink-2">
        <th scope="col" className="h-11 w-full px-4 text-start font-semibold text-base text-ink">
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
  );
};

interface RowsProps extends RankingCardProps {
  usage: Usage;
  ranking: Ranking;
  /** The list is open. */
  isLong: boolean;
}

const Rows = ({ usage, ranking, isLong, ...card }: RowsProps) => {
  const { t } = useTranslation();
  const { view, by, metric } = card;
  const { top, rest, count, colorOf } = ranking;
  const hidden = count - top.length;
  const beside = top.map(({ total }) => metricOf(metric, total) ?? 0);
  if (top.length === 0)
    return (
      <tr>
        <td colSpan={5} className="h-11 text-center text-ink-3">
          {t("chart.nothing")}
        </td>
      </tr>
    );
  return (
    <>
      {top.map((group) => (
        <Row
          key={group.key}
          {...card}
          group={group}
          // Only the chart's groups have its colours.
          color={view.by === by ? colorOf(group) : GROUP_COLORS[0]}
          of={usage.all}
          beside={beside}
          isOpen={usage.isLastOpen}
        />
      ))}
      {isLong && hidden > 0 && !isMean(metric) && (
        <Others
          metric={metric}
          count={hidden}
          sum={sumUsage(rest.map(({ total }) => total))}
          of={usage.all.total}
          beside={beside}
        />
      )}
    </>
  );
};

interface MoreButtonProps {
  /** Number of all groups. */
  count: number;
  isOpen: boolean;
  isBusy: boolean;
  onClick: () => void;
}

/** Opens and closes the list. */
const MoreButton = ({ count, isOpen, isBusy, onClick }: MoreButtonProps) => {
  const { t } = useTranslation();
  const more =
    count > MAX_SHOWN ? t("dashboard.firstOf", { shown: MAX_SHOWN, count }) : t("dashboard.allOf", { count });
  return (
    <Button
      variant="quiet"
      size="small"
      className="self-start"
      aria-expanded={isOpen}
      isBusy={isBusy}
      onClick={onClick}
    >
      {isOpen ? t("dashboard.fewer") : more}
    </Button>
  );
};

interface RowProps extends RankingCardProps {
  group: UsageGroup;
  color: ChartColor;
  /** All groups together. */
  of: UsageGroup;
  /** The values of all rows. */
  beside: readonly number[];
  /** The last span has not ended. */
  isOpen: boolean;
}

const Row = ({ view, by, metric, group, color, of, beside, isOpen, onFilter }: RowProps) => {
  const { t } = useTranslation();
  const logSearch = useLogSearch(view);
  const name = useGroupName()(by, group);
  const filter = groupFilter(by, group);
  return (
    <tr className="group border-line border-t hover:bg-canvas">
      <th scope="row" className="rank-name h-12 w-full px-4 text-start font-normal">
        <div className="flex items-center gap-3">
          <span className="min-w-0 flex-1 truncate" title={name}>
            <GroupLink by={by} group={group} />
          </span>
          <Sparkline
            values={group.spans.map((sum) => metricOf(metric, sum))}
            color={color}
            isOpen={isOpen}
            className="h-4 w-16 shrink-0"
          />
        </div>
        <Bar share={shareOf(metric, group.total, of.total)} color={color} />
      </th>
      <Numbers
        metric={metric}
        sum={group.total}
        of={of.total}
        beside={beside}
        lines={filter && logSearch({ group: filter })}
      />
      <td className="px-2">
        {filter && (
          <Button
            variant="quiet"
            size="smallIcon"
            aria-label={t("dashboard.onlyThis", { name })}
            title={t("dashboard.onlyThis", { name })}
            onClick={() => onFilter(filter)}
          >
            <ListFilter aria-hidden className="size-3.5" />
          </Button>
        )}
      </td>
    </tr>
  );
};

/** The sum of all groups below the top. */
const Others = ({
  metric,
  count,
  sum,
  of,
  beside,
}: {
  metric: UsageMetric;
  count: number;
  sum: UsageSum;
  of: UsageSum;
  beside: readonly number[];
}) => {
  const { t } = useTranslation();
  return (
    <tr className="border-line border-t">
      <th scope="row" className="h-12 w-full px-4 text-start font-normal text-ink-2">
        {t("dashboard.others", { count })}
        <Bar share={shareOf(metric, sum, of)} color={OTHER_COLOR} />
      </th>
      <Numbers metric={metric} sum={sum} of={of} beside={beside} />
      <td />
    </tr>
  );
};

/** A sum's share of the total, from 0 to 1; by requests if the metric is a mean. */
const shareOf = (metric: UsageMetric, sum: UsageSum, of: UsageSum): number => {
  const weighed: UsageMetric = isMean(metric) ? "requests" : metric;
  const whole = metricOf(weighed, of) ?? 0;
  return whole === 0 ? 0 : (metricOf(weighed, sum) ?? 0) / whole;
};

const Bar = ({ share, color }: { share: number; color: ChartColor }) => (
  <div aria-hidden className="mt-1 h-1 overflow-hidden rounded-full bg-sunken">
    <div
      className="h-full rounded-full"
      style={{ width: `${Math.max(share * 100, 0.5)}%`, background: `var(${color})` }}
    />
  </div>
);

/** The cells of a row: value, share and share of failures. */
const Numbers = ({
  metric,
  sum,
  of,
  beside,
  lines,
}: {
  metric: UsageMetric;
  sum: UsageSum;
  of: UsageSum;
  beside: readonly number[];
  /** The log's search for the lines behind the value. */
  lines?: ReturnType<ReturnType<typeof useLogSearch>>;
}) => {
  const { t } = useTranslation();
  const value = metricOf(metric, sum);
  const rate = errorRate(sum);
  return (
    <>
      <td className="whitespace-nowrap px-2 text-end font-medium">
        {lines && value !== undefined ? (
          <Link
            to="/log"
            search={lines}
            title={t("dashboard.toLines")}
            className="underline-offset-2 hover:text-accent hover:underline"
          >
            {measureOf(metric).format(value, beside)}
          </Link>
        ) : value === undefined ? (
          "–"
        ) : (
          measureOf(metric).format(value, beside)
        )}
      </td>
      <td className="whitespace-nowrap px-2 text-end text-ink-2 max-wide:hidden">
        {isMean(metric) ? formatCount(allRequests(sum)) : formatShare(shareOf(metric, sum, of))}
      </td>
      <td
        className={clsx(
          "whitespace-nowrap px-2 text-end max-wide:hidden",
          (rate ?? 0) >= 0.05 ? "text-red" : "text-ink-2",
        )}
      >
        {rate === undefined ? "–" : formatShare(rate)}
      </td>
    </>
  );
};

const SKELETON_ROWS = [1, 2, 3, 4];

/** Shown while the rows load, or after a failure. */
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
