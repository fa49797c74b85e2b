import { Link } from "@tanstack/react-router";
import { changePlan, deletePlan, type Plan } from "@tollgate/contract/api/plans";
import { CalendarClock } from "lucide-react";
import { useTranslation } from "react-i18next";
import { AddLink } from "../../components/add-link";
import { StateMark } from "../../components/badge";
import { buttonVariants } from "../../components/button";
import type { Column } from "../../components/data-table";
import { EmptyState } from "../../components/empty-state";
import { ListPage } from "../../components/list-page";
import { numberColumn, textColumn } from "../../components/plain-columns";
import { RowActions, useActionsColumn } from "../../components/row-actions";
import { exactQuota } from "../../lib/exact-quota";
import { notify } from "../../lib/notify";
import { useStatus } from "../../lib/status";
import { switchRecord } from "../../lib/switch-record";
import { useEndpoint } from "../../lib/use-endpoint";
import { useList } from "../../lib/use-list";
import { useListSearch } from "../../lib/use-list-search";
import { planPages } from "./plan-queries";
import { usePlanTexts } from "./use-plan-texts";

/** Actions on one plan. */
const PlanActions = ({ plan }: { plan: Plan }) => {
  const { t } = useTranslation();
  const save = useEndpoint(changePlan);
  const remove = useEndpoint(deletePlan);
  const { id, title } = plan;
  return (
    <RowActions
      of={title}
      actions={[
        {
          label: plan.isEnabled ? t("action.disable") : t("action.enable"),
          isBusy: save.isPending,
          onSelect: () =>
            switchRecord(!plan.isEnabled, (isOn) =>
              save.mutateAsync({ params: { id }, body: { is_enabled: isOn } }),
            ),
        },
        {
          label: t("action.edit"),
          link: <Link to="/plan/manage/edit/$id" params={{ id: String(id) }} />,
        },
        {
          label: t("action.delete"),
          isDanger: true,
          question: {
            question: t("plan.deleteQuestion", { plan: title }),
            consequence: t("plan.deleteConsequence"),
            confirm: t("action.delete"),
          },
          onSelect: () => remove.mutateAsync({ params: { id } }).then(() => notify.success(t("action.done"))),
        },
      ]}
    />
  );
};

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
