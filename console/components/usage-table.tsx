import { keepPreviousData, useQuery } from "@tanstack/react-query";
import { Link } from "@tanstack/react-router";
import {
  missingRecord,
  type Quantiles,
  type UsageGrouping,
  type UsagePoint,
  type UsageStep,
} from "@tollgate/contract/api/usage";
import { type ReactNode, useMemo } from "react";
import { useTranslation } from "react-i18next";
import { formatCount } from "../lib/format";
import { formatShare } from "../lib/format-measure";
import { hasLatency, type LatencyScope, latencyQuery } from "../lib/usage/latency-query";
import { allRequests, cacheHitRate, errorRate, measureOf, metricOf } from "../lib/usage/usage-metric";
import { type UsageFilter, usageQuery } from "../lib/usage/usage-query";
import { clockOffsetMinutes, spanBegins, type UsageRange, writeRange } from "../lib/usage/usage-range";
import { splitUsage, type UsageGroup } from "../lib/usage/usage-sum";
import { useNarrow } from "../lib/use-narrow";
import { StateMark, type Tone } from "./badge";
import { GROUP_COLORS } from "./chart/chart-colors";
import { Sparkline } from "./chart/sparkline";
import { FailedState } from "./failed-state";
import { BAD_SHARE, DOUBTFUL_SHARE, SuccessShare } from "./success-share";

const toneOf = (group: UsageGroup): Tone => {
  const rate = errorRate(group.total) ?? 0;
  if (rate >= BAD_SHARE) return "red";
  return rate >= DOUBTFUL_SHARE ? "yellow" : "green";
};

interface UsageTableProps {
  title: string;
  /** False for only the user's own requests, which every user may see. */
  isAll?: boolean;
  range: UsageRange;
  step: UsageStep;
  /** Grouping of the requests. */
  by: UsageGrouping;
  filter: UsageFilter;
  /** Amounts of the tables beside it, which share the number of decimals. */
  beside?: readonly number[];
  /** Name of a row, with a link to its page. */
  nameOf: (group: UsageGroup) => ReactNode;
  /** Log filter of a row, without the time. */
  linesOf: (group: UsageGroup) => UsageFilter;
}

/** Number of rows: the groups with the most requests. */
const SHOWN = 12;

/** The query of a table. */
export const usageTableQuery = ({
  isAll = true,
  range,
  step,
  by,
  filter,
}: Pick<UsageTableProps, "isAll" | "range" | "step" | "by" | "filter">) => ({
  ...usageQuery({ isAll, range, step, by, filter, top: SHOWN }),
  placeholderData: keepPreviousData,
  meta: { silent: true },
});

/** The groups with the most requests, as a table shows them. */
export const usageTableGroups = (
  points: readonly UsagePoint[],
  range: UsageRange,
  step: UsageStep,
): UsageGroup[] =>
  splitUsage(points, spanBegins(range, step, clockOffsetMinutes()))
    .groups.sort((a, b) => allRequests(b.total) - allRequests(a.total))
    .slice(0, SHOWN);

/** Grouping of the percentiles; undefined without any. */
const latencyScope = (isAll: boolean, by: UsageGrouping): LatencyScope | undefined => {
  if (by === "model") return isAll ? { isAll, by } : { isAll, by };
  return isAll && by === "channel" ? { isAll, by } : undefined;
};

/** The groups with the most requests in a range: requests, curve, success, first byte, cache, cost. */
export const UsageTable = ({
  title,
  isAll = true,
  range,
  step,
  by,
  filter,
  beside,
  nameOf,
  linesOf,
}: UsageTableProps) => {
  const { t } = useTranslation();
  const query = useQuery(usageTableQuery({ isAll, range, step, by, filter }));
  const scope = latencyScope(isAll, by);
  const isCounted = scope !== undefined && hasLatency(isAll, filter);
  const latency = useQuery({
    ...latencyQuery({ range, step: "range", filter, ...(scope ?? { isAll: true, by: "none" }) }),
    placeholderData: keepPreviousData,
    enabled: isCounted,
  });
  const isReported = isCounted && !latency.isError;
  const points = query.data?.points;
  const groups = useMemo(() => points && usageTableGroups(points, range, step), [points, range, step]);
  // This server has no usage sums.
  if (query.data?.isOffered === false) return null;
  return (
    <section
      aria-label={title}
      aria-busy={query.isPending}
      className="min-w-0 rounded-lg border border-line bg-surface"
    >
      {query.error && !groups ? (
        <FailedState error={query.error} onRetry={() => void query.refetch()} />
      ) : (
        <div className="overflow-x-auto">
          <table aria-label={title} className="w-full border-collapse text-sm tabular-nums">
            <UsageHead title={title} isReported={isReported} />
            <tbody>
              {groups?.map((group) => (
                <Row
                  key={group.key}
                  group={group}
                  {...(isReported && {
                    firstByte:
                      latency.data?.points.find(({ key }) => key === group.key)?.first_byte ?? "unknown",
                  })}
                  range={range}
                  name={nameOf(group)}
                  lines={missingRecord(by, group.key) ? undefined : linesOf(group)}
                  costs={beside ?? groups.map(({ total }) => total.quota)}
                />
              ))}
              {!groups && <Placeholder />}
              {groups?.length === 0 && (
                <tr className="border-line border-t">
                  <td colSpan={7} className="h-14 text-center text-ink-3">
                    {t("usage.table.none")}
                  </td>
                </tr>
              )}
            </tbody>
          </table>
        </div>
      )}
    </section>
  );
};

