import { type UseQueryResult, useQuery } from "@tanstack/react-query";
import type { UsageGrouping, UsagePoint, UsageStep } from "@tollgate/contract/api/usage";
import { useMemo } from "react";
import { GROUP_COLORS } from "../../components/chart/chart-colors";
import { usageQuery } from "../../lib/usage/usage-query";
import { clockOffsetMinutes, isOpenSpan, spanBegins, type UsageRange } from "../../lib/usage/usage-range";
import {
  joinGroups,
  type OtherUsage,
  splitUsage,
  sumUsage,
  type UsageGroup,
  type UsageSum,
} from "../../lib/usage/usage-sum";
import { type DashboardRange, readRange } from "./dashboard-range";
import { type DashboardSearch, DEFAULT_GROUPING, filterOf, offeredGroupings } from "./dashboard-search";

/** The part of the usage that is shown. */
export interface View extends DashboardRange {
  search: DashboardSearch;
  isAll: boolean;
  by: UsageGrouping;
}

/** Parses the view in the address. */
export const readView = (search: DashboardSearch, isAdmin: boolean, nowMs: number): View => {
  const isAll = isAdmin && search.scope !== "own";
  const by = search.by ?? DEFAULT_GROUPING;
  return {
    ...readRange(search, new Date(nowMs)),
    search,
    isAll,
    by: offeredGroupings(isAll).includes(by) ? by : DEFAULT_GROUPING,
  };
};

/** Usage by group and span. */
export interface Usage {
  /** Start times of the spans. */
  times: number[];
  groups: UsageGroup[];
  /** The groups below the top. */
  others?: OtherUsage | undefined;
  /** All groups together. */
  all: UsageGroup;
  /** The last span has not ended. */
  isLastOpen: boolean;
}

/** Number of groups with a chart colour, also initially shown in a ranking. */
export const COLORED_GROUPS = GROUP_COLORS.length;

const useUsage = (points: UsagePoint[] | undefined, range: UsageRange, step: UsageStep): Usage | undefined =>
  useMemo(() => {
    if (!points) return undefined;
    const times = spanBegins(range, step, clockOffsetMinutes());
    const { groups, others } = splitUsage(points, times);
    const last = times.at(-1);
    return {
      times,
      groups,
      others,
      all: joinGroups(others ? [...groups, others.group] : groups, times),
      isLastOpen: last !== undefined && isOpenSpan(last, step),
    };
  }, [points, range, step]);

type Answer = UseQueryResult<{ isOffered: boolean; points: UsagePoint[] }>;

export interface Loaded {
  usage: Usage | undefined;
  query: Answer;
}

/** The usage of the chart: by the view's grouping, in its step. */
export const useChartUsage = ({ isAll, range, step, by, search }: View): Loaded => {
  const filter = filterOf(search, isAll);
  const query = useQuery(usageQuery({ isAll, range, step, by, filter, top: COLORED_GROUPS }));
  return { usage: useUsage(query.data?.points, range, step), query };
};

/** Sparklines of a longer range do not need hours. */
const rankingStep = ({ step, range }: View): UsageStep => (range.to - range.from > 3 * 86_400 ? "day" : step);

/**
 * The usage of a ranking by `by`. Its failure is shown in its place.
 * @param top number of groups.
 * @param isWanted false while it is hidden.
 */
export const useRanking = (view: View, by: UsageGrouping, top: number, isWanted: boolean): Loaded => {
  const { isAll, range, search } = view;
  const step = rankingStep(view);
  const query = useQuery({
    ...usageQuery({ isAll, range, step, by, filter: filterOf(search, isAll), top }),
    meta: { silent: true },
    enabled: isWanted,
  });
  return { usage: useUsage(query.data?.points, range, step), query };
};

/** The usage of the equally long range before; undefined until known. */
export const useUsageBefore = ({ isAll, before, search }: View): UsageSum | undefined => {
  const { data } = useQuery({
    ...usageQuery({ isAll, range: before, step: "day", by: "none", filter: filterOf(search, isAll) }),
    meta: { silent: true },
  });
  return data && sumUsage(data.points);
};
