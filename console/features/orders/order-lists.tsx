import { Link, Navigate } from "@tanstack/react-router";
import type { Order } from "@tollgate/contract/api/orders";
import { ReceiptText } from "lucide-react";
import { useSyncExternalStore } from "react";
import { useTranslation } from "react-i18next";
import type { Column } from "../../components/data-table";
import { EmptyState } from "../../components/empty-state";
import { ListPage } from "../../components/list-page";
import { RowActions, useActionsColumn } from "../../components/row-actions";
import { subscribeStored } from "../../lib/local-store";
import { useSession } from "../../lib/session";
import { offersInvoices } from "../../lib/status";
import { useAddress } from "../../lib/use-address";
import { useList } from "../../lib/use-list";
import { AllOrders } from "./all-orders";
import { useOrderColumns } from "./order-cells";
import { ownOrderPages, queriedOwnOrders } from "./order-queries";
import { type OwnOrderSearch, readOwnOrderSearch } from "./order-search";
import { PayDialog } from "./pay-dialog";

interface OwnOrdersProps {
  search: OwnOrderSearch;
  change: (change: Partial<OwnOrderSearch>) => void;
}

/** One's own orders; open ones can be paid. */
const OwnOrders = ({ search, change }: OwnOrdersProps) => {
  const { t } = useTranslation();
  const hasInvoices = useSyncExternalStore(subscribeStored, offersInvoices);
  const columns: Column<Order>[] = [
    ...useOrderColumns(),
    useActionsColumn(({ state, number }) => {
      if (state === "pending")
        return (
          <RowActions
            of={number}
            actions={[{ label: t("order.pay"), opensWindow: true, onSelect: () => change({ number }) }]}
          />
        );
      const canBeInvoiced = hasInvoices && (state === "paid" || state === "partly-refunded");
      return canBeInvoiced ? (
        <RowActions
          of={number}
          actions={[
            { label: t("order.invoice"), link: <Link to="/invoice" search={{ order: number } as never} /> },
          ]}
        />
      ) : null;
    }),
  ];
  const list = useList({ pages: ownOrderPages(), queried: queriedOwnOrders, search, columns });
  return (
    <ListPage
      title={t("order.own")}
      label={t("order.own")}
      description={t("order.ownText")}
      list={list}
      columns={columns}
      rowKey={(order) => order.id}
      search={search}
      onSearch={change}
      empty={<EmptyState icon={<ReceiptText />} title={t("order.emptyTitle")} text={t("order.emptyText")} />}
    />
  );
};

/**
 * All users' orders for administrators, one's own otherwise. With a number in the address, as in providers' redirects,
 * that order is shown.
 */
const OrderLists = () => {
  const { isAdmin } = useSession();
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
