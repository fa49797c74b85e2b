import { useQuery } from "@tanstack/react-query";
import { Link } from "@tanstack/react-router";
import type { OrderTermsWire, PromotedQuoteWire, QuoteWire } from "@tollgate/contract/api/order-terms";
import { createOrder } from "@tollgate/contract/api/orders";
import { formatMoney, formatUnitPrice } from "@tollgate/contract/payments/currencies";
import { clsx } from "clsx";
import { useDeferredValue, useEffect, useState } from "react";
import { useTranslation } from "react-i18next";
import { Button } from "../../components/button";
import { Panel } from "../../components/page-frame";
import { TextField } from "../../components/text-field";
import { exactQuota } from "../../lib/exact-quota";

import { useEndpoint } from "../../lib/use-endpoint";
import { useMistakes } from "../../lib/use-mistakes";
import { orderTermsQuery, quoteQuery } from "./order-queries";
import { PayDialog } from "./pay-dialog";
import { PaymentMethodChoice, usePaymentMethods } from "./payment-method-choice";
import { Activities, CodeField, mistakesOf, PromotionLines, usePromotionCode } from "./promotion-parts";

interface PackagesProps {
  packages: readonly QuoteWire[];
  usd: string;
  onChoose: (usd: string) => void;
}

/** Offered amounts of quota and their prices. */
const Packages = ({ packages, usd, onChoose }: PackagesProps) => {
  const { t } = useTranslation();
  return (
    <fieldset className="grid grid-cols-2 gap-2 wide:grid-cols-3">
      <legend className="mb-1.5 font-medium text-sm">{t("order.packages")}</legend>
      {packages.map((each) => (
        <button
          key={each.usd}
          type="button"
          aria-pressed={each.usd === usd}
          onClick={() => onChoose(each.usd)}
          className={clsx(
            "flex min-w-0 flex-col items-start rounded-md border px-3 py-2 text-start transition-colors hover:bg-hover",
            each.usd === usd ? "border-accent bg-accent-soft" : "border-line-strong bg-surface",
          )}
        >
          <span className="font-semibold tabular-nums">${each.usd}</span>
          <span className="text-sm text-ink-2 tabular-nums">{formatMoney(each.amount, each.currency)}</span>
          {each.bonus > 0 && (
            <span className="text-xs text-green">{t("order.bonus", { quota: exactQuota(each.bonus) })}</span>
          )}
        </button>
      ))}
    </fieldset>
  );
};

const Pending = () => <span className="skeleton block h-lh w-24" />;

/** The price of an amount and the resulting quota, line by line; the lines that every amount has before it is known. */
const Summary = ({ quote }: { quote: PromotedQuoteWire | undefined }) => {
  const { t } = useTranslation();
  return (
    <dl
      aria-live="polite"
      className="grid grid-cols-[1fr_auto] gap-x-4 gap-y-1.5 border-line border-t pt-4 text-sm"
    >
      <dt className="text-ink-2">{t("order.youGet")}</dt>
      <dd className="text-end tabular-nums">{quote ? exactQuota(quote.quota) : <Pending />}</dd>
      {quote && quote.bonus > 0 && (
        <>
          <dt className="text-ink-2">{t("order.ofWhichBonus")}</dt>
          <dd className="text-end text-green tabular-nums">{exactQuota(quote.bonus)}</dd>
        </>
      )}
      {quote && quote.factor !== "1" && (
        <>
          <dt className="text-ink-2">{t("order.priceFactor")}</dt>
          <dd className="text-end tabular-nums">× {quote.factor}</dd>
        </>
      )}
      {quote && <PromotionLines quote={quote} />}
      <dt className="font-medium">{t("order.toPay")}</dt>
      <dd className="text-end font-semibold text-xl tabular-nums">
        {quote ? formatMoney(quote.amount, quote.currency) : <Pending />}
      </dd>
    </dl>
  );
};

const Purchase = ({ terms }: { terms: OrderTermsWire }) => {
  const { t } = useTranslation();
  const [usd, setUsd] = useState(terms.packages[0]?.usd ?? terms.minimum);
  const methods = usePaymentMethods(terms);
  const [paying, setPaying] = useState<string>();
  const amount = useDeferredValue(usd.trim());
  const code = usePromotionCode();
  const quote = useQuery(quoteQuery(amount, code.checked));
  const refused = useMistakes();
  const create = useEndpoint(createOrder, { repeatsAlways: true, atField: refused.atField });
  const { chosen } = methods;
  const { mistake, codeMistake } = mistakesOf(quote.error);
  const submit = () => {
    // An unchecked code first changes the price that the buyer sees.
    if (code.check() || !chosen || !quote.data) return;
    create.mutate(
      {
        body: {
          ...{ provider: chosen.provider, method: chosen.method, usd: amount },
          code: code.checked || undefined,
          ...{ expected_amount: quote.data.amount, expected_quota: quote.data.quota },
        },
      },
      { onSuccess: ({ number }) => setPaying(number), onError: () => void quote.refetch() },
    );
  };
  return (
    <form
      noValidate
      className="flex flex-col gap-5"
      onSubmit={(event) => {
        event.preventDefault();
        refused.begin(event.currentTarget);
        submit();
      }}
    >
      {terms.packages.length > 0 && <Packages packages={terms.packages} usd={amount} onChoose={setUsd} />}
      <TextField
        label={t("order.amount")}
        hint={t("order.amountHint", {
          minimum: terms.minimum,
          price: formatUnitPrice(terms.unit_price, terms.currency),
        })}
        error={mistake ?? refused.of("usd")}
        inputMode="decimal"
        autoComplete="off"
        value={usd}
        className="wide:max-w-60 tabular-nums"
        onChange={(event) => setUsd(event.target.value)}
      />
      <Activities activities={terms.activities} product="top-up" />
      <CodeField code={code} error={codeMistake ?? refused.of("code")} quote={quote.data} />
      <PaymentMethodChoice methods={methods} />
      {(quote.data || quote.isPending) && <Summary quote={quote.data} />}
      <div className="flex flex-wrap items-center gap-3">
        <Button type="submit" variant="primary" isBusy={create.isPending} disabled={!quote.data || !chosen}>
          {t("order.pay")}
        </Button>
        <Link to="/order" className="text-sm text-ink-2 underline decoration-line-strong underline-offset-4">
          {t("order.own")}
        </Link>
      </div>
      {paying !== undefined && <PayDialog number={paying} onClose={() => setPaying(undefined)} />}
    </form>
  );
};

/** Buys quota for money, if the site sells it; shown below the codes. */
const PurchasePanel = ({ onKnown }: { onKnown: () => void }) => {
  const { t } = useTranslation();
  const { data: terms, isError, isPending } = useQuery(orderTermsQuery);
  useEffect(() => {
    if (!isPending) onKnown();
  }, [isPending, onKnown]);
  return (
    <Panel>
      <h2 className="mb-4 font-semibold text-lg">{t("order.buyTitle")}</h2>
      {terms && terms.providers.length > 0 && <Purchase terms={terms} />}
      {terms && terms.providers.length === 0 && <p className="text-ink-2">{t("order.noProvider")}</p>}
      {!terms && !isError && <div className="skeleton h-40 w-full" />}
      {!terms && isError && <p className="text-ink-2">{t("order.noTerms")}</p>}
    </Panel>
  );
};

export default PurchasePanel;
