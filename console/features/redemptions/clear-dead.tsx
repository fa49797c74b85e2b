import { useTranslation } from "react-i18next";
import { ConfirmButton } from "../../components/confirm-button";
import { notify } from "../../lib/notify";
import { useClearDead } from "./api/clear-dead";

/** Deletes the codes that nobody can redeem any more, all at once. */
export const ClearDead = () => {
  const { t } = useTranslation();
  const clear = useClearDead();
  return (
    <ConfirmButton
      question={t("redemption.clearQuestion")}
      consequence={t("redemption.clearConsequence")}
      confirm={t("redemption.clear")}
      onConfirm={() =>
        clear
          .mutateAsync()
          .then((count) =>
            notify.success(count === undefined ? t("action.done") : t("redemption.cleared", { count })),
          )
      }
    >
      {t("redemption.clear")}
    </ConfirmButton>
  );
};
