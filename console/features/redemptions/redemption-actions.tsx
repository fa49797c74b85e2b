import { Link } from "@tanstack/react-router";
import {
  changeRedemption,
  deleteRedemption,
  listRedemptions,
  type Redemption,
} from "@tollgate/contract/api/redemptions";
import { REDEMPTION_DISABLED, REDEMPTION_UNUSED, REDEMPTION_USED } from "@tollgate/contract/values/statuses";
import { useTranslation } from "react-i18next";
import { type RowAction, RowActions } from "../../components/row-actions";
import { copyOrShow } from "../../lib/copy";
import { useRowEndpoint } from "../../lib/endpoint-lists";
import { notify } from "../../lib/notify";
import { switchRecord } from "../../lib/switch-record";

interface RedemptionActionsProps {
  redemption: Redemption;
  /** Shows a code that the clipboard refused. */
  onShowCode: (code: string) => void;
}

/** Actions on one code. */
export const useRedemptionActions = ({
  redemption,
  onShowCode,
}: RedemptionActionsProps): readonly RowAction[] => {
  const { t } = useTranslation();
  const { id, name, status } = redemption;
  const change = useRowEndpoint(listRedemptions, id, changeRedemption, (changed, { body }) => ({
    status: changed?.status || (body.status ?? 0),
  }));
  const remove = useRowEndpoint(listRedemptions, id, deleteRedemption, () => "deleted");
  const isUnused = status === REDEMPTION_UNUSED;
  return [
    { label: t("action.copy"), onSelect: () => copyOrShow(redemption.key, onShowCode) },
    {
      label: isUnused ? t("action.disable") : t("action.enable"),
      isBusy: change.isPending,
      refusal: status === REDEMPTION_USED ? t("redemption.usedFixed") : undefined,
      onSelect: () =>
        switchRecord(!isUnused, (isOn) =>
          change.mutateAsync({
            query: { status_only: true },
            body: { id, status: isOn ? REDEMPTION_UNUSED : REDEMPTION_DISABLED },
          }),
        ),
    },
    {
      label: t("action.edit"),
      link: <Link to="/redemption/edit/$id" params={{ id: String(id) }} />,
    },
    {
      label: t("action.delete"),
      isDanger: true,
      question: {
        question: t("redemption.deleteQuestion", { name }),
        consequence: t("redemption.deleteConsequence"),
        confirm: t("redemption.deleteConfirm", { name }),
      },
      onSelect: () => remove.mutateAsync({ params: { id } }).then(() => notify.success(t("action.done"))),
    },
  ];
};

export const RedemptionActions = (props: RedemptionActionsProps) => (
  <RowActions
    of={props.redemption.name || String(props.redemption.id)}
    actions={useRedemptionActions(props)}
  />
);
