import { Link } from "@tanstack/react-router";
import type { Plan } from "@tollgate/contract/api/plans";
import { CalendarClock } from "lucide-react";
import { useTranslation } from "react-i18next";
import { AddLink } from "../../components/add-link";
import { StateMark } from "../../components/badge";
import { buttonVariants } from "../../components/button";
import type { Column } from "../../components/data-table";
import { EmptyState } from "../../components/empty-state";
import { ListPage } from "../../components/list-page";
import { numberColumn, textColumn } from "../../components/plain-columns";
import { useActionsColumn } from "../../components/row-actions";
import { exactQuota } from "../../lib/exact-quota";
import { useStatus } from "../../lib/status";
import { useList } from "../../lib/use-list";
import { useListSearch } from "../../lib/use-list-search";
import { PlanActions } from "./plan-actions";
import { planPages } from "./plan-queries";
import { usePlanTexts } from "./use-plan-texts";

/** The columns of the plans. */
const useColumns = (): Column<Plan>[] => {
  const { t } = useTranslation();
  const { durationText, includedText, beyondText } = usePlanTexts();
  return [
    textColumn("title", t("plan.name"), (plan) => plan.title, {
      card: "head",
      className: "min-w-32 max-w-64 break-words font-medium",
    }),
    {
      id: "state",
      label: t("field.status"),
      cell: (plan) =>
        plan.isEnabled ? (
          <StateMark tone="green">{t("plan.isOn")}</StateMark>
        ) : (
          <StateMark tone="grey">{t("plan.isOff")}</StateMark>
        ),
      sortBy: (plan) => (plan.isEnabled ? 1 : 0),
      card: "side",
    },
    {
      id: "price",
      label: t("plan.price"),
      cell: (plan) => (
        <span>
          {exactQuota(plan.price)}{" "}
          <span className="text-ink-3">{t("plan.per", { duration: durationText(plan) })}</span>
        </span>
      ),
      sortBy: (plan) => plan.price,
      className: "wide:whitespace-nowrap",
    },
    {
      id: "quota",
      label: t("plan.quota"),
      cell: includedText,
      sortBy: (plan) => plan.quota,
    },
    {
      id: "group",
      label: t("plan.group"),
      cell: (plan) => plan.group || <span className="text-ink-3">{t("value.none")}</span>,
      sortBy: (plan) => plan.group,
    },
    {
      id: "beyond",
      label: t("plan.beyond"),
      cell: beyondText,
      sortBy: (plan) => plan.beyond,
      className: "max-w-56",
    },
    numberColumn("sort_order", t("plan.sortOrder"), (plan) => plan.sortOrder, String),
    useActionsColumn((plan) => <PlanActions plan={plan} />),
  ];
};

/** /plan/manage: the site's plans. */
export const PlanListPage = () => {
  const { t } = useTranslation();
  const [search, change] = useListSearch();
  const status = useStatus();
  const columns = useColumns();
  const list = useList({ pages: planPages, search, columns });
  const add = <AddLink to="/plan/manage/add">{t("plan.add")}</AddLink>;
  return (
    <ListPage
      title={t("plan.manageTitle")}
      label={t("plan.manageTitle")}
      description={status?.plans ? t("plan.manageDescription") : t("plan.notOffered")}
      list={list}
      columns={columns}
      rowKey={(plan) => plan.id}
      isFaint={(plan) => !plan.isEnabled}
      search={search}
      onSearch={change}
      primary={add}
      empty={
        <EmptyState icon={<CalendarClock />} title={t("plan.emptyTitle")} text={t("plan.emptyText")}>
          <Link to="/plan/manage/add" className={buttonVariants({ variant: "plain" })}>
            {t("plan.first")}
          </Link>
        </EmptyState>
      }
    />
  );
};
