import type { Log } from "@tollgate/contract/api/logs";
import { exportLogs, exportOwnLogs } from "@tollgate/contract/api/logs";
import {
  LOG_CONSUME,
  LOG_ERROR,
  LOG_MANAGE,
  LOG_SYSTEM,
  LOG_TOPUP,
} from "@tollgate/contract/values/statuses";
import { Columns3, Radio, ScrollText } from "lucide-react";
import { type ReactNode, useEffect, useRef, useState } from "react";
import { useTranslation } from "react-i18next";
import { Badge, StateMark } from "../../components/badge";
import { BodyNotice } from "../../components/body-notice";
import { Button } from "../../components/button";
import type { Column } from "../../components/data-table";
import { EmptyState } from "../../components/empty-state";
import { ExportButton } from "../../components/export-button";
import { LateMenu } from "../../components/late-menu";
import { ListPage } from "../../components/list-page";
import { formatQuota, formatTime } from "../../lib/format";
import { formatDuration } from "../../lib/format-measure";
import { useSession } from "../../lib/session";
import { useAddress } from "../../lib/use-address";
import { useChosenColumns } from "../../lib/use-chosen-columns";
import { useList } from "../../lib/use-list";
import { useNarrow } from "../../lib/use-narrow";
import { LogDetail } from "./log-detail";
import { LogFilters } from "./log-filters";
import { logPages } from "./log-queries";
import { type LogSearch, logFilter, logQuery, NO_FILTER, readLogSearch } from "./log-search";
import { LogTotal } from "./log-total";
import { LogTrend } from "./log-trend";

const LogType = ({ type }: { type: number }) => {
  const { t } = useTranslation();
  switch (type) {
    case LOG_TOPUP:
      return <StateMark tone="green">{t("log.types.topup")}</StateMark>;
    case LOG_CONSUME:
      return <StateMark tone="olive">{t("log.types.consume")}</StateMark>;
    case LOG_ERROR:
      return <StateMark tone="red">{t("log.types.error")}</StateMark>;
    case LOG_MANAGE:
      return <StateMark tone="yellow">{t("log.types.manage")}</StateMark>;
    case LOG_SYSTEM:
      return <StateMark tone="grey">{t("log.types.system")}</StateMark>;
    default:
      return <StateMark tone="grey">{t("status.unknown")}</StateMark>;
  }
};

/** Counters belong to consumption; other lines carry zeros that mean nothing. */
const counter = (log: Log, value: number, text: string): string =>
  log.type === LOG_CONSUME || value !== 0 ? text : "";

/** What of a column a line without it leaves empty. */
const measured = (value: number, text: string): string => (value > 0 ? text : "");

/** The columns of the log. Channel and user are an administrator's. */
const useColumns = (
  isAdmin: boolean,
  onReceipt: ((requestId: string) => void) | undefined,
): Column<Log>[] => {
  const { t } = useTranslation();
  const columns: (Column<Log> & { isAdminOnly?: boolean })[] = [
    {
      id: "created_at",
      label: t("field.time"),
      cell: (log) => formatTime(log.createdAt),
      sortBy: (log) => log.createdAt,
      card: "head",
      className: "wide:whitespace-nowrap",
    },
    {
      id: "channel",
      label: t("field.channel"),
      isAdminOnly: true,
      cell: (log) => (log.channelId > 0 ? <Badge>{log.channelId}</Badge> : ""),
      sortBy: (log) => log.channelId,
    },
    {
      id: "username",
      label: t("field.user"),
      isAdminOnly: true,
      cell: (log) => log.username,
      sortBy: (log) => log.username,
      className: "break-words",
    },
    {
      id: "token_name",
      label: t("field.token"),
      cell: (log) => log.tokenName,
      sortBy: (log) => log.tokenName,
      className: "max-w-44 break-words",
    },
    {
      id: "type",
      label: t("field.type"),
      cell: (log) => <LogType type={log.type} />,
      sortBy: (log) => log.type,
      card: "side",
    },
    {
      id: "model_name",
      label: t("field.model"),
      cell: (log) => log.modelName,
      sortBy: (log) => log.modelName,
      card: "head",
      className: "max-w-56 break-words",
    },
    {
      id: "prompt_tokens",
      label: t("field.prompt"),
      cell: (log) => counter(log, log.promptTokens, String(log.promptTokens)),
      sortBy: (log) => log.promptTokens,
      isNumber: true,
    },
    {
      id: "completion_tokens",
      label: t("field.completion"),
      cell: (log) => counter(log, log.completionTokens, String(log.completionTokens)),
      sortBy: (log) => log.completionTokens,
      isNumber: true,
    },
    {
      id: "quota",
      label: t("field.quota"),
      cell: (log) => counter(log, log.quota, formatQuota(log.quota, 6)),
      sortBy: (log) => log.quota,
      isNumber: true,
    },
    {
      id: "channel_name",
      label: t("log.columns.channelName"),
      isAdminOnly: true,
      isOptional: true,
      cell: (log) => log.channelName,
      sortBy: (log) => log.channelName,
      className: "max-w-44 break-words",
    },
    {
      id: "cached_tokens",
      label: t("log.columns.cached"),
      isOptional: true,
      cell: (log) => measured(log.cachedTokens, String(log.cachedTokens)),
      sortBy: (log) => log.cachedTokens,
      isNumber: true,
    },
    {
      id: "duration_ms",
      label: t("log.columns.duration"),
      isOptional: true,
      cell: (log) => measured(log.durationMs, formatDuration(log.durationMs)),
      sortBy: (log) => log.durationMs,
      isNumber: true,
    },
    {
      id: "first_byte_ms",
      label: t("log.columns.firstByte"),
      isOptional: true,
      cell: (log) => measured(log.firstByteMs, formatDuration(log.firstByteMs)),
      sortBy: (log) => log.firstByteMs,
      isNumber: true,
    },
    {
      id: "status",
      label: t("log.columns.status"),
      isOptional: true,
      cell: (log) => (log.type === LOG_CONSUME ? "200" : measured(log.status, String(log.status))),
      sortBy: (log) => (log.type === LOG_CONSUME ? 200 : log.status),
      isNumber: true,
    },
    {
      id: "request_id",
      label: t("log.requestId"),
      isOptional: true,
      cell: (log) => <span className="break-all font-mono text-[12.5px]">{log.requestId}</span>,
      sortBy: (log) => log.requestId,
      className: "max-w-52",
    },
    {
      id: "content",
      label: t("field.detail"),
      cell: (log) => <LogDetail log={log} onReceipt={onReceipt} />,
      sortBy: (log) => log.content,
      className: "col-span-2 max-w-80",
    },
  ];
  return columns.filter((column) => isAdmin || !column.isAdminOnly);
};

