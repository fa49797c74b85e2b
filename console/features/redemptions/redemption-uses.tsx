import type { RedemptionUse } from "@tollgate/contract/api/redemptions";
import { Users } from "lucide-react";
import { useState } from "react";
import { useTranslation } from "react-i18next";
import type { Column } from "../../components/data-table";
import { EmptyState } from "../../components/empty-state";
import { ListPage } from "../../components/list-page";
import { numberColumn, timeColumn } from "../../components/plain-columns";
import { formatQuota } from "../../lib/format";
import type { ListSearch } from "../../lib/list-search";
import { useList } from "../../lib/use-list";
import { queriedRedemptionUses, redemptionUsePages } from "./redemption-queries";

/** The users of a code, with times. */
export const RedemptionUses = ({ id }: { id: number }) => {
  const { t } = useTranslation();
  const [search, setSearch] = useState<ListSearch>({});
  const columns: Column<RedemptionUse>[] = [
    timeColumn("used_time", t("field.time"), (use) => use.usedAt, { card: "head" }),
    {
      id: "username",
      label: t("field.user"),
      cell: (use) => (use.username === "" ? <span className="text-ink-3">#{use.userId}</span> : use.username),
      sortBy: (use) => use.username,
      className: "break-words",
    },
    numberColumn("quota", t("field.quota"), (use) => use.quota, formatQuota, { card: "side" }),
  ];
  const list = useList({
    pages: redemptionUsePages(id),
    queried: queriedRedemptionUses(id),
    search,
    columns,
  });
  return (
    <ListPage
      isPart
      title={t("redemption.usesTitle")}
      label={t("redemption.usesTitle")}
      list={list}
      columns={columns}
      rowKey={(use) => use.id}
      search={search}
      onSearch={(next) => setSearch((now) => ({ ...now, ...next }))}
      empty={
        <EmptyState
          icon={<Users />}
          title={t("redemption.unredeemed")}
          text={t("redemption.unredeemedText")}
        />
      }
    />
  );
};
