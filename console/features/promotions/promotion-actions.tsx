import { Link } from "@tanstack/react-router";
import {
  changePromotion,
  deletePromotion,
  listPromotions,
  type Promotion,
} from "@tollgate/contract/api/promotions";
import { useTranslation } from "react-i18next";
import { type RowAction, RowActions } from "../../components/row-actions";
import { copyOrShow } from "../../lib/copy";
import { useRowEndpoint } from "../../lib/endpoint-lists";
import { notify } from "../../lib/notify";
import { switchRecord } from "../../lib/switch-record";

interface PromotionActionsProps {
  promotion: Promotion;
  /** Shows a code that the clipboard refused. */
  onShowCode: (code: string) => void;
}

/** Actions on one promotion. */
export const usePromotionActions = ({
  promotion,
  onShowCode,
}: PromotionActionsProps): readonly RowAction[] => {
  const { t } = useTranslation();
  const { id, name, code, isEnabled } = promotion;
  const change = useRowEndpoint(listPromotions, id, changePromotion, (changed) => changed);
  const remove = useRowEndpoint(listPromotions, id, deletePromotion, () => "deleted");
  const copy: RowAction = { label: t("action.copy"), onSelect: () => copyOrShow(code, onShowCode) };
  const actions: readonly RowAction[] = [
    {
      label: isEnabled ? t("action.disable") : t("action.enable"),
      isBusy: change.isPending,
      onSelect: () =>
        switchRecord(!isEnabled, (isOn) =>
          change.mutateAsync({ params: { id }, body: { is_enabled: isOn } }),
        ),
    },
    { label: t("action.edit"), link: <Link to="/promotion/edit/$id" params={{ id: String(id) }} /> },
    {
      label: t("action.delete"),
      isDanger: true,
      question: {
        question: t("promotion.deleteQuestion", { name }),
        consequence: t("promotion.deleteConsequence"),
        confirm: t("action.delete"),
      },
      onSelect: () => remove.mutateAsync({ params: { id } }).then(() => notify.success(t("action.done"))),
    },
  ];
  return code === "" ? actions : [copy, ...actions];
};

export const PromotionActions = (props: PromotionActionsProps) => (
  <RowActions of={props.promotion.name} actions={usePromotionActions(props)} />
);
