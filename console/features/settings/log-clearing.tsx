import { toUnixSeconds } from "@tollgate/contract/values/time";
import { useEffect, useState } from "react";
import { useTranslation } from "react-i18next";
import { Button } from "../../components/button";
import { ConfirmButton } from "../../components/confirm-button";
import { DateTimeField } from "../../components/date-time-field";
import { formatDate, parseDate } from "../../lib/format";
import { type Clearing, useClearing, useClearLogs } from "./clear-logs";

/** Default age of log lines to delete, in days (specification section 9). */
const DEFAULT_AGE_DAYS = 30;

const DAY_MS = 86_400_000;

/** Deletes log lines from before a time. A started deletion continues by itself; the page shows its state. */
export const LogClearing = () => {
  const { t } = useTranslation();
  const clear = useClearLogs();
  const clearing = useClearing();
  const [typed, setTyped] = useState(() => formatDate(new Date(Date.now() - DEFAULT_AGE_DAYS * DAY_MS)));
  const date = parseDate(typed);
  if (clearing) return <Progress clearing={clearing} />;
  return (
    <div className="flex flex-wrap items-start gap-3">
      <DateTimeField
        label={t("setting.targetTime")}
        value={typed}
        onChange={setTyped}
        error={date ? undefined : t("setting.timeInvalid")}
        className="w-full wide:w-64"
      />
      <div className="wide:pt-[26px]">
        {date ? (
          <ConfirmButton
            variant="quietDanger"
            question={t("setting.clearLogsQuestion")}
            consequence={t("setting.clearLogsConsequence", { time: formatDate(date) })}
            confirm={t("setting.clearLogsConfirm")}
            onConfirm={async () => clear.mutate(toUnixSeconds(date.getTime()))}
          >
            {t("setting.clearLogs")}
          </ConfirmButton>
        ) : (
          <Button disabled>{t("setting.clearLogs")}</Button>
        )}
      </div>
    </div>
  );
};

/** The elapsed time; the server does not report the remaining amount. */
const Progress = ({ clearing: { beforeMs, sinceMs } }: { clearing: Clearing }) => {
  const { t } = useTranslation();
  const [nowMs, setNow] = useState(() => Date.now());
  // An effect, because the clock is outside React.
  useEffect(() => {
    const timer = setInterval(() => setNow(Date.now()), 1000);
    return () => clearInterval(timer);
  }, []);
  const seconds = Math.max(0, Math.round((nowMs - sinceMs) / 1000));
  return (
    <div className="flex flex-col gap-2">
      <div className="flex justify-between gap-4 text-sm">
        <span className="font-medium">{t("setting.clearing")}</span>
        <span className="text-ink-2 tabular-nums">{t("setting.clearingSince", { seconds })}</span>
      </div>
      <div
        role="progressbar"
        aria-label={t("setting.clearing")}
        className="h-1.5 overflow-hidden rounded-full bg-sunken"
      >
        <div className="h-full w-1/3 animate-[sweep_1.4s_ease-in-out_infinite] rounded-full bg-accent" />
      </div>
      <p className="text-sm text-ink-2">
        {t("setting.clearingText", { time: formatDate(new Date(beforeMs)) })}
      </p>
    </div>
  );
};
