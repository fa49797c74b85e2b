import type { Order } from "@tollgate/contract/api/orders";
import { exportOrders, REFUND_FILTERS } from "@tollgate/contract/api/orders";
import { ORDER_STATES } from "@tollgate/contract/payments/order-machine";
import { PAYMENT_PROVIDERS } from "@tollgate/contract/payments/providers";
import { ReceiptText } from "lucide-react";
import { useTranslation } from "react-i18next";
import type { Column } from "../../components/data-table";
import { EmptyState } from "../../components/empty-state";
import { ExportButton } from "../../components/export-button";
import { ListPage } from "../../components/list-page";
import { RecordLink } from "../../components/record-link";
import { Select } from "../../components/select";
import { useFixedAddress } from "../../lib/fixed-address";
import { queriesLists } from "../../lib/status";
import { useAddress } from "../../lib/use-address";
import { useChosenColumns } from "../../lib/use-chosen-columns";
import { useList } from "../../lib/use-list";
import { useOrderColumns } from "./order-cells";
import { allOrderPages, queriedOrders } from "./order-queries";
import { type OrderSearch, orderQuery, readOrderSearch } from "./order-search";
import { OrderTotals } from "./order-totals";
import { useOrderTexts } from "./use-order-texts";

/** The value for no choice. */
const ANY: string = "";

/** The values of the state filter that are about refunds begin with it. */
const REFUND = "refund:";

interface FiltersProps {
  search: OrderSearch;
  onChange: (change: OrderSearch) => void;
}

const Filters = ({ search, onChange }: FiltersProps) => {
  const { t } = useTranslation();
  const { stateText, providerText } = useOrderTexts();
  return (
    <div className="flex gap-2">
      <Select
        label={t("order.stateLabel")}
        className="min-w-0 max-w-44 flex-1"
        value={search.refund === undefined ? (search.state ?? ANY) : `${REFUND}${search.refund}`}
        groups={[
          {
            options: [
              { value: ANY, label: t("order.anyState") },
              ...ORDER_STATES.map((state) => ({ value: state, label: stateText(state) })),
              ...REFUND_FILTERS.map((refund) => ({
                value: `${REFUND}${refund}`,
                label: t(`order.refunds.${refund}`),
              })),
            ],
          },
        ]}
        onChange={(value) =>
          onChange(
            value.startsWith(REFUND)
              ? { state: undefined, refund: value.slice(REFUND.length) }
              : { state: value === ANY ? undefined : value, refund: undefined },
          )
        }
      />
      <Select
        label={t("order.providerLabel")}
        className="min-w-0 max-w-44 flex-1"
        value={search.provider ?? ANY}
        groups={[
          {
            options: [
              { value: ANY, label: t("order.anyProvider") },
              ...PAYMENT_PROVIDERS.map(({ name }) => ({ value: name, label: providerText(name) })),
            ],
          },
        ]}
        onChange={(value) => onChange({ provider: value === ANY ? undefined : value })}
      />
    </div>
  );
};

/** All users' orders, for administrators. */
export const AllOrders = () => {
  const { t } = useTranslation();
  const [search, change] = useAddress(readOrderSearch);
  const isOfOneUser = "q" in (useFixedAddress() ?? {});
  const [number, time, ...others] = useOrderColumns();
  const columns: Column<Order>[] = [
    ...(number && time ? [number, time] : []),
    ...(isOfOneUser
      ? []
      : [
          {
            id: "username",
            label: t("field.user"),
            cell: (order: Order) => (
              <RecordLink kind="user" id={order.userId}>
                {order.username}
              </RecordLink>
            ),
            sortBy: (order: Order) => order.username,
            className: "break-words",
          },
        ]),
    ...others,
  ];
  const { shown, choices } = useChosenColumns("order", columns);
  const list = useList({ pages: allOrderPages(search), queried: queriedOrders(search), search, columns });
  const narrow = (next: OrderSearch) => change({ ...next, page: undefined });
  const isNarrowed = [search.state, search.provider, search.refund].some((filter) => filter !== undefined);
  return (
    <ListPage
      title={t(isOfOneUser ? "nav.orders" : "order.all")}
      label={t("order.all")}
      description={t("order.allText")}
      above={
        <>
          {queriesLists() && <OrderTotals search={search} onChange={narrow} />}
          <Filters search={search} onChange={narrow} />
        </>
      }
      onWiden={
        isNarrowed
          ? () => change({ state: undefined, provider: undefined, refund: undefined, page: undefined })
          : undefined
      }
      list={list}
      columns={shown}
      columnChoices={choices}
      rowKey={(order) => order.id}
      search={search}
      onSearch={change}
      {...(isOfOneUser ? {} : { searchPlaceholder: t("order.search") })}
      actions={<ExportButton file={exportOrders} query={() => orderQuery(search)} />}
      empty={
        <EmptyState icon={<ReceiptText />} title={t("order.emptyTitle")} text={t("order.allEmptyText")} />
      }
    />
  );
};
