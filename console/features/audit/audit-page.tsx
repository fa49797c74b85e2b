import { exportAudit, listAudit } from "@tollgate/contract/api/audit";
import { ScrollText } from "lucide-react";
import { useTranslation } from "react-i18next";
import { EmptyState } from "../../components/empty-state";
import { ExportButton } from "../../components/export-button";
import { ListPage } from "../../components/list-page";
import { endpointPages, endpointQueried } from "../../lib/endpoint-lists";
import { useAddress } from "../../lib/use-address";
import { useIsFiltered } from "../../lib/use-filter-draft";
import { useList } from "../../lib/use-list";
import { AuditFilters } from "./audit-filters";
import { type AuditSearch, auditQuery, NO_FILTER, readAuditSearch } from "./audit-search";
import { useAuditColumns } from "./use-audit-columns";

const EXTRA = { isExtra: true };

/** /audit: the administrators' changes, for root. */
export const AuditPage = () => {
  const { t } = useTranslation();
  const [search, change] = useAddress(readAuditSearch);
  const columns = useAuditColumns();
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
      actions={<ExportButton file={exportAudit} query={() => auditQuery(search)} />}
      empty={<EmptyState icon={<ScrollText />} title={t("audit.emptyTitle")} text={t("audit.emptyText")} />}
    />
  );
};
