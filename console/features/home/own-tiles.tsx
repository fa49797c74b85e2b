import { useQuery } from "@tanstack/react-query";
import { Link, type LinkProps } from "@tanstack/react-router";
import { getOwnLimits, type LimitUse } from "@tollgate/contract/api/limit-uses";
import { LIMITS } from "@tollgate/contract/management/limits";
import { LOG_ERROR } from "@tollgate/contract/values/statuses";
import { clsx } from "clsx";
import { type ReactNode, useMemo } from "react";
import { useTranslation } from "react-i18next";
import { endpointQuery } from "../../lib/endpoint-query";
import { formatCount, formatQuota, formatTime } from "../../lib/format";
import { selfQuery } from "../../lib/self";
import { queriesLists } from "../../lib/status";
import { measureOf } from "../../lib/usage/usage-metric";
import { usageQuery } from "../../lib/usage/usage-query";
import { daysLeft, type Spending, spendingOf, spendingRange } from "./spending";

/** Longer estimates are of no use for planning. */
const MAX_DAYS = 365;

/** The signed-in user's spending; undefined while unknown, or if the server does not report it. */
export const useSpending = (): { spending: Spending | undefined; isPending: boolean } => {
  const now = useMemo(() => new Date(), []);
  const { data, isPending } = useQuery({
    ...usageQuery({ isAll: false, range: spendingRange(now), step: "day", by: "none", filter: {} }),
    meta: { silent: true },
  });
  return { spending: data?.isOffered ? spendingOf(data.points, now) : undefined, isPending };
};

/** The user's effective budgets, including those of groups and plans, if the server reports them. */
const useGivenBudgets = (): Record<"dailyQuota" | "monthlyQuota", LimitUse | undefined> => {
  const { data } = useQuery({
    ...endpointQuery(getOwnLimits, {}),
    meta: { silent: true },
    // The contract has no such call.
    enabled: queriesLists(),
  });
  const find = (name: string) => data?.find(({ scope, limit }) => scope === "user" && limit === name);
  return { dailyQuota: find(LIMITS.dailyQuota.name), monthlyQuota: find(LIMITS.monthlyQuota.name) };
};

/** A user's balance with its estimated duration, and the spending per budget. */
export const OwnTiles = () => {
  const { t } = useTranslation();
  const { data: self } = useQuery(selfQuery);
  const { spending, isPending } = useSpending();
  const budgets = useGivenBudgets();
  const midnight = new Date();
  midnight.setHours(0, 0, 0, 0);
  return (
    <section
      aria-label={t("home.own.numbers")}
      aria-busy={self === undefined || isPending}
      className="grid grid-cols-2 gap-3 wide:grid-cols-4"
    >
      <Tile
        name={t("home.own.balance")}
        value={self && formatQuota(self.quota)}
        link={{ to: { to: "/topup" }, text: t("home.own.topup") }}
      >
        {self && spending && <LastsFor balance={self.quota} spending={spending} />}
      </Tile>
      <Tile name={t("home.own.today")} value={isPending ? undefined : spent(spending?.today)}>
        <Budget spent={spending?.today} own={self?.limits?.dailyQuota} given={budgets.dailyQuota} />
      </Tile>
      <Tile name={t("home.own.month")} value={isPending ? undefined : spent(spending?.month)}>
        <Budget spent={spending?.month} own={self?.limits?.monthlyQuota} given={budgets.monthlyQuota} />
      </Tile>
      <Tile
        name={t("home.own.requests")}
        value={isPending ? undefined : spending ? formatCount(spending.requestsToday) : "–"}
        link={
          spending && spending.failedToday > 0
            ? {
                to: { to: "/log", search: { type: LOG_ERROR, from: formatTime(midnight.getTime() / 1000) } },
                text: t("home.own.failed", { count: spending.failedToday }),
                isBad: true,
              }
            : undefined
        }
      >
        {spending?.failedToday === 0 && t("home.own.noneFailed")}
      </Tile>
    </section>
  );
};

const spent = (quota: number | undefined): string =>
  quota === undefined ? "–" : measureOf("quota").format(quota);

interface TileProps {
  name: string;
  /** undefined while unknown. */
  value: string | undefined;
  link?: { to: LinkProps; text: string; isBad?: boolean } | undefined;
  children?: ReactNode;
}

const Tile = ({ name, value, link, children }: TileProps) => (
  <div className="flex min-h-[112px] min-w-0 flex-col rounded-lg border border-line bg-surface px-4 py-3">
    <span className="flex items-baseline justify-between gap-2 text-sm text-ink-2">
      {name}
      {link && (
        <Link
          {...link.to}
          className={clsx("underline-offset-2 hover:underline", link.isBad ? "text-red" : "text-accent")}
        >
          {link.text}
        </Link>
      )}
    </span>
    {value === undefined ? (
      <span className="skeleton mt-0.5 h-8 w-24" />
    ) : (
      <span className="mt-0.5 break-words font-semibold text-xl leading-8 tabular-nums">{value}</span>
    )}
    <span className="mt-auto text-xs text-ink-2 tabular-nums">{children}</span>
  </div>
);

const LastsFor = ({ balance, spending }: { balance: number; spending: Spending }) => {
  const { t } = useTranslation();
  const days = daysLeft(balance, spending);
  if (days === undefined) return t("home.own.nothingSpent");
  if (days > MAX_DAYS) return t("home.own.lastsYears");
  return (
    <span className={clsx(days < 3 && "text-red")}>
      {days === 0 ? t("home.own.lastsToday") : t("home.own.lasts", { count: days })}
    </span>
  );
};

interface BudgetProps {
  spent: number | undefined;
  /** The user's own budget, which replaces the group's. */
  own: number | undefined;
  /** The budget that a group or a plan gives. */
  given: LimitUse | undefined;
}

const Budget = ({ spent: quota, own, given }: BudgetProps) => {
  const { t } = useTranslation();
  const of = own || given?.max;
  const givenText = given?.isOfPlan ? "home.own.planBudget" : "home.own.groupBudget";
  if (quota === undefined) return null;
  if (of === undefined || of === 0) return t("home.own.noBudget");
  const share = Math.min(1, quota / of);
  return (
    <>
      <span aria-hidden className="mb-1 block h-1 overflow-hidden rounded-full bg-sunken">
        <span
          className={clsx("block h-full rounded-full", share >= 0.8 ? "bg-red" : "bg-accent")}
          style={{ width: `${share * 100}%` }}
        />
      </span>
      {t(own ? "home.own.budget" : givenText, { amount: formatQuota(of) })}
    </>
  );
};
