import { Link } from "@tanstack/react-router";
import type { Log } from "@tollgate/contract/api/logs";
import {
  LOG_CONSUME,
  LOG_ERROR,
  LOG_MANAGE,
  LOG_SYSTEM,
  LOG_TOPUP,
} from "@tollgate/contract/values/statuses";
import type { TFunction } from "i18next";
import { useTranslation } from "react-i18next";
import { Badge, StateMark } from "../../components/badge";
import type { Column } from "../../components/data-table";
import { RecordLink } from "../../components/record-link";
import { formatQuota, formatTime } from "../../lib/format";
import { formatDuration } from "../../lib/format-measure";
import { LogDetail } from "./log-detail";

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

type LogColumn = Column<Log> & { isAdminOnly?: boolean };

/** What a person may want to see besides. */
const measureColumns = (t: TFunction): LogColumn[] => [
  {
    id: "channel_name",
    label: t("log.columns.channelName"),
    isAdminOnly: true,
    isOptional: true,
    cell: (log) => (
      <RecordLink kind="channel" id={log.channelId}>
        {log.channelName}
      </RecordLink>
    ),
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
    cell: (log) => <span className="break-all font-mono text-xs">{log.requestId}</span>,
    sortBy: (log) => log.requestId,
    className: "max-w-52",
  },
];

/** The columns of the log. Channel and user are an administrator's. */
export const useLogColumns = (
  isAdmin: boolean,
  onReceipt: ((requestId: string) => void) | undefined,
): Column<Log>[] => {
  const { t } = useTranslation();
  const columns: LogColumn[] = [
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
      cell: (log) =>
        log.channelId > 0 ? (
          <Link to="/channel/$id" params={{ id: String(log.channelId) }} title={log.channelName}>
            <Badge>{log.channelId}</Badge>
          </Link>
        ) : (
          ""
        ),
      sortBy: (log) => log.channelId,
    },
    {
      id: "username",
      label: t("field.user"),
      isAdminOnly: true,
      cell: ({ userId = 0, username }) =>
        userId > 0 ? (
          <Link
            to="/user/$id"
            params={{ id: String(userId) }}
            className="underline-offset-2 hover:text-accent hover:underline"
          >
            {username}
          </Link>
        ) : (
          username
        ),
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
      cell: (log) => <RecordLink kind="model" id={log.modelName} />,
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
    ...measureColumns(t),
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
