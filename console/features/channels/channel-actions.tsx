import { Link, useNavigate } from "@tanstack/react-router";
import { type Channel, copyChannel, deleteChannel, listChannels } from "@tollgate/contract/api/channels";
import { CHANNEL_DISABLED_BY_HAND, CHANNEL_ENABLED } from "@tollgate/contract/values/statuses";
import { useTranslation } from "react-i18next";
import { type RowAction, RowActions } from "../../components/row-actions";
import { useRowEndpoint } from "../../lib/endpoint-lists";
import { notify } from "../../lib/notify";
import { switchRecord } from "../../lib/switch-record";
import { useEndpoint } from "../../lib/use-endpoint";
import { usePatchChannel, useTestChannel } from "./channel-changes";

/** Actions on one channel. */
export const useChannelActions = (channel: Channel): readonly RowAction[] => {
  const { t } = useTranslation();
  const { id, name } = channel;
  const test = useTestChannel(id);
  const patch = usePatchChannel(id);
  const copy = useEndpoint(copyChannel);
  const navigate = useNavigate();
  const remove = useRowEndpoint(listChannels, id, deleteChannel, () => "deleted");
  const isEnabled = channel.status === CHANNEL_ENABLED;
  return [
    {
      label: t("channel.test"),
      isBusy: test.isPending,
      onSelect: async () => {
        const { time } = await test.mutateAsync({ params: { id } });
        notify.info(t("channel.tested", { name, seconds: time.toFixed(2) }));
      },
    },
    {
      label: isEnabled ? t("action.disable") : t("action.enable"),
      isBusy: patch.isPending,
      onSelect: () =>
        switchRecord(!isEnabled, (isOn) =>
          patch.mutateAsync({ body: { id, status: isOn ? CHANNEL_ENABLED : CHANNEL_DISABLED_BY_HAND } }),
        ),
    },
    {
      label: t("action.edit"),
      link: <Link to="/channel/edit/$id" params={{ id: String(id) }} />,
    },
    {
      label: t("channel.copy"),
      isBusy: copy.isPending,
      onSelect: async () => {
        const made = await copy.mutateAsync({ params: { id }, body: {} });
        notify.success(t("channel.copied", { name }));
        if (made) void navigate({ to: "/channel/edit/$id", params: { id: String(made.id) } });
      },
    },
    {
      label: t("action.delete"),
      isDanger: true,
      question: {
        question: t("channel.deleteQuestion", { name }),
        consequence: t("channel.deleteConsequence"),
        confirm: t("channel.deleteConfirm", { name }),
      },
      onSelect: () => remove.mutateAsync({ params: { id } }).then(() => notify.success(t("action.done"))),
    },
  ];
};

export const ChannelActions = ({ channel }: { channel: Channel }) => (
  <RowActions of={channel.name || String(channel.id)} actions={useChannelActions(channel)} />
);
