import {
  declineInvoice,
  exportInvoices,
  type Invoice,
  reverseInvoice,
  TO_REVERSE,
} from "@tollgate/contract/api/invoices";
import { formatMoney } from "@tollgate/contract/payments/currencies";
import { INVOICE_STATES } from "@tollgate/contract/records/invoice-record";
import { FileText } from "lucide-react";
import { useState } from "react";
import { useTranslation } from "react-i18next";
import type { Column } from "../../components/data-table";
import { EmptyState } from "../../components/empty-state";
import { ExportButton } from "../../components/export-button";
import { LazyBoundary } from "../../components/lazy-boundary";
import { ListPage } from "../../components/list-page";
import { RecordLink } from "../../components/record-link";
import { type RowAction, RowActions, useActionsColumn } from "../../components/row-actions";
import { Select } from "../../components/select";
import { notify } from "../../lib/notify";
import { useAddress } from "../../lib/use-address";
import { useChosenColumns } from "../../lib/use-chosen-columns";
import { useEndpoint } from "../../lib/use-endpoint";
import { useList } from "../../lib/use-list";
import { useMistakes } from "../../lib/use-mistakes";
import { useInvoiceFiles } from "./invoice-actions";
import { useInvoiceColumns, useInvoiceStateText } from "./invoice-cells";
import { invoicePages, invoiceQuery, queriedInvoices, readInvoiceSearch } from "./invoice-queries";

const loadIssueDialog = () => import("./issue-dialog");
const loadReasonDialog = async () => ({
  default: (await import("../../components/reason-dialog")).ReasonDialog,
});

/** The value for no choice. */
const ANY = "";

const Actions = ({ invoice }: { invoice: Invoice }) => {
  const { t } = useTranslation();
  const [asking, setAsking] = useState<"issue" | "decline" | "reverse">();
  const filesOf = useInvoiceFiles(false);
  const refused = useMistakes();
  const decline = useEndpoint(declineInvoice, { atField: refused.atField, repeatsAlways: true });
  const reverse = useEndpoint(reverseInvoice, { atField: refused.atField, repeatsAlways: true });
  const close = () => setAsking(undefined);
  const { id, state, username, amount, currency } = invoice;
  const actions: RowAction[] = filesOf(invoice);
  if (state === "open")
    actions.push(
      { label: t("invoice.issue"), opensWindow: true, onSelect: () => setAsking("issue") },
      { label: t("invoice.decline"), opensWindow: true, onSelect: () => setAsking("decline") },
    );
  if (state === "issued")
    actions.push({ label: t("invoice.reverse"), opensWindow: true, onSelect: () => setAsking("reverse") });
  const reasonFor = (step: "decline" | "reverse") => ({
    title: t(`invoice.${step}`),
    text: t(`invoice.${step}Text`, { user: username, money: formatMoney(amount, currency) }),
    confirm: t(`invoice.${step}`),
    isBusy: decline.isPending || reverse.isPending,
    refused,
    onClose: close,
    onConfirm: (reason: string) =>
      (step === "decline" ? decline : reverse).mutate(
        { params: { id }, body: { reason } },
        {
          onSuccess: () => {
            notify.success(t("action.done"));
            close();
          },
        },
      ),
  });
  return (
    <>
      <RowActions of={`#${id}`} actions={actions} />
      {asking === "issue" && (
        <LazyBoundary load={loadIssueDialog} with={{ invoice, onClose: close }} onMissing={close} />
      )}
      {(asking === "decline" || asking === "reverse") && (
        <LazyBoundary load={loadReasonDialog} with={reasonFor(asking)} onMissing={close} />
      )}
    </>
  );
};

/** /invoice/manage: all applications for invoices. */
export const ManageInvoicesPage = () => {
  const { t } = useTranslation();
  const [search, change] = useAddress(readInvoiceSearch);
  const stateText = useInvoiceStateText();
  const [time, ...others] = useInvoiceColumns();
  const columns: Column<Invoice>[] = [
    ...(time ? [time] : []),
    {
      id: "username",
      label: t("field.user"),
      cell: (invoice) => (
        <RecordLink kind="user" id={invoice.userId} className="wrap-anywhere">
          {invoice.username}
        </RecordLink>
      ),
      sortBy: (invoice) => invoice.username,
    },
    ...others,
    useActionsColumn((invoice) => <Actions invoice={invoice} />),
  ];
  const { shown, choices } = useChosenColumns("invoice", columns);
  const list = useList({ pages: invoicePages(search), queried: queriedInvoices(search), search, columns });
  return (
    <ListPage
      title={t("invoice.all")}
      label={t("invoice.all")}
      description={t("invoice.allText")}
      searchPlaceholder={t("invoice.search")}
      above={
        <Select
          label={t("field.status")}
          className="max-w-44"
          value={search.state ?? ANY}
          groups={[
            {
              options: [
                { value: ANY, label: t("invoice.anyState") },
                ...INVOICE_STATES.map((state) => ({ value: state as string, label: stateText(state) })),
                { value: TO_REVERSE, label: t("invoice.needsReversal") },
              ],
            },
          ]}
          onChange={(state) => change({ state: state === ANY ? undefined : state, page: undefined })}
        />
      }
      onWiden={search.state === undefined ? undefined : () => change({ state: undefined, page: undefined })}
      list={list}
      columns={shown}
      columnChoices={choices}
      rowKey={(invoice) => invoice.id}
      search={search}
      onSearch={change}
      actions={<ExportButton file={exportInvoices} query={() => invoiceQuery(search)} />}
      empty={<EmptyState icon={<FileText />} title={t("invoice.empty")} text={t("invoice.allEmptyText")} />}
    />
  );
};
