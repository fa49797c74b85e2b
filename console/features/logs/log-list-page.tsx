import type { Log } from "@tollgate/contract/api/logs";
import { exportLogs, exportOwnLogs } from "@tollgate/contract/api/logs";
import { LOG_CONSUME, LOG_MANAGE, LOG_SYSTEM, LOG_TOPUP } from "@tollgate/contract/values/statuses";
import { ScrollText } from "lucide-react";
import { useTranslation } from "react-i18next";
import { Badge, StateMark } from "../../components/badge";
import { BodyNotice } from "../../components/body-notice";
import type { Column } from "../../components/data-table";
import { EmptyState } from "../../components/empty-state";
import { ExportButton } from "../../components/export-button";
import { ListPage } from "../../components/list-page";
import { formatQuota, formatTime } from "../../lib/format";
import { useSession } from "../../lib/session";
import { useAddress } from "../../lib/use-address";
import { useList } from "../../lib/use-list";
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

/** The columns of the log. Channel and user are an administrator's. */
const useColumns = (isAdmin: boolean): Column<Log>[] => {
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
      id: "content",
      label: t("field.detail"),
      cell: (log) => <LogDetail log={log} />,
      sortBy: (log) => log.content,
      className: "col-span-2 max-w-80",
    },
  ];
  return columns.filter((column) => isAdmin || !column.isAdminOnly);
};

/** /log: what was used, line by line; everyone's for administrators, one's own otherwise. */
export const LogListPage = () => {
  const { t } = useTranslation();
  const { isAdmin } = useSession();
  const [search, change] = useAddress(readLogSearch);
  const columns = useColumns(isAdmin);
  const list = useList({ pages: logPages(search, isAdmin), search, columns });
  const filter = (next: LogSearch) => {
    // The same filter again means: look once more.
    if (JSON.stringify(logFilter(readLogSearch({ ...next }))) === JSON.stringify(logFilter(search)))
      list.refresh();
    else change({ ...NO_FILTER, ...next, page: undefined });
  };
  return (
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
      list={list}
      columns={columns}
      rowKey={(log, index) => `${log.createdAt}-${log.id}-${index}`}
      search={search}
      onSearch={change}
      actions={
        <ExportButton
          file={isAdmin ? exportLogs : exportOwnLogs}
          query={() => logQuery(search, isAdmin, Date.now())}
        />
      }
      empty={<EmptyState icon={<ScrollText />} title={t("log.emptyTitle")} text={t("log.emptyText")} />}
    />
  );
};
