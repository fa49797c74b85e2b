import { deleteDeadRedemptions } from "@tollgate/contract/api/redemptions";
import { useTranslation } from "react-i18next";
import { ConfirmButton } from "../../components/confirm-button";
import { notify } from "../../lib/notify";
import { useEndpoint } from "../../lib/use-endpoint";

/** Deletes all codes that can no longer be redeemed. */
export const ClearDead = () => {
  const { t } = useTranslation();
  const clear = useEndpoint(deleteDeadRedemptions);
  return (
    <ConfirmButton
      variant="quietDanger"
      question={t("redemption.clearQuestion")}
      consequence={t("redemption.clearConsequence")}
      confirm={t("redemption.clear")}
      onConfirm={() =>
        clear
          .mutateAsync({})
          .then((count) =>
            notify.success(count === undefined ? t("action.done") : t("redemption.cleared", { count })),
          )
      }
    >
      {t("redemption.clear")}
    </ConfirmButton>
  );
};
