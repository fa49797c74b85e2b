import { deletePriceRule } from "@tollgate/contract/api/price-rules";
import type { PriceRuleWire } from "@tollgate/contract/management/price-rule";
import { useTranslation } from "react-i18next";
import { type RowAction, RowActions } from "../../components/row-actions";
import { notify } from "../../lib/notify";
import { useSession } from "../../lib/session";
import { useEndpoint } from "../../lib/use-endpoint";

interface PriceRuleActionsProps {
  row: PriceRuleWire;
  /** Opens the rule's window. */
  onEdit: () => void;
}

/** Actions on one price rule. */
export const usePriceRuleActions = ({ row, onEdit }: PriceRuleActionsProps): readonly RowAction[] => {
  const { t } = useTranslation();
  const remove = useEndpoint(deletePriceRule);
  const { isRoot } = useSession();
  const { name } = row;
  // A rule without a customer affects many users. The server rejects such rules from administrators other than root.
  const isLocked = !isRoot && row.rule.user === undefined;
  const refusal = isLocked ? t("priceRule.rootOnly") : undefined;
  return [
    { label: t("action.edit"), opensWindow: true, refusal, onSelect: onEdit },
    {
      label: t("action.delete"),
      isDanger: true,
      refusal,
      question: {
        question: t("priceRule.removeQuestion", { name }),
        consequence: t("priceRule.removeConsequence"),
        confirm: t("action.delete"),
      },
      onSelect: () => remove.mutateAsync({ query: { name } }).then(() => notify.success(t("action.done"))),
    },
  ];
};

export const PriceRuleActions = (props: PriceRuleActionsProps) => (
  <RowActions of={props.row.name} actions={usePriceRuleActions(props)} />
);
