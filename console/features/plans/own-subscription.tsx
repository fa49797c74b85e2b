import {
  buyPlan,
  type Plan,
  type Subscription,
  setRenews as setRenewsEndpoint,
} from "@tollgate/contract/api/plans";
import { useTranslation } from "react-i18next";
import { ConfirmButton } from "../../components/confirm-button";
import { SwitchField } from "../../components/switch-field";
import { exactQuota } from "../../lib/exact-quota";
import { formatTime } from "../../lib/format";
import { notify } from "../../lib/notify";
import { useEndpoint } from "../../lib/use-endpoint";
import { PlanFacts } from "./plan-facts";
import { SubscriptionState } from "./subscription-state";
import { usePlanTexts } from "./use-plan-texts";

const PERCENT = 100;

/** The remaining quota of the period, as a bar with a text. */
const PeriodProgress = ({ subscription }: { subscription: Subscription }) => {
  const { t } = useTranslation();
  const { granted, left, reset, periodEndsAt, endsAt } = subscription;
  const share = granted === 0 ? 0 : Math.min(PERCENT, Math.max(0, (left / granted) * PERCENT));
  const isLast = reset === "never" || periodEndsAt >= endsAt;
  return (
    <div>
      <p className="flex flex-wrap items-baseline justify-between gap-x-3 text-sm">
        <span>
          <span className="font-semibold text-lg tabular-nums">{exactQuota(left)}</span>{" "}
          <span className="text-ink-3">{t("plan.leftOf", { amount: exactQuota(granted) })}</span>
        </span>
        <span className="text-ink-3 tabular-nums">
          {isLast
            ? t("plan.until", { time: formatTime(endsAt) })
            : t("plan.resetsAt", { time: formatTime(periodEndsAt) })}
        </span>
      </p>
      <div
        role="progressbar"
        aria-label={t("plan.left")}
        aria-valuemin={0}
        aria-valuemax={PERCENT}
        aria-valuenow={Math.round(share)}
        className="mt-2 h-1.5 overflow-hidden rounded-full bg-sunken"
      >
        <div className="h-full rounded-full bg-accent" style={{ width: `${share}%` }} />
      </div>
    </div>
  );
};

interface OwnSubscriptionProps {
  subscription: Subscription;
  /** The current offer of the plan; undefined if it is not on sale. */
  plan: Plan | undefined;
  /** Another plan that replaces it is already paid. */
  isFollowed: boolean;
}

/** One's own subscription: the rest, its end, and what follows. */
export const OwnSubscription = ({ subscription, plan, isFollowed }: OwnSubscriptionProps) => {
  const { t } = useTranslation();
  const { lengthText } = usePlanTexts();
  const setRenews = useEndpoint(setRenewsEndpoint);
  const buy = useEndpoint(buyPlan);
  const { id, title, state, startsAt, endsAt, renews, parked, beyond } = subscription;
  const isActive = state === "active";
  return (
    <article
      aria-label={title}
      className="flex flex-col gap-4 rounded-lg border border-line bg-surface p-4 wide:p-5"
    >
      <header className="flex items-start justify-between gap-4">
        <div className="min-w-0">
          <h3 className="break-words font-semibold text-lg">{title}</h3>
          <p className="mt-0.5 text-sm text-ink-3 tabular-nums">
            {isActive
              ? t("plan.until", { time: formatTime(endsAt) })
              : t("plan.beginsAt", { time: formatTime(startsAt) })}
          </p>
        </div>
        <SubscriptionState state={state} />
      </header>
      {isActive && <PeriodProgress subscription={subscription} />}
      <PlanFacts terms={subscription} />
      {isActive && beyond === "stop" && parked > 0 && (
        <p className="rounded-md bg-sunken px-3 py-2 text-sm text-ink-2">
          {t("plan.parked", { amount: exactQuota(parked) })}
        </p>
      )}
      <div className="mt-auto flex flex-wrap items-center justify-between gap-3 border-line border-t pt-4">
        <SwitchField
          label={t("plan.renews")}
          hint={isFollowed ? t("plan.followed") : undefined}
          isOn={renews && !isFollowed}
          disabled={setRenews.isPending || isFollowed}
          onChange={(isOn) => setRenews.mutate({ params: { id }, body: { renews: isOn } })}
        />
        {plan && !isFollowed && (
          <ConfirmButton
            size="small"
            isHarmless
            question={t("plan.renewQuestion", { plan: plan.title })}
            consequence={t("plan.renewConsequence", {
              price: exactQuota(plan.price),
              duration: lengthText(plan),
              time: formatTime(endsAt),
            })}
            confirm={t("plan.buyConfirm", { price: exactQuota(plan.price) })}
            onConfirm={() =>
              buy
                .mutateAsync({ body: { plan_id: plan.id, follows: id } })
                .then(() => notify.success(t("plan.bought")))
            }
          >
            {t("plan.renew")}
          </ConfirmButton>
        )}
      </div>
    </article>
  );
};
