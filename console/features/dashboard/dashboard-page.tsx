import { type UseQueryResult, useQuery } from "@tanstack/react-query";
import { Link } from "@tanstack/react-router";
import type { UsageGrouping, UserLatency } from "@tollgate/contract/api/usage";
import { LOG_ERROR } from "@tollgate/contract/values/statuses";
import { ChartNoAxesColumn, SearchX } from "lucide-react";
import { type ReactNode, useMemo, useState } from "react";
import { useTranslation } from "react-i18next";
import { Button, buttonVariants } from "../../components/button";
import { EmptyState } from "../../components/empty-state";
import { FailedState } from "../../components/failed-state";
import { OwnRange } from "../../components/own-range-form";
import { PageFrame, Panel } from "../../components/page-frame";
import { UnbrokenDates } from "../../components/unbroken-dates";
import { isUnknownCall } from "../../lib/api-client";
import { failureText } from "../../lib/failure-text";
import { useSession } from "../../lib/session";
import { hasLatency, latencyQuery } from "../../lib/usage/latency-query";
import { allRequests, isDuration } from "../../lib/usage/usage-metric";
import { formatSpan, writeRange } from "../../lib/usage/usage-range";
import { useAddress } from "../../lib/use-address";
import { DashboardControls } from "./dashboard-controls";
import {
  type DashboardSearch,
  DEFAULT_GROUPING,
  DEFAULT_METRIC,
  filterOf,
  offeredGroupings,
  readDashboardSearch,
} from "./dashboard-search";
import { FilterChips } from "./filter-chips";
import { FirstRequest } from "./first-request";
import { LatencyCharts } from "./latency-charts";
import { MetricTiles } from "./metric-tiles";
import { RankingCard } from "./ranking-card";
import { UsageChart } from "./usage-chart";
import { readView, useChartUsage, useUsageBefore, type View } from "./use-dashboard";

/** The view in the address; memoised, so that nothing is summed or drawn twice for the same address. */
const useView = (search: DashboardSearch, isAdmin: boolean, nowMs: number): View => {
  const key = JSON.stringify(search);
  return useMemo(
    () => readView(readDashboardSearch(JSON.parse(key) as Record<string, unknown>), isAdmin, nowMs),
    [key, isAdmin, nowMs],
  );
};

/** /dashboard: usage over time and by group; all users' for administrators, one's own otherwise. */
export const DashboardPage = () => {
  const { t } = useTranslation();
  const { isAdmin } = useSession("usage");
  const [search, change] = useAddress(readDashboardSearch);
  const [nowMs, setNowMs] = useState(Date.now);
  const view = useView(search, isAdmin, nowMs);
  const { usage, query } = useChartUsage(view);
  const isOffered = query.data?.isOffered !== false;
  return (
    <PageFrame
      title={t("dashboard.title")}
      description={
        isOffered && (
          <span className="tabular-nums">
            <UnbrokenDates
              text={t("dashboard.compared", {
                from: formatSpan(view.range.from, "hour"),
                to: formatSpan(view.range.to, "hour"),
                beforeFrom: formatSpan(view.before.from, "hour"),
                beforeTo: formatSpan(view.before.to, "hour"),
              })}
            />
          </span>
        )
      }
      aside={
        isOffered && (
          <DashboardControls
            view={view}
            isAdmin={isAdmin}
            isBusy={query.isFetching && !query.isPending}
            onChange={change}
            onRefresh={() => setNowMs(Date.now())}
          />
        )
      }
    >
      {!isOffered ? (
        <NotOffered />
      ) : (
        <>
          <OwnRange search={search} translate={(text) => t(`dashboard.${text}`)} onApply={change} />
          <FilterChips search={filterOf(search, view.isAll)} onChange={change} />
          {query.error ? (
            <Panel>
              <FailedState error={query.error} onRetry={() => void query.refetch()} />
            </Panel>
          ) : (
            <Pictures view={view} usage={usage} onChange={change} />
          )}
        </>
      )}
    </PageFrame>
  );
};

