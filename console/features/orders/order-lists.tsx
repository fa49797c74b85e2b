import { Link, Navigate } from "@tanstack/react-router";
import type { Order } from "@tollgate/contract/api/orders";
import { ReceiptText } from "lucide-react";
import { type ComponentProps, useSyncExternalStore } from "react";
import { useTranslation } from "react-i18next";
import { buttonVariants } from "../../components/button";
import type { Column } from "../../components/data-table";
import { EmptyState } from "../../components/empty-state";
import { ListPage } from "../../components/list-page";
import { RowActions, useActionsColumn } from "../../components/row-actions";
import { useBoxes } from "../../components/selection-boxes";
import { subscribeStored } from "../../lib/local-store";
import { useSession } from "../../lib/session";
import { offersInvoices } from "../../lib/status";
import { useAddress } from "../../lib/use-address";
import { useList } from "../../lib/use-list";
import { useSelection } from "../../lib/use-selection";
import { AllOrders } from "./all-orders";
import { useOrderColumns } from "./order-cells";
import { ownOrderPages, queriedOwnOrders } from "./order-queries";
import { type OwnOrderSearch, readOwnOrderSearch } from "./order-search";
import { PayDialog } from "./pay-dialog";

interface OwnOrdersProps {
  search: OwnOrderSearch;
  change: (change: Partial<OwnOrderSearch>) => void;
}

const canBeInvoiced = ({ state }: Order): boolean => state === "paid" || state === "partly-refunded";

interface InvoiceLinkProps extends ComponentProps<"a"> {
  orders: readonly Order[];
}

/** Leads to an application for an invoice over these orders. */
const InvoiceLink = ({ orders, ...link }: InvoiceLinkProps) => (
  <Link {...link} to="/invoice" search={{ order: orders.map(({ number }) => number).join(",") } as never} />
);

/** One's own orders; open ones can be paid, and paid ones invoiced. */
const OwnOrders = ({ search, change }: OwnOrdersProps) => {
  const { t } = useTranslation();
  const hasInvoices = useSyncExternalStore(subscribeStored, offersInvoices);
  const columns: Column<Order>[] = [
    ...useOrderColumns(),
    useActionsColumn((order) => {
      const { state, number } = order;
      if (state === "pending")
        return (
          <RowActions
            of={number}
            actions={[{ label: t("order.pay"), opensWindow: true, onSelect: () => change({ number }) }]}
          />
        );
      return hasInvoices && canBeInvoiced(order) ? (
        <RowActions
          of={number}
          actions={[{ label: t("order.invoice"), link: <InvoiceLink orders={[order]} /> }]}
        />
      ) : null;
    }),
  ];
  const list = useList({ pages: ownOrderPages(), queried: queriedOwnOrders, search, columns });
  const selection = useSelection();
  const withBoxes = useBoxes(selection, list.rows, ({ number }) => number);
  const [first, ...others] = columns;
  const chosen = (list.rows ?? []).filter((order) => selection.chosen.has(order.id) && canBeInvoiced(order));
  return (
    <ListPage
      title={t("order.own")}
      label={t("order.own")}
      description={t("order.ownText")}
      list={list}
      columns={hasInvoices && first ? [withBoxes(first), ...others] : columns}
      rowKey={(order) => order.id}
      search={search}
      onSearch={change}
      above={
        chosen.length > 0 && (
          <div>
            <InvoiceLink orders={chosen} className={buttonVariants({ variant: "primary" })}>
              {t("order.invoiceChosen", { count: chosen.length })}
            </InvoiceLink>
          </div>
        )
      }
      empty={<EmptyState icon={<ReceiptText />} title={t("order.emptyTitle")} text={t("order.emptyText")} />}
    />
  );
};

/**
 * All users' orders for administrators, one's own otherwise. With a number in the address, as in providers' redirects,
 * that order is shown.
 */
const OrderLists = () => {
  const { isAdmin } = useSession("orders");
  const [search, change] = useAddress(readOwnOrderSearch);
  const { number } = search;
  const close = () => change({ number: undefined });
  if (isAdmin)
    return number === undefined ? (
      <AllOrders />
    ) : (
      <Navigate to="/order/$number" params={{ number }} replace />
    );
  return (
    <>
      <OwnOrders search={search} change={change} />
      {number !== undefined && <PayDialog number={number} onClose={close} />}
    </>
  );
};

export default OrderLists;
