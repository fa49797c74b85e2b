import { type AuditEntry, listAudit } from "@tollgate/contract/api/audit";
import { ScrollText } from "lucide-react";
import { useTranslation } from "react-i18next";
import { ClampedText } from "../../components/clamped-text";
import type { Column } from "../../components/data-table";
import { EmptyState } from "../../components/empty-state";
import { ListPage } from "../../components/list-page";
import { endpointPages, endpointQueried } from "../../lib/endpoint-lists";
import { formatTime } from "../../lib/format";
import { useAddress } from "../../lib/use-address";
import { useIsFiltered } from "../../lib/use-filter-draft";
import { useList } from "../../lib/use-list";
import { ActionCell, ActorCell, BeneficiaryCell } from "./audit-cells";
import { AuditFilters } from "./audit-filters";
import { type AuditSearch, auditQuery, NO_FILTER, readAuditSearch } from "./audit-search";
import { detailText } from "./detail-text";

const EXTRA = { isExtra: true };

const useColumns = (): Column<AuditEntry>[] => {
  const { t } = useTranslation();
  return [
    {
      id: "created_at",
      label: t("field.time"),
      cell: (entry) => formatTime(entry.createdAt),
      sortBy: (entry) => entry.createdAt,
      card: "head",
      className: "wide:whitespace-nowrap",
    },
    {
      id: "action",
      label: t("audit.action"),
      cell: (entry) => <ActionCell entry={entry} />,
      sortBy: (entry) => entry.action,
      className: "max-w-72",
    },
    {
      id: "username",
      label: t("audit.by"),
      cell: (entry) => <ActorCell entry={entry} />,
      className: "wide:max-w-56",
      sortBy: (entry) => entry.username,
    },
    {
      id: "beneficiary",
      label: t("audit.beneficiary"),
      cell: (entry) => <BeneficiaryCell entry={entry} />,
      sortBy: (entry) => entry.beneficiary,
    },
    {
      id: "detail",
      label: t("audit.detail"),
      cell: (entry) => <ClampedText text={detailText(entry.detail)} />,
      className: "wide:w-2/5 wide:max-w-0",
    },
  ];
};

/** /audit: the administrators' changes, for root. */
export const AuditPage = () => {
  const { t } = useTranslation();
  const [search, change] = useAddress(readAuditSearch);
  const columns = useColumns();
  const isFiltered = useIsFiltered(search, NO_FILTER);
  const filter = (next: AuditSearch) => change({ ...NO_FILTER, ...next, page: undefined });
  const asked = { query: auditQuery(search) };
  const list = useList({
    pages: endpointPages(listAudit, asked, EXTRA),
    queried: endpointQueried(listAudit, asked, EXTRA),
    search,
    columns,
  });
  return (
    <ListPage
      title={t("audit.title")}
      label={t("audit.title")}
      description={t("audit.description")}
      above={<AuditFilters search={search} onFilter={filter} />}
      onWiden={isFiltered ? () => filter({}) : undefined}
      list={list}
      columns={columns}
      rowKey={(entry) => entry.id}
      search={search}
      onSearch={change}
      empty={<EmptyState icon={<ScrollText />} title={t("audit.emptyTitle")} text={t("audit.emptyText")} />}
    />
  );
};