/** How often the newest lines are asked for while a person watches. */
const LIVE_MS = 5000;

/** Asks for a list again and again while a person watches it. */
const useLive = (isLive: boolean, refresh: () => void): void => {
  const latest = useRef(refresh);
  latest.current = refresh;
  useEffect(() => {
    if (!isLive) return undefined;
    const timer = setInterval(() => {
      if (document.visibilityState === "visible") latest.current();
    }, LIVE_MS);
    return () => clearInterval(timer);
  }, [isLive]);
};

interface LogListPageProps {
  /** The receipt of a request, as it stands beside the list. */
  receipt: (requestId: string, onClose: () => void) => ReactNode;
}

/** /log: what was used, line by line; everyone's for administrators, one's own otherwise. */
export const LogListPage = ({ receipt }: LogListPageProps) => {
  const { t } = useTranslation();
  const { isAdmin } = useSession();
  const isNarrow = useNarrow();
  const [search, change] = useAddress(readLogSearch);
  const onReceipt = isNarrow ? undefined : (requestId: string) => change({ receipt: requestId });
  const { shown: columns, choices } = useChosenColumns("log", useColumns(isAdmin, onReceipt));
  const [isLive, setLive] = useState(false);
  const list = useList({ pages: logPages(search, isAdmin, isLive), search, columns });
  useLive(isLive, list.refresh);
  const filter = (next: LogSearch) => {
    // The same filter again means: look once more.
    if (JSON.stringify(logFilter(readLogSearch({ ...next }))) === JSON.stringify(logFilter(search)))
      list.refresh();
    else change({ ...NO_FILTER, ...next, page: undefined });
  };
  return (
    <>
      <ListPage
        title={
          <span className="flex flex-wrap items-baseline gap-x-4">
            {t("log.title")}
            <LogTotal key={JSON.stringify(logFilter(search))} search={search} />
          </span>
        }
        label={t("log.title")}
        above={
          <>
            <BodyNotice text={t("log.bodiesKept")} />
            <LogFilters search={search} onFilter={filter} />
            <LogTrend search={search} onFilter={filter} />
          </>
        }
        // While it is watched, a button that is busy every other second says nothing.
        list={isLive ? { ...list, isRefreshing: false } : list}
        columns={columns}
        rowKey={(log, index) => `${log.createdAt}-${log.id}-${index}`}
        search={search}
        onSearch={change}
        actions={
          <>
            <ExportButton
              file={isAdmin ? exportLogs : exportOwnLogs}
              query={() => logQuery(search, isAdmin, Date.now())}
            />
            <Button
              aria-pressed={isLive}
              onClick={() => {
                // The newest lines are on the first page, in the order of time.
                if (!isLive) change({ page: undefined, sort: undefined });
                setLive(!isLive);
              }}
            >
              <Radio aria-hidden className={isLive ? "size-3.5 text-green" : "size-3.5"} />
              {t(isLive ? "log.liveOn" : "log.live")}
            </Button>
            <LateMenu
              trigger={
                <Button>
                  <Columns3 aria-hidden className="size-3.5" />
                  {t("log.columns.choose")}
                </Button>
              }
              entries={choices.map(({ label, isShown, toggle }) => ({
                label,
                isChecked: isShown,
                onSelect: toggle,
              }))}
            />
          </>
        }
        empty={<EmptyState icon={<ScrollText />} title={t("log.emptyTitle")} text={t("log.emptyText")} />}
      />
      {search.receipt !== undefined &&
        !isNarrow &&
        receipt(search.receipt, () => change({ receipt: undefined }))}
    </>
  );
};
