import { useQuery } from "@tanstack/react-query";
import { Link } from "@tanstack/react-router";
import type { Subscription } from "@tollgate/contract/api/plans";
import { CalendarClock, Wallet } from "lucide-react";
import { useTranslation } from "react-i18next";
import { buttonVariants } from "../../components/button";
import { EmptyState } from "../../components/empty-state";
import { PageFrame, Panel } from "../../components/page-frame";
import { PanelLoading } from "../../components/panel-loading";
import { exactQuota } from "../../lib/exact-quota";
import { formatTime } from "../../lib/format";
import { useSession } from "../../lib/session";
import { OfferedPlan } from "./offered-plan";
import { OwnSubscription } from "./own-subscription";
import { offeredPlansQuery, ownSubscriptionsQuery } from "./plan-queries";
import { SubscriptionState } from "./subscription-state";

/** As many beside each other as there is room for, none wider than its lines need. */
const GRID = "grid gap-4 wide:grid-cols-[repeat(auto-fill,minmax(300px,384px))]";

/** Former subscriptions, one per line. */
const PastSubscriptions = ({ past }: { past: readonly Subscription[] }) => {
  const { t } = useTranslation();
  return (
    <section aria-label={t("plan.past")} className="flex flex-col gap-2">
      <h2 className="font-semibold text-lg">{t("plan.past")}</h2>
      <ul className="divide-y divide-line rounded-lg border border-line bg-surface text-sm">
        {past.map(({ id, title, startsAt, endsAt, price, state }) => (
          <li key={id} className="flex flex-wrap items-center justify-between gap-x-6 gap-y-1 px-4 py-2.5">
            <span className="min-w-0 break-words font-medium">{title}</span>
            <span className="flex flex-wrap items-center gap-x-4 text-sm text-ink-3 tabular-nums">
              <span>
                {formatTime(startsAt)} – {formatTime(endsAt)}
              </span>
              <span>{exactQuota(price)}</span>
              <SubscriptionState state={state} />
            </span>
          </li>
        ))}
      </ul>
    </section>
  );
};

/** /plan: one's own plans, and those on sale. */
export const PlanPage = () => {
  const { t } = useTranslation();
  const { may } = useSession();
  const offered = useQuery(offeredPlansQuery);
  const own = useQuery(ownSubscriptionsQuery);
  const failed = [offered, own].find(({ error, data }) => error && !data);
  const live = own.data?.filter(({ state }) => state !== "ended") ?? [];
  const past = own.data?.filter(({ state }) => state === "ended") ?? [];
  const followers = live.filter(({ state }) => state === "waiting");
  return (
    <PageFrame
      title={t("plan.title")}
      description={t("plan.description")}
      aside={
        <Link to="/topup" className={buttonVariants({ variant: "plain" })}>
          <Wallet aria-hidden className="size-4" />
          {t("nav.topup")}
        </Link>
      }
    >
      {!offered.data || !own.data ? (
        <PanelLoading
          error={failed?.error ?? null}
          onRetry={() => void Promise.all([offered.refetch(), own.refetch()])}
        />
      ) : (
        <div className="flex flex-col gap-8">
          {live.length > 0 && (
            <section aria-label={t("plan.own")} className="flex flex-col gap-3">
              <h2 className="font-semibold text-lg">{t("plan.own")}</h2>
              <div className={GRID}>
                {live.map((subscription) => (
                  <OwnSubscription
                    key={subscription.id}
                    subscription={subscription}
                    plan={offered.data.find(({ id }) => id === subscription.planId)}
                    isFollowed={followers.some(
                      ({ planId, startsAt, id }) =>
                        id !== subscription.id &&
                        planId === subscription.planId &&
                        startsAt === subscription.endsAt,
                    )}
                  />
                ))}
              </div>
              {live.length > 1 && <p className="text-sm text-ink-3">{t("plan.order")}</p>}
            </section>
          )}
          <section aria-label={t("plan.offered")} className="flex flex-col gap-3">
            {/* The titles of the plans are h3: the level above must always exist. */}
            <h2 className={live.length > 0 ? "font-semibold text-lg" : "sr-only"}>{t("plan.offered")}</h2>
            {offered.data.length === 0 ? (
              <Panel>
                <EmptyState icon={<CalendarClock />} title={t("plan.noneTitle")} text={t("plan.noneText")}>
                  {may("plans", "change") && (
                    <Link to="/plan/manage/add" className={buttonVariants({ variant: "plain" })}>
                      {t("plan.first")}
                    </Link>
                  )}
                </EmptyState>
              </Panel>
            ) : (
              <div className={GRID}>
                {offered.data.map((plan) => (
                  <OfferedPlan key={plan.id} plan={plan} />
                ))}
              </div>
            )}
          </section>
          {past.length > 0 && <PastSubscriptions past={past} />}
        </div>
      )}
    </PageFrame>
  );
};
