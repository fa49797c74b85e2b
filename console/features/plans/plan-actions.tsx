import { Link } from "@tanstack/react-router";
import { changePlan, deletePlan, type Plan } from "@tollgate/contract/api/plans";
import { useTranslation } from "react-i18next";
import { type RowAction, RowActions } from "../../components/row-actions";
import { notify } from "../../lib/notify";
import { switchRecord } from "../../lib/switch-record";
import { useEndpoint } from "../../lib/use-endpoint";

/** Actions on one plan. */
export const usePlanActions = (plan: Plan): readonly RowAction[] => {
  const { t } = useTranslation();
  const save = useEndpoint(changePlan);
  const remove = useEndpoint(deletePlan);
  const { id, title } = plan;
  return [
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
  ];
};

export const PlanActions = ({ plan }: { plan: Plan }) => (
  <RowActions of={plan.title} actions={usePlanActions(plan)} />
);
