import { deleteReconciliation } from "@tollgate/contract/api/reconciliations";
import type { ReconciliationSummary } from "@tollgate/contract/management/reconciliation";
import { useTranslation } from "react-i18next";
import { type RowAction, RowActions } from "../../components/row-actions";
import { notify } from "../../lib/notify";
import { useEndpoint } from "../../lib/use-endpoint";

/** Actions on one stored comparison. */
export const useReconciliationActions = ({ id }: ReconciliationSummary): readonly RowAction[] => {
  const { t } = useTranslation();
  const remove = useEndpoint(deleteReconciliation);
  return [
    {
      label: t("action.delete"),
      isDanger: true,
      question: {
        question: t("reconciliation.deleteQuestion"),
        consequence: t("reconciliation.deleteConsequence"),
        confirm: t("action.delete"),
      },
      onSelect: () => remove.mutateAsync({ params: { id } }).then(() => notify.success(t("action.done"))),
    },
  ];
};

export const ReconciliationActions = ({ row }: { row: ReconciliationSummary }) => (
  <RowActions of={row.channel_name || `#${row.channel}`} actions={useReconciliationActions(row)} />
);
