import { Link } from "@tanstack/react-router";
import {
  changeRedemption,
  deleteRedemption,
  listRedemptions,
  type Redemption,
} from "@tollgate/contract/api/redemptions";
import { REDEMPTION_DISABLED, REDEMPTION_UNUSED, REDEMPTION_USED } from "@tollgate/contract/values/statuses";
import { useTranslation } from "react-i18next";
import { Button, buttonVariants } from "../../components/button";
import { ConfirmButton } from "../../components/confirm-button";
import { RowActions } from "../../components/row-actions";
import { copyOrShow } from "../../lib/copy";
import { useRowEndpoint } from "../../lib/endpoint-lists";
import { notify } from "../../lib/notify";

interface RedemptionActionsProps {
  redemption: Redemption;
  /** Shows a code that the clipboard refused. */
  onShowCode: (code: string) => void;
}

/** What can be done with one code. */
export const RedemptionActions = ({ redemption, onShowCode }: RedemptionActionsProps) => {
  const { t } = useTranslation();
  const { id } = redemption;
  const change = useRowEndpoint(listRedemptions, id, changeRedemption, (changed, { body }) => ({
    status: changed?.status || (body.status ?? 0),
  }));
  const remove = useRowEndpoint(listRedemptions, id, deleteRedemption, () => "deleted");
  const isUnused = redemption.status === REDEMPTION_UNUSED;
  const done = () => notify.success(t("action.done"));
  return (
    <RowActions>
      <Button variant="quiet" size="small" onClick={() => void copyOrShow(redemption.key, onShowCode)}>
        {t("action.copy")}
      </Button>
      <ConfirmButton
        variant="quietDanger"
        size="small"
        question={t("redemption.deleteQuestion", { name: redemption.name })}
        consequence={t("redemption.deleteConsequence")}
        confirm={t("redemption.deleteConfirm", { name: redemption.name })}
        onConfirm={() => remove.mutateAsync({ params: { id } }).then(done)}
      >
        {t("action.delete")}
      </ConfirmButton>
      <Button
        variant="quiet"
        size="small"
        isBusy={change.isPending}
        disabled={redemption.status === REDEMPTION_USED}
        onClick={() =>
          change.mutate(
            {
              query: { status_only: true },
              body: { id, status: isUnused ? REDEMPTION_DISABLED : REDEMPTION_UNUSED },
            },
            { onSuccess: done },
          )
        }
      >
        {isUnused ? t("action.disable") : t("action.enable")}
      </Button>
      <Link
        to="/redemption/edit/$id"
        params={{ id: String(id) }}
        className={buttonVariants({ variant: "quiet", size: "small" })}
      >
        {t("action.edit")}
      </Link>
    </RowActions>
  );
};
