import type { PromotionUseView } from "@tollgate/contract/api/promotions";
import { Users } from "lucide-react";
import { useState } from "react";
import { useTranslation } from "react-i18next";
import { StateMark, type Tone } from "../../components/badge";
import type { Column } from "../../components/data-table";
import { EmptyState } from "../../components/empty-state";
import { ListPage } from "../../components/list-page";
import { timeColumn } from "../../components/plain-columns";
import { RecordLink } from "../../components/record-link";
import { exactQuota } from "../../lib/exact-quota";
import { formatOrderNumber } from "../../lib/format";
import type { ListSearch } from "../../lib/list-search";
import { useList } from "../../lib/use-list";
import { promotionUsePages, queriedPromotionUses } from "./promotion-queries";

const TONES: Readonly<Record<PromotionUseView["state"], Tone>> = {
  reserved: "yellow",
  used: "green",
  returned: "grey",
};

/** The orders and registrations that used a promotion, with times. */
export const PromotionUses = ({ id }: { id: number }) => {
  const { t } = useTranslation();
  const [search, setSearch] = useState<ListSearch>({});
  const columns: Column<PromotionUseView>[] = [
    timeColumn("created_time", t("field.time"), ({ createdTime }) => createdTime, { card: "head" }),
    {
      id: "username",
      label: t("field.user"),
      cell: ({ username, userId }) => (
        <RecordLink kind="user" id={userId}>
          {username || `#${userId}`}
        </RecordLink>
      ),
      className: "break-words",
    },
    {
      id: "order",
      label: t("promotion.order"),
      cell: ({ orderNumber }) =>
        orderNumber === "" ? (
          t("promotion.registration")
        ) : (
          <RecordLink kind="order" id={orderNumber} className="font-mono text-sm">
            {formatOrderNumber(orderNumber)}
          </RecordLink>
        ),
    },
    {
      id: "state",
      label: t("field.status"),
      cell: ({ state }) => <StateMark tone={TONES[state]}>{t(`promotion.useStates.${state}`)}</StateMark>,
      sortBy: ({ state }) => state,
    },
    {
      id: "quota",
      label: t("promotion.given"),
      cell: ({ quota }) => exactQuota(quota),
      sortBy: ({ quota }) => quota,
      isNumber: true,
      card: "side",
    },
  ];
  const list = useList({ pages: promotionUsePages(id), queried: queriedPromotionUses(id), search, columns });
  return (
    <ListPage
      isPart
      title={t("promotion.usesTitle")}
      label={t("promotion.usesTitle")}
      list={list}
      columns={columns}
      rowKey={(use) => use.id}
      search={search}
      onSearch={(next) => setSearch((now) => ({ ...now, ...next }))}
      empty={
        <EmptyState icon={<Users />} title={t("promotion.usesEmpty")} text={t("promotion.usesEmptyText")} />
      }
    />
  );
};
