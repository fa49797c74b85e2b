import type { Order } from "@tollgate/contract/api/orders";
import { formatMoney } from "@tollgate/contract/payments/currencies";
import { useTranslation } from "react-i18next";
import { Badge, StateMark } from "../../components/badge";
import type { Column } from "../../components/data-table";
import { timeColumn } from "../../components/plain-columns";
import { RecordLink } from "../../components/record-link";
import { exactQuota } from "../../lib/exact-quota";
import { formatOrderNumber } from "../../lib/format";
import { useOrderTexts } from "./use-order-texts";

/** The state of an order, and whether its payment was late. */
export const OrderStateCell = ({ order }: { order: Order }) => {
  const { t } = useTranslation();
  const { stateText, toneOf } = useOrderTexts();
  return (
    <span className="flex flex-wrap items-center gap-2">
      <StateMark tone={toneOf(order.state)}>{stateText(order.state)}</StateMark>
      {order.isLate && <Badge tone="yellow">{t("order.late")}</Badge>}
    </span>
  );
};

/** The common columns of both lists. */
export const useOrderColumns = (): Column<Order>[] => {
  const { t } = useTranslation();
  const { methodText, planFaultText } = useOrderTexts();
  return [
    {
      id: "number",
      label: t("order.number"),
      cell: ({ number }) => (
        <RecordLink kind="order" id={number} title={number} className="font-mono text-sm">
          {formatOrderNumber(number)}
        </RecordLink>
      ),
    },
    timeColumn("created_time", t("field.time"), (order) => order.createdAt, { card: "head" }),
    {
      id: "state",
      label: t("order.stateLabel"),
      cell: (order) => <OrderStateCell order={order} />,
      sortBy: (order) => order.state,
    },
    {
      id: "provider",
      label: t("order.paymentMethod"),
      cell: (order) => methodText(order.provider, order.method),
      sortBy: (order) => order.provider,
    },
    {
      id: "quota",
      label: t("field.quota"),
      cell: (order) => (
        <>
          <span className="block">{exactQuota(order.quota)}</span>
          {order.planTitle !== "" && (
            <span className="block break-words text-xs text-ink-3">
              {t("order.givesPlan", { plan: order.planTitle })}
            </span>
          )}
          {order.planFault !== "" && (
            <span className="block text-xs text-ink-3">{planFaultText(order.planFault)}</span>
          )}
        </>
      ),
      sortBy: (order) => order.quota,
      isNumber: true,
    },
    {
      id: "amount",
      label: t("order.money"),
      cell: (order) => (
        <span className="flex flex-col items-end">
          <span className="font-medium">{formatMoney(order.amount, order.currency)}</span>
          {order.refunded + order.disputed > 0 && (
            <span className="text-xs text-ink-3">
              −{formatMoney(Math.min(order.amount, order.refunded + order.disputed), order.currency)}
            </span>
          )}
        </span>
      ),
      sortBy: (order) => order.amount,
      isNumber: true,
      card: "side",
    },
  ];
};
