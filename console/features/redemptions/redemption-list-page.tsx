import { Link } from "@tanstack/react-router";
import { exportRedemptions, REDEMPTION_FILTERS, type Redemption } from "@tollgate/contract/api/redemptions";
import { REDEMPTION_DISABLED, REDEMPTION_UNUSED, REDEMPTION_USED } from "@tollgate/contract/values/statuses";
import { TicketCheck } from "lucide-react";
import { useState } from "react";
import { useTranslation } from "react-i18next";
import { AddLink } from "../../components/add-link";
import { buttonVariants } from "../../components/button";
import type { Column } from "../../components/data-table";
import { EmptyState } from "../../components/empty-state";
import { ExportButton } from "../../components/export-button";
import { ListPage } from "../../components/list-page";
import { numberColumn, timeColumn } from "../../components/plain-columns";
import { useActionsColumn } from "../../components/row-actions";
import { formatQuota, formatTime } from "../../lib/format";
import { useChosenColumns } from "../../lib/use-chosen-columns";
import { useNarrowedList } from "../../lib/use-narrowed-list";
import { ClearDead } from "./clear-dead";
import { RedemptionActions } from "./redemption-actions";
import { foundRedemptions, queriedRedemptions, redemptionPages } from "./redemption-queries";
import { isRedeemable, RedemptionBounds, RedemptionState } from "./redemption-state";

/** Characters that identify a code among its neighbours. */
const CODE_SHOWN = 6;

/** The columns of the list of codes. */
const useColumns = (onShowCode: (code: string) => void): Column<Redemption>[] => {
  const { t } = useTranslation();
  return [
    {
      id: "id",
      label: t("field.id"),
      cell: (redemption) => <span className="text-ink-3">{redemption.id}</span>,
      sortBy: (redemption) => redemption.id,
      card: "head",
    },
    {
      id: "name",
      label: t("field.name"),
      cell: ({ name, key }) => (
        <span className="inline-flex flex-wrap items-baseline gap-x-2">
          <span className={name === "" ? "text-ink-3" : undefined}>{name || t("value.none")}</span>
          {/* Codes created together share a name. */}
          <span className="font-mono font-normal text-xs text-ink-3">{key.slice(0, CODE_SHOWN)}…</span>
        </span>
      ),
      sortBy: (redemption) => redemption.name,
      card: "head",
      className: "min-w-28 max-w-64 break-words font-medium",
    },
    {
      id: "status",
      label: t("field.status"),
      cell: (redemption) => (
        <span className="flex items-center gap-x-2 wide:whitespace-nowrap max-wide:flex-wrap">
          <RedemptionState redemption={redemption} />
          <RedemptionBounds redemption={redemption} />
        </span>
      ),
      sortBy: (redemption) => redemption.status,
      card: "side",
    },
    numberColumn("quota", t("field.quota"), (redemption) => redemption.quota, formatQuota),
    timeColumn("created_time", t("field.createdTime"), (redemption) => redemption.createdTime),
    {
      id: "redeemed_time",
      label: t("redemption.redeemedTime"),
      cell: (redemption) =>
        formatTime(redemption.redeemedTime) || (
          <span className="text-ink-3">{t("redemption.unredeemed")}</span>
        ),
      sortBy: (redemption) => redemption.redeemedTime,
      className: "wide:whitespace-nowrap",
    },
    useActionsColumn((redemption) => <RedemptionActions redemption={redemption} onShowCode={onShowCode} />),
  ];
};

/** /redemption: the codes that users redeem for quota. */
export const RedemptionListPage = () => {
  const { t } = useTranslation();
  const [shownCode, setShownCode] = useState<string>();
  const columns = useColumns(setShownCode);
  const { shown, choices } = useChosenColumns("redemption", columns);
  const page = useNarrowedList({
    pages: redemptionPages,
    queried: queriedRedemptions,
    found: foundRedemptions,
    columns,
    kinds: REDEMPTION_FILTERS,
  });
  return (
    <ListPage
      {...page}
      title={t("redemption.title")}
      label={t("redemption.title")}
      description={t("redemption.description")}
      searchPlaceholder={t("redemption.search")}
      shownText={shownCode}
      filters={[
        {
          column: "status",
          label: t("field.status"),
          choices: [
            [REDEMPTION_UNUSED, t("redemption.unused")],
            [REDEMPTION_DISABLED, t("status.disabled")],
            [REDEMPTION_USED, t("redemption.used")],
          ],
        },
        { column: "name", label: t("field.name"), choices: [], isTyped: true },
      ]}
      columns={shown}
      columnChoices={choices}
      rowKey={(redemption) => redemption.id}
      isFaint={(redemption) => !isRedeemable(redemption)}
      onSearch={(next) => {
        setShownCode(undefined);
        page.onSearch(next);
      }}
      primary={<AddLink to="/redemption/add">{t("redemption.add")}</AddLink>}
      actions={
        <>
          <ClearDead />
          <ExportButton
            file={exportRedemptions}
            query={() => ({ keyword: page.search.q, ...page.narrowed.filter })}
          />
        </>
      }
      empty={
        <EmptyState
          icon={<TicketCheck />}
          title={t("redemption.emptyTitle")}
          text={t("redemption.emptyText")}
        >
          <Link to="/redemption/add" className={buttonVariants({ variant: "plain" })}>
            {t("redemption.first")}
          </Link>
        </EmptyState>
      }
    />
  );
};
