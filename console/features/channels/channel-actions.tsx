import { Link, useNavigate } from "@tanstack/react-router";
import { type Channel, copyChannel, deleteChannel, listChannels } from "@tollgate/contract/api/channels";
import { CHANNEL_DISABLED_BY_HAND, CHANNEL_ENABLED } from "@tollgate/contract/values/statuses";
import { useTranslation } from "react-i18next";
import { Button, buttonVariants } from "../../components/button";
import { ConfirmButton } from "../../components/confirm-button";
import { RowActions } from "../../components/row-actions";
import { useRowEndpoint } from "../../lib/endpoint-lists";
import { notify } from "../../lib/notify";
import { useEndpoint } from "../../lib/use-endpoint";
import { usePatchChannel, useTestChannel } from "./channel-changes";

/** What can be done with one channel. */
export const ChannelActions = ({ channel }: { channel: Channel }) => {
  const { t } = useTranslation();
  const { id } = channel;
  const test = useTestChannel(id);
  const patch = usePatchChannel(id);
  const copy = useEndpoint(copyChannel);
  const navigate = useNavigate();
  const remove = useRowEndpoint(listChannels, id, deleteChannel, () => "deleted");
  const isEnabled = channel.status === CHANNEL_ENABLED;
  const done = () => notify.success(t("action.done"));
  return (
    <RowActions>
      <Button
        variant="quiet"
        size="small"
        isBusy={test.isPending}
        onClick={() =>
          test.mutate(
            { params: { id } },
            {
              onSuccess: ({ time }) =>
                notify.info(t("channel.tested", { name: channel.name, seconds: time.toFixed(2) })),
            },
          )
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
        onConfirm={() => remove.mutateAsync({ params: { id } }).then(done)}
      >
        {t("action.delete")}
      </ConfirmButton>
      <Button
        variant="quiet"
        size="small"
        isBusy={patch.isPending}
        onClick={() =>
          patch.mutate(
            { body: { id, status: isEnabled ? CHANNEL_DISABLED_BY_HAND : CHANNEL_ENABLED } },
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
          copy.mutate(
            { params: { id }, body: {} },
            {
              onSuccess: (made) => {
                notify.success(t("channel.copied", { name: channel.name }));
                if (made) void navigate({ to: "/channel/edit/$id", params: { id: String(made.id) } });
              },
            },
          )
        }
      >
        {t("channel.copy")}
      </Button>
      <Link
        to="/channel/edit/$id"
        params={{ id: String(id) }}
        className={buttonVariants({ variant: "quiet", size: "small" })}
      >
        {t("action.edit")}
      </Link>
    </RowActions>
  );
};