/** The columns' names beside the title. A phone has no room for the title there: it stands above them. */
const UsageHead = ({ title, isReported }: { title: string; isReported: boolean }) => {
  const { t } = useTranslation();
  const isNarrow = useNarrow();
  return (
    <thead>
      {isNarrow && (
        <tr>
          <th colSpan={7} className="px-4 pt-3 text-start font-semibold text-base">
            <h2>{title}</h2>
          </th>
        </tr>
      )}
      <tr className="text-xs text-ink-2">
        {isNarrow ? (
          <td className="h-7" />
        ) : (
          <th scope="col" className="h-11 px-4 text-start font-semibold text-base text-ink">
            <h2 className="whitespace-nowrap">{title}</h2>
          </th>
        )}
        <th scope="col" className="whitespace-nowrap px-2 text-end font-medium">
          {t("usage.metric.requests")}
        </th>
        <th scope="col" className="px-2 font-medium max-wide:hidden">
          <span className="sr-only">{t("usage.table.course")}</span>
        </th>
        <th scope="col" className="whitespace-nowrap px-2 text-end font-medium">
          {t("usage.table.success")}
        </th>
        <th scope="col" className="whitespace-nowrap px-2 text-end font-medium max-wide:hidden">
          {t(isReported ? "usage.table.firstByte" : "usage.metric.firstByte")}
        </th>
        <th scope="col" className="whitespace-nowrap px-2 text-end font-medium max-wide:hidden">
          {t("usage.table.cacheHits")}
        </th>
        <th scope="col" className="whitespace-nowrap px-4 text-end font-medium">
          {t("usage.metric.quota")}
        </th>
      </tr>
    </thead>
  );
};

const Placeholder = () => (
  <tr className="border-line border-t">
    <td colSpan={7} className="h-14 px-4">
      <div className="skeleton h-4 w-48" />
    </td>
  </tr>
);

const LINK = "touch underline-offset-2 hover:text-accent hover:underline";

const firstByteText = (total: UsageGroup["total"], told: Quantiles | "unknown" | undefined): string => {
  const { format } = measureOf("firstByte");
  const mean = metricOf("firstByte", total);
  if (told === undefined) return mean === undefined ? "–" : format(mean);
  return told === "unknown" ? "–" : `${format(told.p50_ms)} / ${format(told.p95_ms)}`;
};

interface RowProps {
  group: UsageGroup;
  /** Its percentiles; its mean is shown by default. */
  firstByte?: Quantiles | "unknown";
  range: UsageRange;
  name: ReactNode;
  /** Undefined if the log has no filter for them. */
  lines: UsageFilter | undefined;
  /** Of all rows. */
  costs: readonly number[];
}

const Row = ({ group, firstByte, range, name, lines, costs }: RowProps) => {
  const { total, spans } = group;
  const hits = cacheHitRate(total);
  const span = lines && { ...writeRange(range), ...lines };
  return (
    <tr className="border-line border-t">
      <td className="h-9 max-w-0 px-4 max-wide:w-full max-wide:py-1.5 wide:w-2/5">
        <StateMark tone={toneOf(group)}>
          <span className="min-w-0 max-wide:whitespace-normal max-wide:break-words wide:truncate">
            {name}
          </span>
        </StateMark>
      </td>
      <td className="whitespace-nowrap px-2 text-end">
        {span ? (
          <Link to="/log" search={span} className={LINK}>
            {formatCount(allRequests(total))}
          </Link>
        ) : (
          formatCount(allRequests(total))
        )}
      </td>
      <td className="px-2 max-wide:hidden">
        <Sparkline values={spans.map(allRequests)} color={GROUP_COLORS[0]} isOpen className="h-5 w-12" />
      </td>
      <td className="whitespace-nowrap px-2 text-end">
        <SuccessShare total={total} lines={span} />
      </td>
      <td className="whitespace-nowrap px-2 text-end max-wide:hidden">{firstByteText(total, firstByte)}</td>
      <td className="whitespace-nowrap px-2 text-end max-wide:hidden">
        {hits === undefined ? "–" : formatShare(hits)}
      </td>
      <td className="whitespace-nowrap px-4 text-end">{measureOf("quota").format(total.quota, costs)}</td>
    </tr>
  );
};
