import { Link } from "@tanstack/react-router";
import type { Log } from "@tollgate/contract/api/logs";
import { LOG_ERROR } from "@tollgate/contract/values/statuses";
import { Flag, ReceiptText } from "lucide-react";
import type { MouseEvent } from "react";
import { useTranslation } from "react-i18next";
import { ClampedText } from "../../components/clamped-text";

interface LogDetailProps {
  log: Log;
  /** Shows the receipt beside the list; undefined if there is no room for it. */
  onReceipt: ((requestId: string) => void) | undefined;
  /** Whether the reader can open a ticket about the request. */
  isReportable: boolean;
}

const ICON_LINK =
  "grid size-7 shrink-0 place-items-center rounded-sm text-ink-3 hover:bg-hover hover:text-ink";

/** A line's description, with links to the receipt and to a new ticket if the server offers them. */
export const LogDetail = ({ log, onReceipt, isReportable }: LogDetailProps) => {
  const { t } = useTranslation();
  const text = (
    <div className="min-w-0 wide:flex wide:items-center wide:gap-x-2">
      {log.type === LOG_ERROR && <FailureMark log={log} />}
      <div className="min-w-0">
        <ClampedText text={log.content} />
        {log.upstreamError && (
          <div className="text-ink-2 text-xs">
            <ClampedText text={t("log.original", { text: log.upstreamError })} />
          </div>
        )}
      </div>
    </div>
  );
  if (log.requestId === "") return text;
  const label = t("log.receipt", { requestId: log.requestId });
  const open = (event: MouseEvent): void => {
    // The browser opens the link itself, possibly in a new tab.
    if (!onReceipt || event.ctrlKey || event.metaKey || event.shiftKey) return;
    event.preventDefault();
    onReceipt(log.requestId);
  };
  return (
    <div className="flex min-w-0 items-center justify-between gap-2">
      {text}
      <span className="flex shrink-0">
        {isReportable && <ReportLink requestId={log.requestId} />}
        <Link
          to="/log/receipt/$requestId"
          params={{ requestId: log.requestId }}
          aria-label={label}
          title={label}
          onClick={open}
          className={ICON_LINK}
        >
          <ReceiptText aria-hidden className="size-4" />
        </Link>
      </span>
    </div>
  );
};

/** Leads to a new ticket with the request attached. */
const ReportLink = ({ requestId }: { requestId: string }) => {
  const { t } = useTranslation();
  const label = t("log.report", { requestId });
  return (
    <Link
      to="/ticket/add"
      search={{ request: requestId }}
      aria-label={label}
      title={label}
      className={ICON_LINK}
    >
      <Flag aria-hidden className="size-4" />
    </Link>
  );
};

/** A failure's status and code, and its number of occurrences. */
const FailureMark = ({ log: { status, code, times } }: { log: Log }) => {
  const { t } = useTranslation();
  return (
    <p className="flex shrink-0 flex-wrap items-baseline gap-x-2 text-xs wide:flex-nowrap">
      <span className="font-mono text-red max-wide:break-all wide:max-w-40 wide:truncate">
        {status > 0 ? `${status} ${code}` : code}
      </span>
      {times > 1 && (
        <span className="text-ink-3" title={t("log.timesText", { count: times })}>
          ×{times.toLocaleString("en-US")}
        </span>
      )}
    </p>
  );
};
