import { useQuery } from "@tanstack/react-query";
import {
  listPasskeys,
  MAX_PASSKEYS,
  removePasskey,
  type ShownPasskey,
} from "@tollgate/contract/api/passkeys";
import { useState } from "react";
import { useTranslation } from "react-i18next";
import { Button } from "../../components/button";
import { ConfirmButton } from "../../components/confirm-button";
import { FailedState } from "../../components/failed-state";
import { LazyBoundary } from "../../components/lazy-boundary";
import { SettingRow } from "../../components/setting-card";
import { UnbrokenDates } from "../../components/unbroken-dates";
import { endpointQuery } from "../../lib/endpoint-query";
import { formatTime } from "../../lib/format";
import { notify } from "../../lib/notify";
import { hasListExtra } from "../../lib/status";
import { useEndpoint } from "../../lib/use-endpoint";

const loadWindow = () => import("./passkey-window");

/** One's own passkeys, with the ways to change them. Other servers have none. */
export const PasskeyRow = () => (hasListExtra("passkeys") ? <Passkeys /> : null);

const Passkeys = () => {
  const { t } = useTranslation();
  const { data: passkeys, error, refetch } = useQuery(endpointQuery(listPasskeys, {}));
  const [isAdding, setAdding] = useState(false);
  const close = () => setAdding(false);
  const isFull = passkeys !== undefined && passkeys.length >= MAX_PASSKEYS;
  return (
    <SettingRow
      name={t("passkey.name")}
      text={isFull ? t("passkey.full") : t("passkey.text")}
      action={
        <Button
          aria-haspopup="dialog"
          disabled={passkeys === undefined || isFull}
          onClick={() => setAdding(true)}
        >
          {t("passkey.add")}
        </Button>
      }
    >
      {error ? (
        <FailedState error={error} onRetry={() => void refetch()} />
      ) : passkeys === undefined ? (
        <div role="status" aria-label={t("page.loading")} className="skeleton h-9 w-full" />
      ) : passkeys.length === 0 ? (
        // As high as the skeleton before it: nothing below moves.
        <p className="flex h-9 w-full items-center text-ink-3 text-sm">{t("passkey.none")}</p>
      ) : (
        <ul aria-label={t("passkey.name")} className="flex w-full flex-col divide-y divide-line">
          {passkeys.map((passkey) => (
            <OwnPasskey key={passkey.id} passkey={passkey} />
          ))}
        </ul>
      )}
      {isAdding && (
        <LazyBoundary load={loadWindow} with={{ passkey: undefined, onClose: close }} onMissing={close} />
      )}
    </SettingRow>
  );
};

const OwnPasskey = ({ passkey }: { passkey: ShownPasskey }) => {
  const { t } = useTranslation();
  const remove = useEndpoint(removePasskey);
  const [isRenaming, setRenaming] = useState(false);
  const close = () => setRenaming(false);
  const { id, name, createdTime, lastUsedTime } = passkey;
  const created = formatTime(createdTime);
  return (
    <li className="flex min-h-9 flex-wrap items-center justify-between gap-x-4 gap-y-1 py-1.5 text-sm">
      <span className="min-w-0 flex-1 basis-60 break-words font-medium">{name}</span>
      <span className="text-ink-2 tabular-nums">
        <UnbrokenDates
          text={
            lastUsedTime === 0
              ? t("passkey.timesUnused", { created })
              : t("passkey.times", { created, used: formatTime(lastUsedTime) })
          }
        />
      </span>
      <span className="flex gap-2">
        <Button
          size="small"
          aria-haspopup="dialog"
          aria-label={t("passkey.renameNamed", { name })}
          onClick={() => setRenaming(true)}
        >
          {t("passkey.rename")}
        </Button>
        <ConfirmButton
          size="small"
          aria-label={t("passkey.removeNamed", { name })}
          question={t("passkey.removeQuestion", { name })}
          consequence={t("passkey.removeConsequence")}
          confirm={t("passkey.remove")}
          onConfirm={() =>
            remove.mutateAsync({ params: { id } }).then(() => notify.success(t("passkey.removed")))
          }
        >
          {t("passkey.remove")}
        </ConfirmButton>
      </span>
      {isRenaming && <LazyBoundary load={loadWindow} with={{ passkey, onClose: close }} onMissing={close} />}
    </li>
  );
};
