import { toUnixSeconds } from "@tollgate/contract/values/time";
import { useState } from "react";
import { useTranslation } from "react-i18next";
import { Button } from "../../components/button";
import { ConfirmButton } from "../../components/confirm-button";
import { DateTimeField } from "../../components/date-time-field";
import { formatDate, parseDate } from "../../lib/format";
import { notify } from "../../lib/notify";
import { useClearLogs } from "./api/clear-logs";

/** What is older than this many days is offered for clearing. */
const DEFAULT_AGE_DAYS = 30;

const DAY_MS = 86_400_000;

/** Deletes log lines from before a time. */
export const LogClearing = () => {
  const { t } = useTranslation();
  const clear = useClearLogs();
  const [typed, setTyped] = useState(() => formatDate(new Date(Date.now() - DEFAULT_AGE_DAYS * DAY_MS)));
  const date = parseDate(typed);
  const label = clear.isPending ? t("setting.clearing") : t("setting.clearLogs");
  return (
    <div className="flex flex-wrap items-end gap-3">
      <DateTimeField
        label={t("setting.targetTime")}
        value={typed}
        onChange={setTyped}
        error={date ? undefined : t("setting.timeInvalid")}
        className="w-full wide:w-64"
      />
      {date ? (
        <ConfirmButton
          isBusy={clear.isPending}
          question={t("setting.clearLogsQuestion")}
          consequence={t("setting.clearLogsConsequence", { time: formatDate(date) })}
          confirm={t("setting.clearLogsConfirm")}
          onConfirm={() =>
            clear
              .mutateAsync(toUnixSeconds(date.getTime()))
              .then((count) => notify.success(t("setting.cleared", { count })))
          }
        >
          {label}
        </ConfirmButton>
      ) : (
        <Button disabled>{label}</Button>
      )}
    </div>
  );
};
