import { keepPreviousData, useQuery } from "@tanstack/react-query";
import { Link } from "@tanstack/react-router";
import { LOG_ERROR } from "@tollgate/contract/values/statuses";
import { clsx } from "clsx";
import { ArrowDown, ArrowUp } from "lucide-react";
import { useMemo } from "react";
import { useTranslation } from "react-i18next";
import { FailedState } from "../../components/failed-state";
import { GroupLink } from "../../components/group-link";
import { measureOf } from "../../lib/usage/usage-metric";
import { usageQuery } from "../../lib/usage/usage-query";
import { type UsageRange, writeRange } from "../../lib/usage/usage-range";
import type { CockpitRanges } from "./cockpit-range";
import { type FindMovers, findFailing, findMovers, type Mover } from "./movers";

const SHOWN = 5;
/** Number of compared users, models or keys per day: those with the most usage or failures. */
const COMPARED = 100;

/** What a card compares. */
interface Comparison {
  by: "user" | "model" | "token";
  metric: "quota" | "errors";
  find: FindMovers;
}

const useMovers = ({ by, find }: Comparison, today: UsageRange, weekBefore: UsageRange) => {
  const ask = (range: UsageRange) => ({
    ...usageQuery({ isAll: true, range, step: "day" as const, by, filter: {}, top: COMPARED }),
    placeholderData: keepPreviousData,
    meta: { silent: true },
  });
  const [now, before] = [useQuery(ask(today)), useQuery(ask(weekBefore))];
  const [points, former] = [now.data?.points, before.data?.points];
  const movers = useMemo(() => points && former && find(points, former, SHOWN), [find, points, former]);
  const retry = () => void Promise.all([now.refetch(), before.refetch()]);
  return { movers, error: now.error ?? before.error, retry };
};

type Ranges = Pick<CockpitRanges, "today" | "weekBefore">;

/** The users or models with the largest changes in spending against the same weekday a week earlier. */
export const SpendingCard = ({ by, ...ranges }: { by: "user" | "model" } & Ranges) => {
  const { t } = useTranslation();
  return (
    <MoversCard
      title={t(`cockpit.movers.${by}`)}
      empty={t("cockpit.movers.none")}
      comparison={{ by, metric: "quota", find: findMovers }}
      {...ranges}
    />
  );
};

/** The users or keys with the most failed requests today, beside the same weekday a week earlier. */
export const FailuresCard = ({ by, ...ranges }: { by: "user" | "token" } & Ranges) => {
  const { t } = useTranslation();
  return (
    <MoversCard
      title={t(`cockpit.failures.${by}`)}
      empty={t("cockpit.failures.none")}
      comparison={{ by, metric: "errors", find: findFailing }}
      {...ranges}
    />
  );
};

interface MoversCardProps extends Ranges {
  title: string;
  /** Text without movers. */
  empty: string;
  comparison: Comparison;
}

const MoversCard = ({ title, empty, comparison, today, weekBefore }: MoversCardProps) => {
  const { movers, error, retry } = useMovers(comparison, today, weekBefore);
  return (
    <section
      aria-label={title}
      aria-busy={movers === undefined}
      className="min-w-0 rounded-lg border border-line bg-surface"
    >
      <h2 className="flex h-11 items-center px-4 font-semibold text-base">{title}</h2>
      {error && !movers && <FailedState error={error} onRetry={retry} />}
      {!error && !movers && (
        <div className="border-line border-t px-4 py-3">
          <div className="skeleton h-4 w-40" />
        </div>
      )}
      {movers?.length === 0 && <p className="border-line border-t px-4 py-3 text-sm text-ink-3">{empty}</p>}
      <ul className="grid grid-cols-[minmax(0,1fr)_auto_auto_auto] divide-y divide-line border-line border-t empty:hidden">
        {movers?.map((mover) => (
          <MoverRow
            key={mover.key}
            mover={mover}
            comparison={comparison}
            range={mover.now > 0 ? today : weekBefore}
            beside={movers.flatMap((each) => [each.now, each.before, changeOf(each)])}
          />
        ))}
      </ul>
    </section>
  );
};

const changeOf = ({ now, before }: Mover): number => Math.abs(now - before);

interface MoverRowProps {
  mover: Mover;
  comparison: Comparison;
  range: UsageRange;
  /** The values of all rows. */
  beside: readonly number[];
}

/** The log's filter for the lines of a mover; undefined if it has none. */
const linesOf = ({ by, metric }: Comparison, { key, name }: Mover) => {
  const part = { user: { username: name }, model: { model: key }, token: { token: name } }[by];
  if (Object.values(part).includes("")) return undefined;
  return metric === "errors" ? { ...part, type: LOG_ERROR } : part;
};

const MoverRow = ({ mover, comparison, range, beside }: MoverRowProps) => {
  const { t } = useTranslation();
  const { by, metric } = comparison;
  const { format } = measureOf(metric);
  const [before, now] = [format(mover.before, beside), format(mover.now, beside)];
  const lines = linesOf(comparison, mover);
  const course = {
    className: clsx(
      "col-span-2 grid grid-cols-subgrid whitespace-nowrap text-ink-3",
      // A phone has no room for two amounts beside the change.
      metric === "quota" && "max-wide:hidden",
    ),
    children: (
      <>
        <span className="text-end">{before}</span>
        <span className="ps-1 text-end">→ {now}</span>
      </>
    ),
  };
  return (
    <li className="col-span-full grid h-9 grid-cols-subgrid items-center px-4 text-sm tabular-nums">
      <span className="min-w-0 truncate pe-3" title={mover.name}>
        <GroupLink by={by} group={mover} />
      </span>
      {lines ? (
        <Link
          to="/log"
          search={{ ...lines, ...writeRange(range) }}
          aria-label={t("cockpit.movers.course", { before, now })}
          {...course}
          className={clsx(course.className, "underline-offset-2 hover:text-accent hover:underline")}
        />
      ) : (
        <span {...course} />
      )}
      <Change isMore={mover.now > mover.before} text={format(changeOf(mover), beside)} />
    </li>
  );
};

const Change = ({ isMore, text }: { isMore: boolean; text: string }) => {
  const { t } = useTranslation();
  const Arrow = isMore ? ArrowUp : ArrowDown;
  return (
    <span className="flex items-center justify-end gap-0.5 whitespace-nowrap ps-3 font-medium">
      <Arrow aria-hidden className="size-3 text-ink-3" />
      <span className="sr-only">{t(isMore ? "usage.change.more" : "usage.change.less")}</span>
      {text}
    </span>
  );
};
