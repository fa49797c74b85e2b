import type { ReadLedgerEntry } from "@tollgate/contract/api/ledger";
import { exportLedger, exportOwnLedger } from "@tollgate/contract/api/ledger";
import { NotebookText } from "lucide-react";
import { useTranslation } from "react-i18next";
import type { Column } from "../../components/data-table";
import { EmptyState } from "../../components/empty-state";
import { ExportButton } from "../../components/export-button";
import { ListPage } from "../../components/list-page";
import { useFixedAddress } from "../../lib/fixed-address";
import { formatTime } from "../../lib/format";
import { useSession } from "../../lib/session";
import { useAddress } from "../../lib/use-address";
import { useChosenColumns } from "../../lib/use-chosen-columns";
import { useIsFiltered } from "../../lib/use-filter-draft";
import { useList } from "../../lib/use-list";
import { EntryAccount, EntryActor, EntryAmount, EntryCause, EntryUser } from "./entry-cells";
import { LedgerFilters } from "./ledger-filters";
import { ledgerPages, queriedLedger } from "./ledger-query";
import { type LedgerSearch, ledgerQuery, NO_FILTER, readLedgerOf, readLedgerSearch } from "./ledger-search";

/** The columns of the ledger. Users and actors are only for administrators. */
const useColumns = (isAdmin: boolean): Column<ReadLedgerEntry>[] => {
  const { t } = useTranslation();
  const columns: (Column<ReadLedgerEntry> & { isAdminOnly?: boolean })[] = [
    {
      id: "created_at",
      label: t("field.time"),
      cell: (entry) => formatTime(entry.createdAt),
      sortBy: (entry) => entry.createdAt,
      card: "head",
      className: "wide:whitespace-nowrap",
    },
    {
      id: "username",
      label: t("field.user"),
      isAdminOnly: true,
      cell: (entry) => <EntryUser entry={entry} />,
      sortBy: (entry) => entry.username,
      className: "break-words",
    },
    {
      id: "cause",
      label: t("ledger.cause"),
      cell: (entry) => <EntryCause entry={entry} />,
      sortBy: (entry) => entry.cause,
      className: "max-w-96",
    },
    {
      id: "account",
      label: t("ledger.account"),
      cell: (entry) => <EntryAccount entry={entry} />,
      sortBy: (entry) => entry.account,
      className: "max-w-56",
    },
    {
      id: "actor",
      label: t("ledger.actor"),
      isAdminOnly: true,
      cell: (entry) => <EntryActor entry={entry} />,
      sortBy: (entry) => entry.actorName,
      className: "break-words",
    },
    {
      id: "amount",
      label: t("ledger.amount"),
      cell: (entry) => <EntryAmount amount={entry.amount} />,
      sortBy: (entry) => entry.amount,
      isNumber: true,
      card: "side",
    },
  ];
  return columns.filter((column) => isAdmin || !column.isAdminOnly);
};

/** /ledger: every movement of money except charges; all users' for administrators, one's own otherwise. */
export const LedgerListPage = () => {
  const { t } = useTranslation();
  const { isAdmin } = useSession("balances");
  const [search, change] = useAddress(readLedgerSearch);
  const columns = useColumns(isAdmin);
  const { shown, choices } = useChosenColumns("ledger", columns);
  const of = readLedgerOf(useFixedAddress());
  const isOfRecord = Object.keys(of).length > 0;
  const list = useList({
    pages: ledgerPages(search, of, isAdmin),
    queried: queriedLedger(search, of, isAdmin),
    search,
    columns,
  });
  const isFiltered = useIsFiltered(search, NO_FILTER);
  const filter = (next: LedgerSearch) => change({ ...NO_FILTER, ...next, page: undefined });
  return (
    <ListPage
      title={t("ledger.title")}
      label={t("ledger.title")}
      description={t("ledger.description")}
      above={!isOfRecord && <LedgerFilters search={search} onFilter={filter} />}
      onWiden={isFiltered ? () => filter({}) : undefined}
      list={list}
      columns={shown}
      columnChoices={choices}
      rowKey={(entry) => entry.id}
      search={search}
      onSearch={change}
      actions={
        <ExportButton
          file={isAdmin ? exportLedger : exportOwnLedger}
          query={() => ledgerQuery(search, of, isAdmin)}
        />
      }
      empty={
        <EmptyState icon={<NotebookText />} title={t("ledger.emptyTitle")} text={t("ledger.emptyText")} />
      }
    />
  );
};
