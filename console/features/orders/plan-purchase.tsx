import { useQuery } from "@tanstack/react-query";
import { Link } from "@tanstack/react-router";
import type { OrderTermsWire, PromotedQuoteWire } from "@tollgate/contract/api/order-terms";
import { createOrder } from "@tollgate/contract/api/orders";
import { formatMoney } from "@tollgate/contract/payments/currencies";
import { useEffect, useState } from "react";
import { useTranslation } from "react-i18next";
import { Button } from "../../components/button";
import { FailedState } from "../../components/failed-state";
import { Panel } from "../../components/page-frame";
import { exactQuota } from "../../lib/exact-quota";

import { planQuoteQuery } from "../../lib/plan-quote-query";
import { useEndpoint } from "../../lib/use-endpoint";
import { useMistakes } from "../../lib/use-mistakes";
import { offeredPlanQuery } from "./offered-plan-query";
import { orderTermsQuery } from "./order-queries";
import { PayDialog } from "./pay-dialog";
import { PaymentMethodChoice, usePaymentMethods } from "./payment-method-choice";
import { Activities, CodeField, mistakesOf, PromotionLines, usePromotionCode } from "./promotion-parts";

interface PurchaseProps {
  planId: number;
  terms: OrderTermsWire;
  /** The price without a code. */
  quote: PromotedQuoteWire;
}

const Purchase = ({ planId, terms, quote: first }: PurchaseProps) => {
  const { t } = useTranslation();
  const methods = usePaymentMethods(terms);
  const refused = useMistakes();
  const create = useEndpoint(createOrder, { repeatsAlways: true, atField: refused.atField });
  const code = usePromotionCode();
  const { data, error, refetch } = useQuery(planQuoteQuery(planId, code.checked));
  const { codeMistake } = mistakesOf(error);
  const quote = data ?? first;
  const [paying, setPaying] = useState<string>();
  const { chosen } = methods;
  return (
    <form
      noValidate
      className="flex flex-col gap-5"
      onSubmit={(event) => {
        event.preventDefault();
        refused.begin(event.currentTarget);
        // An unchecked code first changes the price that the buyer sees.
        if (code.check() || !chosen || !data) return;
        create.mutate(
          {
            body: {
              ...{ provider: chosen.provider, method: chosen.method, plan_id: planId },
              code: code.checked || undefined,
              ...{ expected_amount: data.amount, expected_quota: data.quota },
            },
          },
          { onSuccess: ({ number }) => setPaying(number), onError: () => void refetch() },
        );
      }}
    >
      <Activities activities={terms.activities} product="plan" />
      <CodeField code={code} error={codeMistake ?? refused.of("code")} quote={data} />
      <dl aria-live="polite" className="grid grid-cols-[1fr_auto] gap-x-4 gap-y-1.5 text-sm">
        <dt className="text-ink-2">{t("order.planPrice")}</dt>
        <dd className="text-end tabular-nums">{exactQuota(quote.quota)}</dd>
        <PromotionLines quote={quote} />
        <dt className="font-medium">{t("order.toPay")}</dt>
        <dd className="text-end font-semibold text-xl tabular-nums">
          {formatMoney(quote.amount, quote.currency)}
        </dd>
      </dl>
      <p className="text-sm text-ink-2">{t("order.planHint")}</p>
      {methods.all.length > 0 ? (
        <PaymentMethodChoice methods={methods} />
      ) : (
        <p className="text-ink-2">{t("order.noProvider")}</p>
      )}
      <div className="flex flex-wrap items-center gap-3">
        <Button type="submit" variant="primary" isBusy={create.isPending} disabled={!chosen || !data}>
          {t("order.pay")}
        </Button>
        <Link to="/plan" className="text-sm text-ink-2 underline decoration-line-strong underline-offset-4">
          {t("order.toPlans")}
        </Link>
      </div>
      {paying !== undefined && <PayDialog number={paying} onClose={() => setPaying(undefined)} />}
    </form>
  );
};

/** Buys a plan, with an order, in place of quota. */
const PlanPurchase = ({ planId, onKnown }: { planId: number; onKnown: () => void }) => {
  const { t } = useTranslation();
  const plan = useQuery(offeredPlanQuery(planId));
  const quote = useQuery(planQuoteQuery(planId));
  const terms = useQuery(orderTermsQuery);
  const error = plan.error ?? quote.error ?? terms.error;
  const isKnown = ![plan, quote, terms].some(({ isPending }) => isPending) || Boolean(error);
  useEffect(() => {
    if (isKnown) onKnown();
  }, [isKnown, onKnown]);
  return (
    <Panel>
      <h2 className="mb-4 break-words font-semibold text-lg">
        {t("order.buyPlan", { plan: plan.data?.title ?? "" })}
      </h2>
      {plan.data && quote.data && terms.data ? (
        <Purchase planId={planId} terms={terms.data} quote={quote.data} />
      ) : error ? (
        <FailedState
          error={error}
          onRetry={() => void Promise.all([plan.refetch(), quote.refetch(), terms.refetch()])}
        />
      ) : (
        <div className="skeleton h-40 w-full" />
      )}
    </Panel>
  );
};

export default PlanPurchase;
