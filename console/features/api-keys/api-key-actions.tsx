import { Link } from "@tanstack/react-router";
import { type ApiKey, changeApiKey, deleteApiKey, listApiKeys } from "@tollgate/contract/api/api-keys";
import { TOKEN_DISABLED, TOKEN_ENABLED } from "@tollgate/contract/values/statuses";
import { useTranslation } from "react-i18next";
import { type RowAction, RowActions } from "../../components/row-actions";
import { copyOrShow } from "../../lib/copy";
import { useRowEndpoint } from "../../lib/endpoint-lists";
import { notify } from "../../lib/notify";
import { chatLink, serverAddress, useStatus } from "../../lib/status";
import { switchRecord } from "../../lib/switch-record";
import { clientLink, type LinkFormat } from "./client-links";

const COPY_FORMATS = ["plain", "next", "ama", "opencat"] as const;
const CHAT_FORMATS = ["next", "ama", "opencat"] as const;

interface ApiKeyActionsProps {
  token: ApiKey;
  /** Shows a key that the clipboard refused. */
  onShowKey: (key: string) => void;
  /** Shows how programs use the key. */
  onConnect: () => void;
  /** Opens the window for a new secret. */
  onRotate: () => void;
}

/** Actions on one token. */
export const useApiKeyActions = ({
  token,
  onShowKey,
  onConnect,
  onRotate,
}: ApiKeyActionsProps): readonly RowAction[] => {
  const { t } = useTranslation();
  const status = useStatus();
  const { id, name } = token;
  const change = useRowEndpoint(listApiKeys, id, changeApiKey, (changed, { body }) => ({
    status: changed?.status || (body.status ?? 0),
  }));
  const remove = useRowEndpoint(listApiKeys, id, deleteApiKey, () => "deleted");
  const isEnabled = token.status === TOKEN_ENABLED;
  const linkOf = (format: LinkFormat) => clientLink(format, token.key, serverAddress(status), chatLink());
  const refusalOf = (format: LinkFormat) =>
    linkOf(format) === undefined ? t("token.noChatLink") : undefined;
  const copy = async (format: LinkFormat) => {
    const link = linkOf(format);
    if (link !== undefined) await copyOrShow(link, onShowKey);
  };
  const open = (format: LinkFormat) => {
    const link = linkOf(format);
    if (link !== undefined) window.open(link, "_blank", "noopener");
  };
  return [
    { label: t("token.connect.action"), opensWindow: true, onSelect: onConnect },
    {
      label: t("action.copy"),
      onSelect: () => copy("plain"),
      others: {
        label: t("token.copyAs", { name }),
        entries: COPY_FORMATS.map((format) => ({
          label: t(`token.format.${format}`),
          onSelect: () => void copy(format),
          refusal: refusalOf(format),
        })),
      },
    },
    { label: t("action.edit"), link: <Link to="/token/edit/$id" params={{ id: String(id) }} /> },
    {
      label: isEnabled ? t("action.disable") : t("action.enable"),
      isBusy: change.isPending,
      onSelect: () =>
        switchRecord(!isEnabled, (isOn) =>
          change.mutateAsync({
            query: { status_only: true },
            body: { id, status: isOn ? TOKEN_ENABLED : TOKEN_DISABLED },
          }),
        ),
    },
    { label: t("token.rotate.action"), opensWindow: true, onSelect: onRotate },
    {
      label: t("token.chat"),
      others: {
        label: t("token.chatWith", { name }),
        entries: CHAT_FORMATS.map((format) => ({
          label: t(`token.format.${format}`),
          onSelect: () => open(format),
          refusal: refusalOf(format),
        })),
      },
    },
    {
      label: t("action.delete"),
      isDanger: true,
      question: {
        question: t("token.deleteQuestion", { name }),
        consequence: t("token.deleteConsequence"),
        confirm: t("token.deleteConfirm", { name }),
      },
      onSelect: () => remove.mutateAsync({ params: { id } }).then(() => notify.success(t("action.done"))),
    },
  ];
};

export const ApiKeyActions = (props: ApiKeyActionsProps) => (
  <RowActions of={props.token.name || String(props.token.id)} actions={useApiKeyActions(props)} />
);
