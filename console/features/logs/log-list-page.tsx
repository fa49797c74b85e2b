import { exportLogs, exportOwnLogs } from "@tollgate/contract/api/logs";
import { toUnixSeconds } from "@tollgate/contract/values/time";
import { Radio, ScrollText } from "lucide-react";
import { type ReactNode, useEffect, useRef, useState } from "react";
import { useTranslation } from "react-i18next";
import { BodyNotice } from "../../components/body-notice";
import { Button } from "../../components/button";
import { EmptyState } from "../../components/empty-state";
import { ExportButton } from "../../components/export-button";
import { ListPage } from "../../components/list-page";
import { formatTime } from "../../lib/format";
import { useSession } from "../../lib/session";
import { useAddress } from "../../lib/use-address";
import { useChosenColumns } from "../../lib/use-chosen-columns";
import { useIsFiltered } from "../../lib/use-filter-draft";
import { useList } from "../../lib/use-list";
import { useNarrow } from "../../lib/use-narrow";
import type { WrittenSpan } from "../../lib/written-span";
import { useLogColumns } from "./log-columns";
import { LogFilters } from "./log-filters";
import { logPages, queriedLogs } from "./log-queries";
import { type LogSearch, logFilter, logQuery, NO_FILTER, readLogSearch } from "./log-search";
import { LogTotal } from "./log-total";
import { LogTrend } from "./log-trend";
import { type ReceiptSteps, useReceiptSteps } from "./use-receipt-steps";

/** Interval of polling the newest lines in live mode. */
const LIVE_MS = 5000;

const HOUR_SECONDS = 3600;

/** Polls a list in live mode. */
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
  /** Renders a request's receipt beside the list. */
  receipt: (requestId: string, steps: ReceiptSteps, onClose: () => void) => ReactNode;
}

/** Spans for a log that is too long to sort; a busy gateway has too many lines in a day as well. */
const ShorterRanges = ({ onChoose }: { onChoose: (span: WrittenSpan) => void }) => {
  const { t } = useTranslation();
  const sinceHour = () => formatTime(toUnixSeconds(Date.now()) - HOUR_SECONDS);
  return (
    <>
      <Button onClick={() => onChoose({ range: undefined, from: sinceHour(), to: undefined })}>
        {t("log.lastHour")}
      </Button>
      {(["today", "7d"] as const).map((range) => (
        <Button key={range} onClick={() => onChoose({ range, from: undefined, to: undefined })}>
          {t(`filter.ranges.${range}`)}
        </Button>
      ))}
    </>
  );
};

/** /log: usage line by line; all users' for administrators, one's own otherwise. */
export const LogListPage = ({ receipt }: LogListPageProps) => {
  const { t } = useTranslation();
  const { isAdmin } = useSession("logs");
  const isNarrow = useNarrow();
  const [search, change] = useAddress(readLogSearch);
  const onReceipt = isNarrow ? undefined : (requestId: string) => change({ receipt: requestId });
  const { shown: columns, choices } = useChosenColumns("log", useLogColumns(isAdmin, onReceipt));
  const [isLive, setLive] = useState(false);
  const list = useList({
    pages: logPages(search, isAdmin, isLive),
    queried: queriedLogs(search, isAdmin, isLive),
    search,
    columns,
  });
  const steps = useReceiptSteps(list.rows, search.receipt, (requestId) => change({ receipt: requestId }));
  useLive(isLive, list.refresh);
  const isFiltered = useIsFiltered(search, NO_FILTER);
  const filter = (next: LogSearch) => {
    // Submitting the same filter repeats the search.
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
        // In live mode, a button that is busy every other second tells nothing.
        narrower={<ShorterRanges onChoose={(span) => change({ ...span, page: undefined })} />}
        onWiden={isFiltered ? () => filter({}) : undefined}
        list={isLive ? { ...list, isRefreshing: false } : list}
        columns={columns}
        columnChoices={choices}
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
                // The newest lines are on the first page, ordered by time.
                if (!isLive) change({ page: undefined, sort: undefined });
                setLive(!isLive);
              }}
            >
              <Radio aria-hidden className={isLive ? "size-3.5 text-green" : "size-3.5"} />
              {t(isLive ? "log.liveOn" : "log.live")}
            </Button>
          </>
        }
        empty={<EmptyState icon={<ScrollText />} title={t("log.emptyTitle")} text={t("log.emptyText")} />}
      />
      {search.receipt !== undefined &&
        !isNarrow &&
        receipt(search.receipt, steps, () => change({ receipt: undefined }))}
    </>
  );
};
