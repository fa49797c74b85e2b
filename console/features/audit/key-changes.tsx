import { listKeyChanges } from "@tollgate/contract/api/audit";
import { ScrollText } from "lucide-react";
import { useTranslation } from "react-i18next";
import { EmptyState } from "../../components/empty-state";
import { ListPage } from "../../components/list-page";
import { endpointPages, endpointQueried } from "../../lib/endpoint-lists";
import { readListSearch } from "../../lib/list-search";
import { useAddress } from "../../lib/use-address";
import { useList } from "../../lib/use-list";
import { useAuditColumns } from "./use-audit-columns";

const EXTRA = { isExtra: true };

/** The changes of one key, for its owner and administrators, as a part of its page. */
export const KeyChanges = ({ keyId }: { keyId: number }) => {
  const { t } = useTranslation();
  const [search, change] = useAddress(readListSearch);
  const columns = useAuditColumns().filter(({ id }) => id !== "beneficiary");
  const asked = { params: { id: keyId } };
  const list = useList({
    pages: endpointPages(listKeyChanges, asked, EXTRA),
    queried: endpointQueried(listKeyChanges, asked, EXTRA),
    search,
    columns,
  });
  return (
    <ListPage
      title={t("audit.ofKey.title")}
      label={t("audit.ofKey.title")}
      list={list}
      columns={columns}
      rowKey={(entry) => entry.id}
      search={search}
      onSearch={change}
      empty={
        <EmptyState
          icon={<ScrollText />}
          title={t("audit.ofKey.emptyTitle")}
          text={t("audit.ofKey.emptyText")}
        />
      }
    />
  );
};
