import { Link } from "@tanstack/react-router";
import { deleteDisabledChannels } from "@tollgate/contract/api/channels";
import { Plus } from "lucide-react";
import { useTranslation } from "react-i18next";
import { Button, buttonVariants } from "../../components/button";
import { ConfirmButton } from "../../components/confirm-button";
import { notify } from "../../lib/notify";
import { useEndpoint } from "../../lib/use-endpoint";
import { useBulkRun } from "./use-bulk-run";

/** Actions on all channels. */
export const ChannelBulkActions = () => {
  const { t } = useTranslation();
  const test = useBulkRun("test");
  const balance = useBulkRun("balance");
  const deleteDisabled = useEndpoint(deleteDisabledChannels);
  return (
    <>
      <Link to="/channel/add" className={buttonVariants()}>
        <Plus aria-hidden className="size-4" />
        {t("channel.add")}
      </Link>
      <Button isBusy={test.progress !== undefined} onClick={test.start}>
        {test.progress?.total ? t("channel.run.test.progress", { ...test.progress }) : t("channel.testAll")}
      </Button>
      <Button isBusy={balance.progress !== undefined} onClick={balance.start}>
        {balance.progress?.total
          ? t("channel.run.balance.progress", { ...balance.progress })
          : t("channel.updateBalances")}
      </Button>
      <ConfirmButton
        variant="quietDanger"
        question={t("channel.deleteDisabledQuestion")}
        consequence={t("channel.deleteDisabledConsequence")}
        confirm={t("channel.deleteDisabledConfirm")}
        onConfirm={() =>
          deleteDisabled
            .mutateAsync({})
            .then((count = 0) => notify.success(t("channel.deletedDisabled", { count })))
        }
      >
        {t("channel.deleteDisabled")}
      </ConfirmButton>
    </>
  );
};
