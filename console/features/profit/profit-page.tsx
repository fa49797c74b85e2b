import { useQuery } from "@tanstack/react-query";
import { exportProfit, MAX_PROFIT_ROWS } from "@tollgate/contract/api/profit";
import { X } from "lucide-react";
import { useMemo, useState } from "react";
import { useTranslation } from "react-i18next";
import { AdminsOnly } from "../../components/admins-only";
import { ExportButton } from "../../components/export-button";
import { LossesNotice } from "../../components/losses-notice";
import { OwnRange } from "../../components/own-range-form";
import { PageFrame, Panel } from "../../components/page-frame";
import { PanelLoading } from "../../components/panel-loading";
import { RefreshButton } from "../../components/refresh-button";
import { Segmented } from "../../components/segmented";
import { isUnknownCall } from "../../lib/api-client";
import { useFixedAddress } from "../../lib/fixed-address";
import { useSession } from "../../lib/session";
import { chooseRange, rangeBefore } from "../../lib/usage/usage-presets";
import type { UsageRange } from "../../lib/usage/usage-range";
import { useAddress } from "../../lib/use-address";
import { ProfitChart } from "./profit-chart";
import { profitParameters, profitQuery } from "./profit-query";
import {
  PROFIT_RANGES,
  type ProfitFilter,
  type ProfitSearch,
  profitRange,
  readProfitSearch,
  TABLE_GROUPINGS,
  type TableGrouping,
  USUAL_GROUPING,
  USUAL_RANGE,
  USUAL_SORT,
} from "./profit-search";
import { ProfitTable } from "./profit-table";
import { ProfitTiles } from "./profit-tiles";

/** /profit: revenue and upstream costs; for administrators. */
export const ProfitPage = () => {
  const { t } = useTranslation();
  const { isAdmin } = useSession("profit");
  return isAdmin ? (
    <Report />
  ) : (
    <PageFrame title={t("profit.title")}>
      <Panel>
        <AdminsOnly title={t("profit.forAdmins")} />
      </Panel>
    </PageFrame>
  );
};

const FILTERS = ["channel", "model", "username"] as const;
const FILTER_LABELS = { channel: "field.channel", model: "field.model", username: "field.user" } as const;

/** Whether a grouping would have a single group on a record's page. */
const isWithin = (grouping: TableGrouping, fixed: Readonly<Record<string, unknown>>): boolean => {
  if (grouping === "user") return "username" in fixed;
  return grouping === "channel_model" ? "channel" in fixed || "model" in fixed : grouping in fixed;
};

interface ActiveFiltersProps {
  active: readonly (typeof FILTERS)[number][];
  search: ProfitFilter;
  onRemove: (change: ProfitFilter) => void;
}

const ActiveFilters = ({ active, search, onRemove }: ActiveFiltersProps) => {
  const { t } = useTranslation();
  return (
    <ul aria-label={t("profit.filters")} className="flex flex-wrap gap-2">
      {active.map((name) => (
        <li key={name}>
          <button
            type="button"
            className="flex h-8 max-w-full items-center gap-1.5 rounded-full border border-line bg-accent-soft px-3 text-sm text-accent"
            aria-label={t("profit.removeFilter", { name: t(FILTER_LABELS[name]) })}
            onClick={() => onRemove({ [name]: undefined })}
          >
            <span className="truncate">{`${t(FILTER_LABELS[name])}: ${search[name]}`}</span>
            <X aria-hidden className="size-3.5 shrink-0" />
          </button>
        </li>
      ))}
    </ul>
  );
};

interface RangeControlsProps {
  search: ProfitSearch;
  range: UsageRange;
  isBusy: boolean;
  onChange: (change: ProfitSearch) => void;
  onRefresh: () => void;
}

/** The range, and the button that reads its numbers again. */
const RangeControls = ({ search, range, isBusy, onChange, onRefresh }: RangeControlsProps) => {
  const { t } = useTranslation();
  return (
    <div className="flex min-w-0 max-w-full flex-wrap items-center gap-2">
      <Segmented
        label={t("profit.range")}
        value={search.range ?? USUAL_RANGE}
        segments={PROFIT_RANGES.map((value) => ({ value, label: t(`profit.ranges.${value}`) }))}
        onChange={(next) => onChange(chooseRange(next, USUAL_RANGE, range))}
      />
      <RefreshButton isBusy={isBusy} onClick={onRefresh} />
    </div>
  );
};

const Report = () => {
  const { t } = useTranslation();
  const [search, change] = useAddress(readProfitSearch);
  const [nowMs, setNowMs] = useState(Date.now);
  const fixed = useFixedAddress() ?? {};
  const groupings = TABLE_GROUPINGS.filter((each) => !isWithin(each, fixed));
  const usualGrouping = groupings[0] ?? USUAL_GROUPING;
  const { by = usualGrouping, sort = USUAL_SORT, channel, model, username } = search;
  const { range: preset, from, to } = search;
  // The same object for the same address, so that nothing is drawn twice.
  const range = useMemo(() => profitRange({ range: preset, from, to }, nowMs), [preset, from, to, nowMs]);
  const filter: ProfitFilter = { channel, model, username };
  const table = useQuery(profitQuery({ range, by, filter, sort, limit: MAX_PROFIT_ROWS }));
  const before = useQuery(
    profitQuery({ range: rangeBefore(range), by: "none", filter, sort: USUAL_SORT, limit: 1 }),
  );
  const days = useQuery(profitQuery({ range, by: "day", filter, sort: "name", limit: MAX_PROFIT_ROWS }));
  const active = FILTERS.filter((name) => search[name] !== undefined && !(name in fixed));
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
        <RangeControls
          search={search}
          range={range}
          isBusy={table.isFetching && !table.isPending}
          onChange={change}
          onRefresh={() => setNowMs(Date.now())}
        />
      }
    >
      <OwnRange search={search} translate={(text) => t(`profit.${text}`)} onApply={change} />
      {active.length > 0 && <ActiveFilters active={active} search={search} onRemove={change} />}
      <LossesNotice>
        {(table.data || !table.error) && (
          <ProfitTiles total={table.data?.total} before={before.data?.total} />
        )}
        {!days.error && (
          <ProfitChart
            days={days.data?.rows}
            range={range}
            hasEarlier={before.data === undefined || before.data.total.requests > 0}
            filter={filter}
          />
        )}
        <Segmented
          label={t("profit.grouping")}
          value={by}
          segments={groupings.map((value) => ({ value, label: t(`profit.by.${value}`) }))}
          onChange={(next) => change({ by: next === usualGrouping ? undefined : next })}
          className="w-fit max-w-full"
        />
        <ProfitTable
          report={table.data}
          error={table.error}
          by={by}
          range={range}
          filter={filter}
          sort={sort}
          onSort={(next) => change({ sort: next })}
          onOpen={change}
          onRetry={() => void table.refetch()}
          actions={
            <ExportButton file={exportProfit} query={() => profitParameters({ range, by, filter, sort })} />
          }
        />
      </LossesNotice>
    </PageFrame>
  );
};
