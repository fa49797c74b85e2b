import { clearBodies } from "@tollgate/contract/api/bodies";
import { useTranslation } from "react-i18next";
import { ConfirmButton } from "../../components/confirm-button";
import { notify } from "../../lib/notify";
import { useEndpoint } from "../../lib/use-endpoint";

/** Deletes all stored content of requests and answers. */
export const BodyClearing = () => {
  const { t } = useTranslation();
  const clear = useEndpoint(clearBodies);
  return (
    <div>
      <ConfirmButton
        variant="quietDanger"
        question={t("setting.clearBodiesQuestion")}
        consequence={t("setting.clearBodiesConsequence")}
        confirm={t("setting.clearBodiesConfirm")}
        onConfirm={async () => {
          notify.success(t("setting.clearedBodies", { count: (await clear.mutateAsync({})) ?? 0 }));
        }}
      >
        {t("setting.clearBodies")}
      </ConfirmButton>
    </div>
  );
};
