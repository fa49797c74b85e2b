import { useQuery } from "@tanstack/react-query";
import { Link } from "@tanstack/react-router";
import { type Log, listOwnLogs } from "@tollgate/contract/api/logs";
import { LOG_CONSUME, LOG_ERROR } from "@tollgate/contract/values/statuses";
import { toUnixSeconds } from "@tollgate/contract/values/time";
import { useState } from "react";
import { useTranslation } from "react-i18next";
import { StateMark } from "../../components/badge";
import { FailedState } from "../../components/failed-state";
import { KeyLink } from "../../components/key-link";
import { endpointQuery } from "../../lib/endpoint-query";
import { formatQuota, formatTime } from "../../lib/format";
import { useSession } from "../../lib/session";

/** Number of shown requests, and the maximum of failed ones among them. */
const SHOWN = 10;
const SHOWN_FAILURES = 4;
const DAY_SECONDS = 86_400;

const linesOf = (type: number, from?: number) => ({
  ...endpointQuery(listOwnLogs, {
    query: { p: 0, type, ...(from === undefined ? {} : { start_timestamp: from }) },
  }),
  meta: { silent: true },
});

/** The latest requests of the signed-in user, with failures of the last day first. */
export const OwnRequests = () => {
  const { t } = useTranslation();
  const [dayAgo] = useState(() => toUnixSeconds(Date.now()) - DAY_SECONDS);
  const failed = useQuery(linesOf(LOG_ERROR, dayAgo));
  const answered = useQuery(linesOf(LOG_CONSUME));
  // Other servers may not log failed requests, and ignore the filter.
  const failures = (failed.data ?? []).filter(({ type }) => type === LOG_ERROR).slice(0, SHOWN_FAILURES);
  const lines = answered.data?.filter(({ type }) => type === LOG_CONSUME);
  const shown = lines && [...failures, ...lines.slice(0, SHOWN - failures.length)];
  const title = t("home.own.latest");
  return (
    <section
      aria-label={title}
      aria-busy={answered.isPending}
      className="min-w-0 rounded-lg border border-line bg-surface"
    >
      <div className="flex h-11 items-center justify-between px-4">
        <h2 className="font-semibold text-base">{title}</h2>
        <Link to="/log" className="touch text-sm text-accent underline-offset-2 hover:underline">
          {t("home.own.allRequests")}
        </Link>
      </div>
      {answered.error && <FailedState error={answered.error} onRetry={() => void answered.refetch()} />}
      {answered.isPending && (
        // As high as the usual list, so that the content below does not move.
        <div className="border-line border-t">
          {Array.from({ length: SHOWN }, (_, line) => line).map((line) => (
            <div key={line} className="flex h-[37px] items-center px-4">
              <div className="skeleton h-4 w-3/4" />
            </div>
          ))}
        </div>
      )}
      {shown?.length === 0 && (
        <p className="border-line border-t px-4 py-3 text-sm text-ink-2">{t("home.own.noRequests")}</p>
      )}
      <ul className="divide-y divide-line border-line border-t empty:hidden">
        {shown?.map((line) => (
          <Line key={`${line.requestId} ${line.type} ${line.id} ${line.createdAt}`} line={line} />
        ))}
      </ul>
    </section>
  );
};

const Line = ({ line }: { line: Log }) => {
  const { t } = useTranslation();
  const { requestId, type, modelName, keyId, tokenName, createdAt, quota, content, status, times } = line;
  const { user } = useSession();
  const isFailure = type === LOG_ERROR;
  const told = isFailure ? (
    <span className="text-red tabular-nums">
      {status > 0 ? status : t("home.own.failure")}
      {times > 1 && ` ×${times}`}
    </span>
  ) : (
    <span className="tabular-nums">{formatQuota(quota, 6)}</span>
  );
  return (
    <li className="flex min-h-9 flex-wrap items-center gap-x-4 px-4 py-1.5 text-sm">
      <span className="w-32 shrink-0 text-ink-2 tabular-nums max-wide:hidden">
        {formatTime(createdAt).slice(5, 16)}
      </span>
      <span className="min-w-0 flex-1 basis-40">
        <StateMark tone={isFailure ? "red" : "green"}>
          {requestId === "" ? (
            <span className="truncate">{modelName}</span>
          ) : (
            <Link
              to="/log/receipt/$requestId"
              params={{ requestId }}
              className="truncate underline-offset-2 hover:text-accent hover:underline"
            >
              {modelName === "" ? requestId : modelName}
            </Link>
          )}
        </StateMark>
        {isFailure && (
          <span className="block truncate ps-[13px] text-xs text-ink-2" title={content}>
            {content}
          </span>
        )}
      </span>
      <span className="max-w-40 shrink truncate text-ink-2">
        {/* The home page shows one's own requests, also to administrators. */}
        <KeyLink id={keyId} name={tokenName} userId={user?.id} />
      </span>
      {told}
    </li>
  );
};
