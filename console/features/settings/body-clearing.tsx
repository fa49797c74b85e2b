import { useTranslation } from "react-i18next";
import { ConfirmButton } from "../../components/confirm-button";
import { notify } from "../../lib/notify";
import { useClearBodies } from "./api/clear-bodies";

/** Deletes all that is stored of what requests and answers said. */
export const BodyClearing = () => {
  const { t } = useTranslation();
  const clear = useClearBodies();
  return (
    <div>
      <ConfirmButton
        question={t("setting.clearBodiesQuestion")}
        consequence={t("setting.clearBodiesConsequence")}
        confirm={t("setting.clearBodiesConfirm")}
        onConfirm={async () => {
          notify.success(t("setting.clearedBodies", { count: await clear.mutateAsync() }));
        }}
      >
        {t("setting.clearBodies")}
      </ConfirmButton>
    </div>
  );
};