/** Other servers of the contract have no usage sums. Their log has the same numbers, line by line. */
const NotOffered = () => {
  const { t } = useTranslation();
  return (
    <Panel>
      <EmptyState
        icon={<ChartNoAxesColumn />}
        title={t("dashboard.notOffered.title")}
        text={t("dashboard.notOffered.text")}
      >
        <Link to="/log" className={buttonVariants()}>
          {t("dashboard.notOffered.toLog")}
        </Link>
      </EmptyState>
    </Panel>
  );
};

const isRanked = (by: UsageGrouping): by is Exclude<UsageGrouping, "none"> => by !== "none";

/** The reason for percentiles that cannot be shown; undefined if they can. */
const useMissingPercentiles = (
  isCounted: boolean,
  { data, error }: UseQueryResult<UserLatency>,
): string | undefined => {
  const { t } = useTranslation();
  if (!isCounted || isUnknownCall(error)) return t("dashboard.percentiles.notOffered");
  if (error) return failureText(error);
  return data?.is_shared ? t("dashboard.percentiles.shared") : undefined;
};

interface PicturesProps {
  view: View;
  usage: ReturnType<typeof useChartUsage>["usage"];
  onChange: (change: DashboardSearch) => void;
}

const Pictures = ({ view, usage, onChange }: PicturesProps): ReactNode => {
  const { t } = useTranslation();
  const before = useUsageBefore(view);
  const narrowed = filterOf(view.search, view.isAll);
  const isCounted = hasLatency(view.isAll, narrowed);
  const latency = useQuery({
    ...latencyQuery({ isAll: view.isAll, range: view.range, step: "range", by: "none", filter: narrowed }),
    enabled: isCounted,
  });
  const { search, isAll } = view;
  const reason = useMissingPercentiles(isCounted, latency);
  const metric = search.metric ?? DEFAULT_METRIC;
  if (usage && allRequests(usage.all.total) === 0) {
    const filter = filterOf(search, isAll);
    return Object.values(filter).some((each) => each !== undefined) ? (
      <Panel>
        <EmptyState
          icon={<SearchX />}
          title={t("dashboard.noMatch.title")}
          text={t("dashboard.noMatch.text")}
        >
          <Button
            onClick={() =>
              onChange({ model: undefined, token: undefined, channel: undefined, username: undefined })
            }
          >
            {t("dashboard.noMatch.clear")}
          </Button>
        </EmptyState>
      </Panel>
    ) : (
      <FirstRequest
        onWiden={
          search.range === "90d"
            ? undefined
            : () => onChange({ range: "90d", from: undefined, to: undefined, step: undefined })
        }
      />
    );
  }
  return (
    <>
      <MetricTiles
        failures={{
          to: "/log",
          search: {
            ...filterOf(search, isAll),
            type: LOG_ERROR,
            ...writeRange(view.range),
          },
        }}
        usage={usage}
        latency={latency.data?.points[0]}
        before={before}
        metric={metric}
        onMetric={(next) => onChange({ metric: next === DEFAULT_METRIC ? undefined : next })}
      />
      <UsageChart
        view={view}
        usage={usage}
        hasEarlier={before === undefined || allRequests(before) > 0}
        metric={metric}
        onGrouping={(by) => onChange({ by: by === DEFAULT_GROUPING ? undefined : by })}
        onFilter={onChange}
      />
      {isDuration(metric) &&
        usage &&
        (reason === undefined ? (
          <LatencyCharts view={view} times={usage.times} />
        ) : (
          <p className="text-sm text-ink-2">{reason}</p>
        ))}
      <div className="grid gap-4 lg:grid-cols-2">
        {offeredGroupings(isAll)
          .filter(isRanked)
          .map((by) => (
            <RankingCard key={by} view={view} by={by} metric={metric} onFilter={onChange} />
          ))}
      </div>
    </>
  );
};
