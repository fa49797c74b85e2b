import { type Invoice, withdrawInvoice } from "@tollgate/contract/api/invoices";
import { FileText } from "lucide-react";
import { useState } from "react";
import { useTranslation } from "react-i18next";
import { Button } from "../../components/button";
import type { Column } from "../../components/data-table";
import { EmptyState } from "../../components/empty-state";
import { LazyBoundary } from "../../components/lazy-boundary";
import { ListPage } from "../../components/list-page";
import { RowActions, useActionsColumn } from "../../components/row-actions";
import { readText } from "../../lib/address-values";
import { type ListSearch, readListSearch } from "../../lib/list-search";
import { useAddress } from "../../lib/use-address";
import { useEndpoint } from "../../lib/use-endpoint";
import { useList } from "../../lib/use-list";
import { useInvoiceFiles } from "./invoice-actions";
import { useInvoiceColumns } from "./invoice-cells";
import { ownInvoicePages, queriedOwnInvoices } from "./invoice-queries";
import { TitleList } from "./title-list";

const loadApplyDialog = () => import("./apply-dialog");

interface OwnInvoiceSearch extends Omit<ListSearch, "q"> {
  /** Numbers of orders to apply for, separated by commas: the window opens with them. */
  order?: string;
}

const readSearch = (search: Record<string, unknown>): OwnInvoiceSearch => {
  const { page, size, sort } = readListSearch(search);
  return { page, size, sort, order: readText(search.order) };
};

const OwnActions = ({ invoice }: { invoice: Invoice }) => {
  const { t } = useTranslation();
  const filesOf = useInvoiceFiles(true);
  const withdraw = useEndpoint(withdrawInvoice, { repeatsAlways: true });
  const { id, state } = invoice;
  return (
    <RowActions
      of={`#${id}`}
      actions={[
        ...filesOf(invoice),
        ...(state === "open"
          ? [
              {
                label: t("invoice.withdraw"),
                question: {
                  question: t("invoice.withdrawQuestion"),
                  consequence: t("invoice.withdrawConsequence"),
                  confirm: t("invoice.withdraw"),
                  isHarmless: true,
                },
                onSelect: () => withdraw.mutateAsync({ params: { id } }),
              },
            ]
          : []),
      ]}
    />
  );
};

/** /invoice: the user's applications for invoices, and titles. */
export const InvoicePage = () => {
  const { t } = useTranslation();
  const [search, change] = useAddress(readSearch);
  const [isApplying, setApplying] = useState(search.order !== undefined);
  const columns: Column<Invoice>[] = [
    ...useInvoiceColumns(),
    useActionsColumn((invoice) => <OwnActions invoice={invoice} />),
  ];
  const list = useList({ pages: ownInvoicePages, queried: queriedOwnInvoices, search, columns });
  const close = () => {
    setApplying(false);
    if (search.order !== undefined) change({ order: undefined });
  };
  const applyButton = (
    <Button variant="primary" aria-haspopup="dialog" onClick={() => setApplying(true)}>
      {t("invoice.apply")}
    </Button>
  );
  return (
    <div className="flex flex-col gap-8">
      <ListPage
        title={t("invoice.own")}
        label={t("invoice.own")}
        description={t("invoice.ownText")}
        list={list}
        columns={columns}
        rowKey={(invoice) => invoice.id}
        search={search}
        onSearch={change}
        primary={applyButton}
        empty={<EmptyState icon={<FileText />} title={t("invoice.empty")} text={t("invoice.emptyText")} />}
      />
      {/* An empty list is shorter than its placeholder: what stands below it appears with it. */}
      {(list.rows || list.error) && <TitleList />}
      {isApplying && (
        <LazyBoundary
          load={loadApplyDialog}
          with={{ chosen: search.order?.split(",") ?? [], onClose: close }}
          onMissing={close}
        />
      )}
    </div>
  );
};
