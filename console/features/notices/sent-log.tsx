import { useInfiniteQuery } from "@tanstack/react-query";
import type { SentNoticeWire } from "@tollgate/contract/api/notices";
import { isNoticeEvent } from "@tollgate/contract/notices/notice-events";
import { isTargetName } from "@tollgate/contract/notices/notice-targets";
import { useTranslation } from "react-i18next";
import { StateMark, type Tone } from "../../components/badge";
import { Button } from "../../components/button";
import { FailedState } from "../../components/failed-state";
import { formatTime } from "../../lib/format";
import { sentQuery } from "./notice-queries";
import { faultText } from "./outcome-text";
import type { Scope } from "./scope";

const TONES: Readonly<Record<string, Tone>> = { sent: "green", waiting: "yellow", failed: "red" };

/** The sent notices with their outcomes, newest first. */
export const SentLog = ({ scope }: { scope: Scope }) => {
  const { t } = useTranslation();
  const { data, error, refetch, fetchNextPage, hasNextPage, isFetching } = useInfiniteQuery(sentQuery(scope));
  const lines = data?.pages.flat();
  if (error && !lines) return <FailedState error={error} onRetry={() => void refetch()} />;
  if (!lines) return <div role="status" aria-label={t("page.loading")} className="skeleton h-16 w-full" />;
  return (
    <>
      {lines.length === 0 ? (
        <p className="text-ink-2">{t("notice.nothingSent")}</p>
      ) : (
        <ul className="flex flex-col divide-y divide-line">
          {lines.map((line) => (
            <SentLine key={line.id} line={line} />
          ))}
        </ul>
      )}
      <div className="flex gap-2">
        <Button isBusy={isFetching} onClick={() => void refetch()}>
          {t("action.refresh")}
        </Button>
        {hasNextPage && (
          <Button isBusy={isFetching} onClick={() => void fetchNextPage()}>
            {t("notice.more")}
          </Button>
        )}
      </div>
    </>
  );
};

const SentLine = ({ line }: { line: SentNoticeWire }) => {
  const { t } = useTranslation();
  const kind = isTargetName(line.way_kind) ? t(`notice.target.${line.way_kind}`) : line.way_kind;
  const event =
    line.event === "test"
      ? t("notice.event.test")
      : isNoticeEvent(line.event)
        ? t(`notice.event.${line.event}`)
        : line.event;
  const state =
    line.state === "sent" || line.state === "waiting" || line.state === "failed"
      ? t(`notice.state.${line.state}`)
      : line.state;
  const fault = faultText(t, line);
  return (
    <li className="flex flex-wrap items-start justify-between gap-x-4 gap-y-1 py-2.5 first:pt-0 last:pb-0">
      <div className="min-w-0 flex-1 basis-60">
        <div className="break-words">
          {line.phase === "recovered" ? t("notice.recovered", { event }) : event}
          {line.subject !== "" && <span className="text-ink-3"> #{line.subject}</span>}
        </div>
        <div className="break-words text-sm text-ink-2">
          {t("notice.over", { target: line.way_name || kind, time: formatTime(line.created_at) })}
        </div>
        {fault !== "" && <div className="break-words text-sm text-red">{fault}</div>}
      </div>
      <div className="flex flex-col items-end gap-0.5 text-sm">
        <StateMark tone={TONES[line.state] ?? "grey"}>{state}</StateMark>
        {line.attempts > 1 && (
          <span className="text-ink-3">{t("notice.attempts", { attempts: line.attempts })}</span>
        )}
      </div>
    </li>
  );
};
