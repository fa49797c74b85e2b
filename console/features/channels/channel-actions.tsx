import { Link, useNavigate } from "@tanstack/react-router";
import type { Channel } from "@tollgate/contract/management/channel";
import { CHANNEL_DISABLED_BY_HAND, CHANNEL_ENABLED } from "@tollgate/contract/values/statuses";
import { useTranslation } from "react-i18next";
import { Button, buttonVariants } from "../../components/button";
import { ConfirmButton } from "../../components/confirm-button";
import { RowActions } from "../../components/row-actions";
import { notify } from "../../lib/notify";
import { useCopyChannel } from "./api/copy-channel";
import { useDeleteChannel } from "./api/delete-channel";
import { usePatchChannel } from "./api/patch-channel";
import { useTestChannel } from "./api/test-channel";

/** What can be done with one channel. */
export const ChannelActions = ({ channel }: { channel: Channel }) => {
  const { t } = useTranslation();
  const test = useTestChannel();
  const patch = usePatchChannel(channel.id);
  const copy = useCopyChannel();
  const navigate = useNavigate();
  const remove = useDeleteChannel();
  const isEnabled = channel.status === CHANNEL_ENABLED;
  const done = () => notify.success(t("action.done"));
  return (
    <RowActions>
      <Button
        variant="quiet"
        size="small"
        isBusy={test.isPending}
        onClick={() =>
          test.mutate(channel.id, {
            onSuccess: (seconds) =>
              notify.info(t("channel.tested", { name: channel.name, seconds: seconds.toFixed(2) })),
          })
        }
      >
        {t("channel.test")}
      </Button>
      <ConfirmButton
        variant="quietDanger"
        size="small"
        question={t("channel.deleteQuestion", { name: channel.name })}
        consequence={t("channel.deleteConsequence")}
        confirm={t("channel.deleteConfirm", { name: channel.name })}
        onConfirm={() => remove.mutateAsync(channel.id).then(done)}
      >
        {t("action.delete")}
      </ConfirmButton>
      <Button
        variant="quiet"
        size="small"
        isBusy={patch.isPending}
        onClick={() =>
          patch.mutate(
            { status: isEnabled ? CHANNEL_DISABLED_BY_HAND : CHANNEL_ENABLED },
            { onSuccess: done },
          )
        }
      >
        {isEnabled ? t("action.disable") : t("action.enable")}
      </Button>
      <Button
        variant="quiet"
        size="small"
        isBusy={copy.isPending}
        onClick={() =>
          copy.mutate(channel.id, {
            onSuccess: (id) => {
              notify.success(t("channel.copied", { name: channel.name }));
              if (id !== undefined) void navigate({ to: "/channel/edit/$id", params: { id: String(id) } });
            },
          })
        }
      >
        {t("channel.copy")}
      </Button>
      <Link
        to="/channel/edit/$id"
        params={{ id: String(channel.id) }}
        className={buttonVariants({ variant: "quiet", size: "small" })}
      >
        {t("action.edit")}
      </Link>
    </RowActions>
  );
};
