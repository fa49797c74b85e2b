import { keepPreviousData, useQuery } from "@tanstack/react-query";
import { Link } from "@tanstack/react-router";
import { ArrowDown, ArrowUp } from "lucide-react";
import { useMemo } from "react";
import { useTranslation } from "react-i18next";
import { FailedState } from "../../components/failed-state";
import { RecordLink } from "../../components/record-link";
import { measureOf } from "../../lib/usage/usage-metric";
import { usageQuery } from "../../lib/usage/usage-query";
import { type UsageRange, writeRange } from "../../lib/usage/usage-range";
import type { CockpitRanges } from "./cockpit-range";
import { findMovers, type Mover } from "./movers";

const SHOWN = 5;
/** Number of compared users or models per day: those with the most usage. */
const COMPARED = 100;

type Subject = "user" | "model";

const useMovers = (by: Subject, today: UsageRange, weekBefore: UsageRange) => {
  const ask = (range: UsageRange) => ({
    ...usageQuery({ isAll: true, range, step: "day" as const, by, filter: {}, top: COMPARED }),
    placeholderData: keepPreviousData,
    meta: { silent: true },
  });
  const [now, before] = [useQuery(ask(today)), useQuery(ask(weekBefore))];
  const [points, former] = [now.data?.points, before.data?.points];
  const movers = useMemo(() => points && former && findMovers(points, former, SHOWN), [points, former]);
  const retry = () => void Promise.all([now.refetch(), before.refetch()]);
  return { movers, error: now.error ?? before.error, retry };
};

/** The users or models with the largest changes in spending against the same weekday a week earlier. */
export const MoversCard = ({
  by,
  today,
  weekBefore,
}: { by: Subject } & Pick<CockpitRanges, "today" | "weekBefore">) => {
  const { t } = useTranslation();
  const { movers, error, retry } = useMovers(by, today, weekBefore);
  const title = t(`cockpit.movers.${by}`);
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
      {movers?.length === 0 && (
        <p className="border-line border-t px-4 py-3 text-sm text-ink-3">{t("cockpit.movers.none")}</p>
      )}
      <ul className="divide-y divide-line border-line border-t empty:hidden">
        {movers?.map((mover) => (
          <MoverRow
            key={mover.key}
            mover={mover}
            by={by}
            range={mover.now > 0 ? today : weekBefore}
            changes={movers.map(changeOf)}
          />
        ))}
      </ul>
    </section>
  );
};

const changeOf = ({ now, before }: Mover): number => Math.abs(now - before);

interface MoverRowProps {
  mover: Mover;
  by: Subject;
  range: UsageRange;
  /** Of all rows. */
  changes: readonly number[];
}

const MoverRow = ({ mover, by, range, changes }: MoverRowProps) => {
  const { t } = useTranslation();
  const { key, name, now, before } = mover;
  const isMore = now > before;
  const Arrow = isMore ? ArrowUp : ArrowDown;
  const quota = measureOf("quota");
  const part = by === "user" ? { username: name } : { model: key };
  return (
    <li className="flex h-9 items-center gap-3 px-4 text-sm tabular-nums">
      <span className="min-w-0 flex-1 truncate" title={name}>
        <RecordLink kind={by} id={key}>
          {name === "" ? key : name}
        </RecordLink>
      </span>
      <Link
        to="/log"
        search={{ ...part, ...writeRange(range) }}
        className="whitespace-nowrap text-ink-3 underline-offset-2 hover:text-accent hover:underline max-wide:hidden"
      >
        {t("cockpit.movers.course", { before: quota.format(before), now: quota.format(now) })}
      </Link>
      <span className="flex items-center gap-0.5 whitespace-nowrap font-medium">
        <Arrow aria-hidden className="size-3 text-ink-3" />
        <span className="sr-only">{t(isMore ? "usage.change.more" : "usage.change.less")}</span>
        {quota.format(changeOf(mover), changes)}
      </span>
    </li>
  );
};
