import { useQuery } from "@tanstack/react-query";
import { useState } from "react";
import { useTranslation } from "react-i18next";
import { Badge } from "../../components/badge";
import { Button } from "../../components/button";
import { FailedState } from "../../components/failed-state";
import { LazyBoundary } from "../../components/lazy-boundary";
import { TextField } from "../../components/text-field";
import { formatCount, formatQuota } from "../../lib/format";
import { formatDuration } from "../../lib/format-measure";
import { formatIsoTime } from "./format-iso-time";
import { keyRequestsQuery, type Visit } from "./key-calls";

// Loaded with the first receipt.
const loadReceipt = () => import("./key-receipt");

/** The key's latest requests; each leads to its receipt, as does a typed id. */
export const KeyRequests = ({ visit }: { visit: Visit }) => {
  const { t } = useTranslation();
  const [shown, setShown] = useState<string>();
  const { data, error, refetch, isFetching } = useQuery(keyRequestsQuery(visit));
  const title = t("keyPage.latest");
  return (
    <section aria-label={title} aria-busy={!data} className="rounded-lg border border-line bg-surface">
      <div className="flex flex-wrap items-end justify-between gap-3 px-4 py-3">
        <h2 className="font-semibold text-base">{title}</h2>
        <form
          className="flex flex-wrap items-end gap-2"
          onSubmit={(event) => {
            event.preventDefault();
            const id = String(new FormData(event.currentTarget).get("id")).trim();
            if (id !== "") setShown(id);
          }}
        >
          <TextField label={t("keyPage.requestId")} layout="inline" name="id" autoComplete="off" />
          <Button type="submit">{t("keyPage.receipt")}</Button>
          <Button isBusy={isFetching} onClick={() => void refetch()}>
            {t("action.refresh")}
          </Button>
        </form>
      </div>
      {error && <FailedState error={error} onRetry={() => void refetch()} />}
      {!data && !error && <div className="skeleton h-40 w-full" />}
      {data?.length === 0 && <p className="px-4 pb-4 text-sm text-ink-2">{t("keyPage.noRequests")}</p>}
      {data && data.length > 0 && (
        <ul className="divide-y divide-line border-line border-t text-sm tabular-nums">
          {data.map((request) => (
            <li
              key={request.id}
              className="grid grid-cols-[1fr_auto] items-center gap-x-4 gap-y-0.5 px-4 py-1.5 wide:grid-cols-[10rem_minmax(0,1fr)_9rem_6rem_6rem_auto]"
            >
              <span className="text-ink-2">{formatIsoTime(request.created_at)}</span>
              <span className="break-all font-medium max-wide:order-first max-wide:col-span-2">
                {request.model || t("value.none")}{" "}
                {request.error && <Badge tone="red">{request.error.status}</Badge>}
              </span>
              <span className="text-ink-2 max-wide:hidden">
                {formatCount(request.tokens_prompt)} → {formatCount(request.tokens_completion)}
              </span>
              <span className="text-end text-ink-2 max-wide:hidden">{formatDuration(request.latency)}</span>
              <span className="text-end">{formatQuota(request.quota, 6)}</span>
              <Button
                size="small"
                variant="quiet"
                className="max-wide:col-start-2"
                aria-haspopup="dialog"
                aria-label={`${t("keyPage.receipt")} ${request.id}`}
                onClick={() => setShown(request.id)}
              >
                {t("keyPage.receipt")}
              </Button>
            </li>
          ))}
        </ul>
      )}
      {shown !== undefined && (
        <LazyBoundary
          load={loadReceipt}
          with={{ visit, id: shown, onClose: () => setShown(undefined) }}
          onMissing={() => setShown(undefined)}
        />
      )}
    </section>
  );
};
