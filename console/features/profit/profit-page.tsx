import { useQuery } from "@tanstack/react-query";
import { MOST_PROFIT_ROWS } from "@tollgate/contract/management/profit";
import { Lock, RotateCw, X } from "lucide-react";
import { useMemo, useState } from "react";
import { useTranslation } from "react-i18next";
import { Button } from "../../components/button";
import { DateTimeField } from "../../components/date-time-field";
import { EmptyState } from "../../components/empty-state";
import { ExportButton } from "../../components/export-button";
import { LossesNotice } from "../../components/losses-notice";
import { PageFrame, Panel } from "../../components/page-frame";
import { PanelLoading } from "../../components/panel-loading";
import { Segmented } from "../../components/segmented";
import { isUnknownCall } from "../../lib/api-client";
import { formatTime, parseDate } from "../../lib/format";
import { useSession } from "../../lib/session";
import { useAddress } from "../../lib/use-address";
import { profitParameters, profitQuery } from "./api/get-profit";
import { ProfitChart } from "./profit-chart";
import {
  PROFIT_RANGES,
  type ProfitFilter,
  type ProfitSearch,
  profitRange,
  readProfitSearch,
  TABLE_GROUPINGS,
  USUAL_GROUPING,
  USUAL_RANGE,
  USUAL_SORT,
} from "./profit-search";
import { ProfitTable } from "./profit-table";
import { ProfitTiles } from "./profit-tiles";

/** /profit: what was charged and what upstreams ask for it; for administrators. */
export const ProfitPage = () => {
  const { t } = useTranslation();
  const { isAdmin } = useSession();
  return isAdmin ? (
    <Report />
  ) : (
    <PageFrame title={t("profit.title")}>
      <Panel>
        <EmptyState icon={<Lock />} title={t("profit.forAdmins")} />
      </Panel>
    </PageFrame>
  );
};

const FILTERS = ["channel", "model", "username"] as const;
const FILTER_LABELS = { channel: "field.channel", model: "field.model", username: "field.user" } as const;

const Report = () => {
  const { t } = useTranslation();
  const [search, change] = useAddress(readProfitSearch);
  const [nowMs, setNowMs] = useState(Date.now);
  const { by = USUAL_GROUPING, sort = USUAL_SORT, channel, model, username } = search;
  const key = JSON.stringify([search.range, search.from, search.to, nowMs]);
  // The same range for the same address, so that nothing is drawn twice.
  // biome-ignore lint/correctness/useExhaustiveDependencies: the key says all of it.
  const range = useMemo(() => profitRange(search, nowMs), [key]);
  const filter: ProfitFilter = { channel, model, username };
  const table = useQuery(profitQuery({ range, by, filter, sort, limit: MOST_PROFIT_ROWS }));
  const days = useQuery(profitQuery({ range, by: "day", filter, sort: "name", limit: MOST_PROFIT_ROWS }));
  const active = FILTERS.filter((name) => search[name] !== undefined);
  if (isUnknownCall(table.error))
    return (
      <PageFrame title={t("profit.title")}>
        <PanelLoading error={table.error} onRetry={() => void table.refetch()} />
      </PageFrame>
    );
  return (
    <PageFrame
      title={t("profit.title")}
      description={t("profit.description")}
      aside={
        <div className="flex min-w-0 max-w-full flex-wrap items-center gap-2">
          <Segmented
            label={t("profit.range")}
            value={search.range ?? USUAL_RANGE}
            segments={PROFIT_RANGES.map((value) => ({ value, label: t(`profit.ranges.${value}`) }))}
            onChange={(next) =>
              change(
                next === "own"
                  ? { range: next, from: formatTime(range.from), to: formatTime(range.to) }
                  : { range: next === USUAL_RANGE ? undefined : next, from: undefined, to: undefined },
              )
            }
          />
          <Button
            size="icon"
            aria-label={t("action.refresh")}
            title={t("action.refresh")}
            isBusy={table.isFetching && !table.isPending}
            onClick={() => setNowMs(Date.now())}
          >
            <RotateCw aria-hidden className="size-3.5" />
          </Button>
        </div>
      }
    >
      {search.range === "own" && (
        <OwnRange
          key={`${search.from} ${search.to}`}
          from={search.from ?? ""}
          to={search.to ?? ""}
          onApply={change}
        />
      )}
      {active.length > 0 && (
        <ul aria-label={t("profit.filters")} className="flex flex-wrap gap-2">
          {active.map((name) => (
            <li key={name}>
              <button
                type="button"
                className="flex h-8 max-w-full items-center gap-1.5 rounded-full border border-line bg-accent-soft px-3 text-[13px] text-accent"
                aria-label={t("profit.removeFilter", { name: t(FILTER_LABELS[name]) })}
                onClick={() => change({ [name]: undefined })}
              >
                <span className="truncate">{`${t(FILTER_LABELS[name])}: ${search[name]}`}</span>
                <X aria-hidden className="size-3.5 shrink-0" />
              </button>
            </li>
          ))}
        </ul>
      )}
      <LossesNotice />
      {(table.data || !table.error) && <ProfitTiles total={table.data?.total} />}
      {!days.error && <ProfitChart days={days.data?.rows} range={range} />}
      <Segmented
        label={t("profit.grouping")}
        value={by}
        segments={TABLE_GROUPINGS.map((value) => ({ value, label: t(`profit.by.${value}`) }))}
        onChange={(next) => change({ by: next === USUAL_GROUPING ? undefined : next })}
        className="w-fit max-w-full"
      />
      <ProfitTable
        report={table.data}
        error={table.error}
        by={by}
        sort={sort}
        onSort={(next) => change({ sort: next })}
        onOpen={change}
        onRetry={() => void table.refetch()}
        actions={
          <ExportButton
            path="/api/profit/export"
            query={() => profitParameters({ range, by, filter, sort })}
          />
        }
      />
    </PageFrame>
  );
};

interface OwnRangeProps {
  from: string;
  to: string;
  onApply: (range: ProfitSearch) => void;
}

/** The two ends of an own range. Nothing happens until it is submitted. */
const OwnRange = ({ from, to, onApply }: OwnRangeProps) => {
  const { t } = useTranslation();
  const [draft, setDraft] = useState({ from, to });
  const [isChecked, setChecked] = useState(false);
  const begin = parseDate(draft.from);
  const end = parseDate(draft.to);
  const beginMistake = begin ? undefined : t("profit.timeInvalid");
  const endMistake = !end || (begin && begin > end) ? t("profit.endsBefore") : undefined;
  return (
    <form
      className="grid items-start gap-3 rounded-lg border border-line bg-surface p-4 wide:grid-cols-2"
      onSubmit={(event) => {
        event.preventDefault();
        setChecked(true);
        if (!beginMistake && !endMistake) onApply(draft);
      }}
    >
      <DateTimeField
        label={t("profit.from")}
        value={draft.from}
        error={isChecked ? beginMistake : undefined}
        onChange={(text) => setDraft({ ...draft, from: text })}
      />
      <DateTimeField
        label={t("profit.to")}
        value={draft.to}
        error={isChecked ? endMistake : undefined}
        onChange={(text) => setDraft({ ...draft, to: text })}
      />
      <Button type="submit" variant="primary" className="w-fit">
        {t("profit.apply")}
      </Button>
    </form>
  );
};
