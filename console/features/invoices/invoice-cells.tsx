import type { Invoice } from "@tollgate/contract/api/invoices";
import { formatMoney } from "@tollgate/contract/payments/currencies";
import { INVOICE_STATES } from "@tollgate/contract/records/invoice-record";
import { useTranslation } from "react-i18next";
import { Badge, StateMark, type Tone } from "../../components/badge";
import type { Column } from "../../components/data-table";
import { timeColumn } from "../../components/plain-columns";
import { RecordLink } from "../../components/record-link";
import { formatOrderNumber } from "../../lib/format";

const TONES: Readonly<Record<string, Tone>> = {
  open: "yellow",
  issued: "green",
  declined: "red",
  reversed: "grey",
  withdrawn: "grey",
};

/** Orders that a row shows; the others are counted. */
const MAX_SHOWN_ORDERS = 3;

export const useInvoiceStateText = () => {
  const { t } = useTranslation();
  return (state: string): string => {
    const known = INVOICE_STATES.find((each) => each === state);
    return known ? t(`invoice.state.${known}`) : state;
  };
};

const StateCell = ({ invoice }: { invoice: Invoice }) => {
  const { t } = useTranslation();
  const stateText = useInvoiceStateText();
  const reason = invoice.state === "reversed" ? invoice.reversedReason : invoice.reason;
  return (
    <span className="flex flex-col gap-0.5">
      <span className="flex flex-wrap items-center gap-2">
        <StateMark tone={TONES[invoice.state] ?? "grey"}>{stateText(invoice.state)}</StateMark>
        {invoice.needsReversal && <Badge tone="red">{t("invoice.needsReversal")}</Badge>}
      </span>
      {reason !== "" && <span className="wrap-anywhere text-sm text-ink-2">{reason}</span>}
    </span>
  );
};

const TitleCell = ({ invoice }: { invoice: Invoice }) => {
  const { t } = useTranslation();
  return (
    <span className="flex flex-wrap items-center gap-x-2 gap-y-0.5">
      <span className="flex flex-wrap items-center gap-x-2">
        <span className="wrap-anywhere">{invoice.titleName}</span>
        {invoice.isSpecial && <Badge>{t("invoice.special")}</Badge>}
      </span>
      {invoice.taxNumber !== "" && (
        <span className="wrap-anywhere font-mono text-sm text-ink-3">{invoice.taxNumber}</span>
      )}
    </span>
  );
};

const OrdersCell = ({ orders }: Pick<Invoice, "orders">) => (
  <span className="flex flex-wrap gap-x-2">
    {orders.slice(0, MAX_SHOWN_ORDERS).map(({ number }) => (
      <RecordLink key={number} kind="order" id={number} title={number} className="font-mono text-sm">
        {formatOrderNumber(number)}
      </RecordLink>
    ))}
    {orders.length > MAX_SHOWN_ORDERS && (
      <span className="text-sm text-ink-3">+{orders.length - MAX_SHOWN_ORDERS}</span>
    )}
  </span>
);

/** The common columns of both lists. */
export const useInvoiceColumns = (): Column<Invoice>[] => {
  const { t } = useTranslation();
  return [
    timeColumn("created_time", t("field.time"), (invoice) => invoice.createdAt, { card: "head" }),
    {
      id: "title",
      label: t("invoice.title"),
      cell: (invoice) => <TitleCell invoice={invoice} />,
      sortBy: (invoice) => invoice.titleName,
      className: "min-w-36 max-w-96 max-wide:col-span-2",
    },
    {
      id: "orders",
      label: t("invoice.orders"),
      cell: ({ orders }) => <OrdersCell orders={orders} />,
      className: "max-wide:col-span-2",
    },
    {
      id: "number",
      label: t("invoice.number"),
      cell: ({ number }) => number && <span className="wrap-anywhere font-mono text-sm">{number}</span>,
      className: "max-w-48",
    },
    {
      id: "state",
      label: t("field.status"),
      cell: (invoice) => <StateCell invoice={invoice} />,
      sortBy: (invoice) => invoice.state,
      className: "max-w-64",
    },
    {
      id: "amount",
      label: t("invoice.amount"),
      cell: (invoice) => <span className="font-medium">{formatMoney(invoice.amount, invoice.currency)}</span>,
      sortBy: (invoice) => invoice.amount,
      isNumber: true,
      card: "side",
    },
  ];
};
