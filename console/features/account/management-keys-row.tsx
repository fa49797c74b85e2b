import { useQuery } from "@tanstack/react-query";
import {
  listManagementKeys,
  type ManagementKey,
  revokeManagementKey,
} from "@tollgate/contract/api/management-keys";
import { useState } from "react";
import { useTranslation } from "react-i18next";
import { Badge } from "../../components/badge";
import { Button } from "../../components/button";
import { ConfirmButton } from "../../components/confirm-button";
import { FailedState } from "../../components/failed-state";
import { LazyBoundary } from "../../components/lazy-boundary";
import { SettingRow } from "../../components/setting-card";
import { UnbrokenDates } from "../../components/unbroken-dates";
import { endpointQuery } from "../../lib/endpoint-query";
import { formatTime } from "../../lib/format";
import { loadTexts } from "../../lib/i18n";
import { notify } from "../../lib/notify";
import { hasListExtra } from "../../lib/status";
import { useEndpoint } from "../../lib/use-endpoint";

const loadWindow = async () => {
  const [window] = await Promise.all([import("./management-key-window"), loadTexts(["permissions"])]);
  return window;
};

/** One's own keys for scripts, each with the way to revoke it. Other servers have none. */
export const ManagementKeysRow = () => (hasListExtra("management-keys") ? <Keys /> : null);

const Keys = () => {
  const { t } = useTranslation();
  const { data: keys, error, refetch } = useQuery(endpointQuery(listManagementKeys, {}));
  const [isOpen, setOpen] = useState(false);
  const close = () => setOpen(false);
  return (
    <SettingRow
      name={t("managementKey.title")}
      text={t("managementKey.text")}
      action={
        <Button aria-haspopup="dialog" onClick={() => setOpen(true)}>
          {t("managementKey.add")}
        </Button>
      }
    >
      {error ? (
        <FailedState error={error} onRetry={() => void refetch()} />
      ) : keys === undefined ? (
        <div role="status" aria-label={t("page.loading")} className="skeleton h-9 w-full" />
      ) : (
        keys.length > 0 && (
          <ul aria-label={t("managementKey.title")} className="flex w-full flex-col divide-y divide-line">
            {keys.map((key) => (
              <Key key={key.id} of={key} />
            ))}
          </ul>
        )
      )}
      {isOpen && <LazyBoundary load={loadWindow} with={{ onClose: close }} onMissing={close} />}
    </SettingRow>
  );
};

const Key = ({ of: { id, ...key } }: { of: ManagementKey }) => {
  const { t } = useTranslation();
  const revoke = useEndpoint(revokeManagementKey, { repeatsAlways: true });
  const isExpired = key.expires_time !== 0 && key.expires_time * 1000 <= Date.now();
  return (
    <li className="flex min-h-9 flex-wrap items-center justify-between gap-x-4 gap-y-1 py-1.5 text-sm">
      <span className="flex min-w-0 flex-1 basis-60 flex-wrap items-center gap-x-2">
        <span className="break-words font-medium">{key.name}</span>
        <span className="font-mono text-ink-2">{key.start}…</span>
        {isExpired && <Badge>{t("managementKey.expired")}</Badge>}
        <span className="w-full break-words text-ink-2 text-xs">{key.permissions.join(", ")}</span>
      </span>
      <span className="text-ink-2 tabular-nums">
        <UnbrokenDates
          text={
            key.last_used_time === 0
              ? t("managementKey.unused")
              : t("managementKey.used", { time: formatTime(key.last_used_time), address: key.last_address })
          }
        />
        {key.expires_time !== 0 && (
          <span className="block">
            <UnbrokenDates text={t("managementKey.expires", { time: formatTime(key.expires_time) })} />
          </span>
        )}
      </span>
      <ConfirmButton
        size="small"
        question={t("managementKey.revokeQuestion", { name: key.name })}
        consequence={t("managementKey.revokeConsequence")}
        confirm={t("managementKey.revoke")}
        onConfirm={() => revoke.mutateAsync({ params: { id } }).then(() => notify.success(t("action.done")))}
      >
        {t("managementKey.revoke")}
      </ConfirmButton>
    </li>
  );
};
