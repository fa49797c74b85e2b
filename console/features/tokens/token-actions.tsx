import { Link } from "@tanstack/react-router";
import { changeToken, deleteToken, listTokens, type Token } from "@tollgate/contract/api/tokens";
import { TOKEN_DISABLED, TOKEN_ENABLED } from "@tollgate/contract/values/statuses";
import { useTranslation } from "react-i18next";
import { Button, buttonVariants } from "../../components/button";
import { ConfirmButton } from "../../components/confirm-button";
import { RowActions } from "../../components/row-actions";
import { SplitButton } from "../../components/split-button";
import { copyOrShow } from "../../lib/copy";
import { useRowEndpoint } from "../../lib/endpoint-lists";
import { notify } from "../../lib/notify";
import { chatLink, serverAddress, useStatus } from "../../lib/status";
import { clientLink, type LinkFormat } from "./client-links";

const COPY_FORMATS = ["plain", "next", "ama", "opencat"] as const;
const CHAT_FORMATS = ["ama", "opencat"] as const;

interface TokenActionsProps {
  token: Token;
  /** Shows a key that the clipboard refused. */
  onShowKey: (key: string) => void;
  /** Shows how programs use the key. */
  onConnect: () => void;
  /** Asks how to replace the key's secret. */
  onRotate: () => void;
}

/** What can be done with one token. */
export const TokenActions = ({ token, onShowKey, onConnect, onRotate }: TokenActionsProps) => {
  const { t } = useTranslation();
  const status = useStatus();
  const { id } = token;
  const change = useRowEndpoint(listTokens, id, changeToken, (changed, { body }) => ({
    status: changed?.status || (body.status ?? 0),
  }));
  const remove = useRowEndpoint(listTokens, id, deleteToken, () => "deleted");
  const isEnabled = token.status === TOKEN_ENABLED;
  const linkOf = (format: LinkFormat) => clientLink(format, token.key, serverAddress(status), chatLink());
  const refusalOf = (format: LinkFormat) =>
    linkOf(format) === undefined ? t("token.noChatLink") : undefined;
  const copy = (format: LinkFormat) => {
    const link = linkOf(format);
    if (link !== undefined) void copyOrShow(link, onShowKey);
  };
  const open = (format: LinkFormat) => {
    const link = linkOf(format);
    if (link !== undefined) window.open(link, "_blank", "noopener");
  };
  const done = () => notify.success(t("action.done"));
  return (
    <RowActions>
      <Button variant="quiet" size="small" aria-haspopup="dialog" onClick={onConnect}>
        {t("token.connect.action")}
      </Button>
      <SplitButton
        label={t("action.copy")}
        onClick={() => copy("plain")}
        moreLabel={t("token.copyAs", { name: token.name })}
        entries={COPY_FORMATS.map((format) => ({
          label: t(`token.format.${format}`),
          onSelect: () => copy(format),
          refusal: refusalOf(format),
        }))}
      />
      <Button variant="quiet" size="small" aria-haspopup="dialog" onClick={onRotate}>
        {t("token.rotate.action")}
      </Button>
      <SplitButton
        label={t("token.chat")}
        onClick={() => open("next")}
        refusal={refusalOf("next")}
        moreLabel={t("token.chatWith", { name: token.name })}
        entries={CHAT_FORMATS.map((format) => ({
          label: t(`token.format.${format}`),
          onSelect: () => open(format),
        }))}
      />
      <ConfirmButton
        variant="quietDanger"
        size="small"
        question={t("token.deleteQuestion", { name: token.name })}
        consequence={t("token.deleteConsequence")}
        confirm={t("token.deleteConfirm", { name: token.name })}
        onConfirm={() => remove.mutateAsync({ params: { id } }).then(done)}
      >
        {t("action.delete")}
      </ConfirmButton>
      <Button
        variant="quiet"
        size="small"
        isBusy={change.isPending}
        onClick={() =>
          change.mutate(
            {
              query: { status_only: true },
              body: { id, status: isEnabled ? TOKEN_DISABLED : TOKEN_ENABLED },
            },
            { onSuccess: done },
          )
        }
      >
        {isEnabled ? t("action.disable") : t("action.enable")}
      </Button>
      <Link
        to="/token/edit/$id"
        params={{ id: String(id) }}
        className={buttonVariants({ variant: "quiet", size: "small" })}
      >
        {t("action.edit")}
      </Link>
    </RowActions>
  );
};
