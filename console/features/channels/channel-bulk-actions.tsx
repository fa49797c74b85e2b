import { Link } from "@tanstack/react-router";
import { Plus } from "lucide-react";
import { useTranslation } from "react-i18next";
import { Button, buttonLook } from "../../components/button";
import { ConfirmButton } from "../../components/confirm-button";
import { notify } from "../../lib/notify";
import { useDeleteDisabledChannels } from "./api/delete-disabled-channels";
import { useTestAllChannels } from "./api/test-all-channels";
import { useUpdateAllBalances } from "./api/update-all-balances";

/** What can be done with all channels at once. */
export const ChannelBulkActions = () => {
  const { t } = useTranslation();
  const testAll = useTestAllChannels();
  const updateAll = useUpdateAllBalances();
  const deleteDisabled = useDeleteDisabledChannels();
  return (
    <>
      <Link to="/channel/add" className={buttonLook({ look: "primary" })}>
        <Plus aria-hidden className="size-4" />
        {t("channel.add")}
      </Link>
      <Button
        isBusy={testAll.isPending}
        onClick={() =>
          testAll.mutate(undefined, { onSuccess: () => notify.info(t("channel.testAllStarted")) })
        }
      >
        {t("channel.testAll")}
      </Button>
      <Button
        isBusy={updateAll.isPending}
        onClick={() =>
          updateAll.mutate(undefined, { onSuccess: () => notify.info(t("channel.balancesUpdated")) })
        }
      >
        {t("channel.updateBalances")}
      </Button>
      <ConfirmButton
        question={t("channel.deleteDisabledQuestion")}
        consequence={t("channel.deleteDisabledConsequence")}
        confirm={t("channel.deleteDisabledConfirm")}
        onConfirm={() =>
          deleteDisabled
            .mutateAsync()
            .then((count) => notify.success(t("channel.deletedDisabled", { count })))
        }
      >
        {t("channel.deleteDisabled")}
      </ConfirmButton>
    </>
  );
};
