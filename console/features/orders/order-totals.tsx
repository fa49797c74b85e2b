import { useQuery } from "@tanstack/react-query";
import type { OrderTotal } from "@tollgate/contract/api/orders";
import { formatMoney } from "@tollgate/contract/payments/currencies";
import { ORDER_STATES } from "@tollgate/contract/payments/order-machine";
import { useTranslation } from "react-i18next";
import { StateMark } from "../../components/badge";
import { formatCount } from "../../lib/format";
import { orderTotalsQuery } from "./order-queries";
import type { OrderSearch } from "./order-search";
import { useOrderTexts } from "./use-order-texts";

const count = (totals: readonly OrderTotal[]): number => totals.reduce((sum, total) => sum + total.count, 0);

/** Totals per currency. */
const money = (totals: readonly OrderTotal[], amountOf: (total: OrderTotal) => number): string => {
  const sums = new Map<string, number>();
  for (const total of totals) sums.set(total.currency, (sums.get(total.currency) ?? 0) + amountOf(total));
  return [...sums].map(([currency, amount]) => formatMoney(amount, currency)).join(" + ");
};

/** States of orders whose payment has arrived. */
const PAID: readonly string[] = ["paid", "partly-refunded", "refunded"];

interface OrderTotalsProps {
  search: OrderSearch;
  onChange: (change: OrderSearch) => void;
}

/** Count and money of the orders in each state; a click filters the list by it. */
export const OrderTotals = ({ search, onChange }: OrderTotalsProps) => {
  const { t } = useTranslation();
  const { stateText, toneOf } = useOrderTexts();
  const { data: totals, isError } = useQuery(orderTotalsQuery(search));
  if (isError) return null;
  const states = ORDER_STATES.map((state) => ({
    state,
    of: totals?.filter((each) => each.state === state) ?? [],
  }));
  const received = totals?.filter(({ state }) => PAID.includes(state)) ?? [];
  return (
    <section
      aria-label={t("order.totals")}
      className="flex min-h-14 items-stretch [@media(max-height:560px)]:hidden overflow-x-auto whitespace-nowrap rounded-lg border border-line bg-surface text-sm wide:flex-wrap"
    >
      {totals && (
        <p className="flex flex-col justify-center px-4 py-2">
          <span className="text-xs text-ink-2">{t("order.received")}</span>
          <span className="font-semibold tabular-nums">
            {money(received, ({ amount, refunded }) => amount - refunded) || t("value.none")}
          </span>
        </p>
      )}
      {states.map(
        ({ state, of }) =>
          of.length > 0 && (
            <button
              key={state}
              type="button"
              aria-pressed={search.state === state}
              className="flex flex-col items-start justify-center rounded-md px-4 py-2 hover:bg-hover aria-pressed:bg-accent-soft"
              onClick={() =>
                onChange({ state: search.state === state ? undefined : state, refund: undefined })
              }
            >
              <span className="flex items-center gap-x-1.5 text-xs">
                <StateMark tone={toneOf(state)}>{stateText(state)}</StateMark>
                <span className="text-ink-2 tabular-nums">{formatCount(count(of))}</span>
              </span>
              <span className="tabular-nums">{money(of, ({ amount }) => amount)}</span>
            </button>
          ),
      )}
    </section>
  );
};
