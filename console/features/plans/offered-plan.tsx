import { useQuery } from "@tanstack/react-query";
import { Link } from "@tanstack/react-router";
import { buyPlan, type Plan } from "@tollgate/contract/api/plans";
import { formatMoney } from "@tollgate/contract/payments/currencies";
import { clsx } from "clsx";
import { useTranslation } from "react-i18next";
import { buttonVariants } from "../../components/button";
import { ConfirmButton } from "../../components/confirm-button";
import { exactQuota } from "../../lib/exact-quota";

import { notify } from "../../lib/notify";
import { planQuoteQuery } from "../../lib/plan-quote-query";
import { useStatus } from "../../lib/status";
import { useEndpoint } from "../../lib/use-endpoint";
import { PlanFacts } from "./plan-facts";
import { usePlanTexts } from "./use-plan-texts";

/** A plan on sale: its price and its content. */
export const OfferedPlan = ({ plan }: { plan: Plan }) => {
  const { t } = useTranslation();
  const { durationText, lengthText } = usePlanTexts();
  const buy = useEndpoint(buyPlan);
  const status = useStatus();
  const isPaid = status?.payments === true && plan.price > 0;
  const { data: quote } = useQuery({ ...planQuoteQuery(plan.id), enabled: isPaid });
  const price = exactQuota(plan.price);
  const duration = durationText(plan);
  return (
    <article
      aria-label={plan.title}
      className="flex flex-col gap-4 rounded-lg border border-line bg-surface p-4 wide:p-5"
    >
      <header>
        <h3 className="break-words font-semibold text-lg">{plan.title}</h3>
        {plan.description !== "" && (
          <p className="mt-0.5 whitespace-pre-line break-words text-sm text-ink-2">{plan.description}</p>
        )}
      </header>
      <p className="flex flex-wrap items-baseline gap-x-1.5">
        <span className="font-semibold text-2xl leading-tight tabular-nums">
          {quote ? formatMoney(quote.amount, quote.currency) : price}
        </span>
        <span className="text-sm text-ink-3">{t("plan.per", { duration })}</span>
        {quote && <span className="text-sm text-ink-3">{t("plan.orBalance", { price })}</span>}
      </p>
      <PlanFacts terms={plan} />
      <div className="mt-auto pt-1">
        {plan.maxPerUser > 0 && (
          <p className="mb-2 text-xs text-ink-3">{t("plan.mostTimes", { count: plan.maxPerUser })}</p>
        )}
        {isPaid && (
          <Link
            to="/topup"
            search={{ plan: plan.id }}
            className={clsx(buttonVariants({ variant: "primary" }), "mb-2 w-full")}
          >
            {t("plan.pay")}
          </Link>
        )}
        <ConfirmButton
          className="w-full"
          variant={isPaid ? "plain" : "primary"}
          isHarmless
          question={t("plan.buyQuestion", { plan: plan.title })}
          consequence={t("plan.buyConsequence", { price, duration: lengthText(plan) })}
          confirm={t("plan.buyConfirm", { price })}
          onConfirm={() =>
            buy.mutateAsync({ body: { plan_id: plan.id } }).then(() => notify.success(t("plan.bought")))
          }
        >
          {t("plan.buy")}
        </ConfirmButton>
      </div>
    </article>
  );
};
