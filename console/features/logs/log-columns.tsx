import { Link } from "@tanstack/react-router";
import { type Log, MAX_SORTED_LINES } from "@tollgate/contract/api/logs";
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
import { KeyLink } from "../../components/key-link";
import { RecordLink } from "../../components/record-link";
import { formatQuota, formatTime } from "../../lib/format";
import { formatDuration } from "../../lib/format-measure";
import { queriesLists } from "../../lib/status";
import { useReportable } from "../../lib/use-reportable";
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

/** Counters belong to consumption; zeros on other lines are meaningless. */
const counter = (log: Log, value: number, text: string): string =>
  log.type === LOG_CONSUME || value !== 0 ? text : "";

/** Empty for a line without the value. */
const measured = (value: number, text: string): string => (value > 0 ? text : "");

type LogColumn = Column<Log> & { isAdminOnly?: boolean };

/** Names of a line's numeric fields in the log. */
type NumberOf = { [Name in keyof Log]-?: Log[Name] extends number ? Name : never }[keyof Log];

/** A column of tokens of the prompt's cache; a dash for an answer that does not tell them. */
const cached = (id: string, label: string, name: "cachedTokens" | "cacheWriteTokens"): LogColumn => ({
  id,
  label,
  isOptional: true,
  cell: (log) => (log.type === LOG_CONSUME ? (log[name] ?? "–") : ""),
  sortBy: (log) => log[name] ?? -1,
  isNumber: true,
});

/** A column of numbers that count or cost something. */
const counted = (id: string, label: string, name: NumberOf, format: (value: number) => string = String) => ({
  id,
  label,
  cell: (log: Log) => counter(log, log[name], format(log[name])),
  sortBy: (log: Log) => log[name],
  isNumber: true,
});

/** A column of numbers that a line may lack. */
const measure = (id: string, label: string, name: NumberOf, format: (value: number) => string = String) => ({
  id,
  label,
  isOptional: true as const,
  cell: (log: Log) => measured(log[name], format(log[name])),
  sortBy: (log: Log) => log[name],
  isNumber: true,
});

/** The optional columns. */
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
  cached("cached_tokens", t("log.columns.cached"), "cachedTokens"),
  cached("cache_write_tokens", t("log.columns.cacheWritten"), "cacheWriteTokens"),
  measure("duration_ms", t("log.columns.duration"), "durationMs", formatDuration),
  measure("first_byte_ms", t("log.columns.firstByte"), "firstByteMs", formatDuration),
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

/** The caller, the key, and the answering channel. */
const callerColumns = (t: TFunction): LogColumn[] => [
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
    cell: (log) => <KeyLink id={log.keyId} name={log.tokenName} userId={log.userId} />,
    sortBy: (log) => log.tokenName,
    className: "max-w-44 break-words",
  },
];

/** The columns of the log. Channel and user are only for administrators. */
export const useLogColumns = (
  isAdmin: boolean,
  onReceipt: ((requestId: string) => void) | undefined,
): Column<Log>[] => {
  const { t } = useTranslation();
  const isReportable = useReportable();
  const columns: LogColumn[] = [
    {
      id: "created_at",
      label: t("field.time"),
      cell: (log) => formatTime(log.createdAt),
      sortBy: (log) => log.createdAt,
      card: "head",
      className: "wide:whitespace-nowrap",
    },
    ...callerColumns(t),
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
      className: "min-w-36 max-w-56 break-words",
    },
    counted("prompt_tokens", t("field.prompt"), "promptTokens"),
    counted("completion_tokens", t("field.completion"), "completionTokens"),
    counted("quota", t("field.quota"), "quota", (quota) => formatQuota(quota, 6)),
    ...measureColumns(t),
    {
      id: "content",
      label: t("field.detail"),
      cell: (log) => <LogDetail log={log} onReceipt={onReceipt} isReportable={isReportable(log.userId)} />,
      sortBy: (log) => log.content,
      className: "col-span-2 max-w-80",
    },
  ];
  // Without a server that sorts, the loaded lines are sorted here, by any column.
  const sortNote = queriesLists()
    ? t("log.sortNote", { most: MAX_SORTED_LINES.toLocaleString("en-US") })
    : undefined;
  return columns
    .filter((column) => isAdmin || !column.isAdminOnly)
    .map((column) => (column.id === "created_at" ? column : { ...column, sortNote }));
};
