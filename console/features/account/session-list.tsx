import { useQuery } from "@tanstack/react-query";
import { endOtherSessions, endSession, listSessions, type SignIn } from "@tollgate/contract/api/sessions";
import { useTranslation } from "react-i18next";
import { Badge } from "../../components/badge";
import { Button } from "../../components/button";
import { ConfirmButton } from "../../components/confirm-button";
import { FailedState } from "../../components/failed-state";
import { SettingRow } from "../../components/setting-card";
import { UnbrokenDates } from "../../components/unbroken-dates";
import { endpointQuery } from "../../lib/endpoint-query";
import { formatTime } from "../../lib/format";
import { notify } from "../../lib/notify";
import { hasListExtra } from "../../lib/status";
import { useEndpoint } from "../../lib/use-endpoint";

/** The devices on which one is signed in, each with the way to sign it out. Other servers do not tell. */
export const SessionList = () => (hasListExtra("sessions") ? <Sessions /> : null);

const Sessions = () => {
  const { t } = useTranslation();
  const { data: sessions, error, refetch } = useQuery(endpointQuery(listSessions, {}));
  const endOthers = useEndpoint(endOtherSessions);
  return (
    <SettingRow
      name={t("personal.sessions")}
      text={t("personal.sessionsText")}
      action={
        sessions?.some(({ isCurrent }) => !isCurrent) && (
          <ConfirmButton
            question={t("personal.endOthersQuestion")}
            consequence={t("personal.endOthersConsequence")}
            confirm={t("personal.endOthers")}
            onConfirm={() => endOthers.mutateAsync({}).then(() => notify.success(t("personal.othersEnded")))}
          >
            {t("personal.endOthers")}
          </ConfirmButton>
        )
      }
    >
      {error ? (
        <FailedState error={error} onRetry={() => void refetch()} />
      ) : sessions === undefined ? (
        <div role="status" aria-label={t("page.loading")} className="skeleton h-16 w-full wide:h-9" />
      ) : (
        <ul aria-label={t("personal.sessions")} className="flex w-full flex-col divide-y divide-line">
          {sessions.map((session) => (
            <Session key={session.id} session={session} />
          ))}
        </ul>
      )}
    </SettingRow>
  );
};

const Session = ({ session }: { session: SignIn }) => {
  const { t } = useTranslation();
  // A refusal says that the session is over already.
  const end = useEndpoint(endSession, { repeatsAlways: true });
  const device = session.device || t("personal.deviceUnknown");
  return (
    <li className="flex min-h-9 flex-wrap items-center justify-between gap-x-4 gap-y-1 py-1.5 text-sm">
      <span className="flex min-w-0 flex-1 basis-60 flex-wrap items-center gap-x-2">
        <span className="break-words font-medium">{device}</span>
        <span className="break-all font-mono text-ink-2">{session.address}</span>
        {session.isCurrent && <Badge tone="green">{t("personal.thisDevice")}</Badge>}
      </span>
      <span className="text-ink-2 tabular-nums">
        <UnbrokenDates
          text={t("personal.sessionTimes", {
            created: formatTime(session.createdTime),
            used: formatTime(session.lastUsedTime),
          })}
        />
      </span>
      {!session.isCurrent && (
        <Button
          size="small"
          isBusy={end.isPending}
          aria-label={t("personal.endNamed", { device, address: session.address })}
          onClick={() => end.mutate({ params: { session: session.id } })}
        >
          {t("personal.end")}
        </Button>
      )}
    </li>
  );
};
