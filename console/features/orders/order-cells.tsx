import type { Order } from "@tollgate/contract/api/orders";
import { formatMoney } from "@tollgate/contract/payments/currencies";
import { clsx } from "clsx";
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
    <span className="flex items-center gap-2 whitespace-nowrap">
      <StateMark tone={toneOf(order.state)}>{stateText(order.state)}</StateMark>
      {order.isLate && <Badge tone="yellow">{t("order.late")}</Badge>}
    </span>
  );
};

/** A number and its notes: in a table on one line, with the number at its end, where the column's others are. */
const ONE_LINE = "flex flex-col wide:flex-row-reverse wide:items-baseline wide:justify-start wide:gap-x-2";

const Note = ({ text }: { text: string }) => (
  <span className="min-w-0 text-xs text-ink-3 max-wide:break-words wide:max-w-40 wide:truncate" title={text}>
    {text}
  </span>
);

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
      card: "head",
    },
    timeColumn("created_time", t("field.time"), (order) => order.createdAt),
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
        <span className={clsx(ONE_LINE, "max-wide:items-start")}>
          <span>{exactQuota(order.quota)}</span>
          {order.promotions.length > 0 && <Note text={order.promotions.map(({ name }) => name).join(", ")} />}
          {order.planTitle !== "" && <Note text={t("order.givesPlan", { plan: order.planTitle })} />}
          {order.planFault !== "" && <Note text={planFaultText(order.planFault)} />}
        </span>
      ),
      sortBy: (order) => order.quota,
      isNumber: true,
    },
    {
      id: "amount",
      label: t("order.money"),
      cell: (order) => (
        <span className={clsx(ONE_LINE, "max-wide:items-end")}>
          <span className="font-medium">{formatMoney(order.amount, order.currency)}</span>
          {order.refunded + order.disputed > 0 && (
            <span className="whitespace-nowrap text-xs text-ink-3">
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
