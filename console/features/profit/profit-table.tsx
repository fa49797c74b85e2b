import { Link } from "@tanstack/react-router";
import {
  hasKnownCost,
  marginOf,
  type ProfitReport,
  type ProfitSum,
  profitOf,
  unknownShareOf,
} from "@tollgate/contract/api/profit";
import { missingRecord } from "@tollgate/contract/api/usage";
import { LOG_CONSUME } from "@tollgate/contract/values/statuses";
import { clsx } from "clsx";
import { ListTree, Sigma } from "lucide-react";
import type { ReactNode } from "react";
import { useTranslation } from "react-i18next";
import { Button } from "../../components/button";
import { type Column, DataTable } from "../../components/data-table";
import { EmptyState } from "../../components/empty-state";
import { FailedState } from "../../components/failed-state";
import { RecordLink } from "../../components/record-link";
import { formatCount } from "../../lib/format";
import { formatShare, formatSignedShare } from "../../lib/format-measure";
import { amountsOf, formatCost, formatProfit, formatRevenue } from "../../lib/profit-text";
import { type UsageRange, writeRange } from "../../lib/usage/usage-range";
import { useGroupName } from "../../lib/usage/use-group-name";
import type { ProfitFilter, ProfitSearch, TableGrouping } from "./profit-search";

/** A row of the table: a group of the report, the sum of the remaining ones, or the total. */
interface TableRow extends ProfitSum {
  id: string;
  name: ReactNode;
  isSum?: boolean;
  /** The log's search for its requests. */
  lines?: ReturnType<typeof linesOf>;
}

interface ProfitTableProps {
  report: ProfitReport | undefined;
  error: Error | null;
  by: TableGrouping;
  /** The range and the filters of the report. */
  range: UsageRange;
  filter: ProfitFilter;
  sort: string;
  onSort: (sort: string | undefined) => void;
  /** Filters the page by a row, and groups its content further. */
  onOpen: (change: ProfitSearch) => void;
  onRetry: () => void;
  actions: ReactNode;
}

const Unknown = () => {
  const { t } = useTranslation();
  return <span className="text-ink-3">{t("profit.unknown")}</span>;
};

/** @param beside all amounts of the table. */
const useColumns = (by: TableGrouping, beside: readonly number[]): Column<TableRow>[] => {
  const { t } = useTranslation();
  const strong = ({ isSum }: TableRow): string => clsx(isSum && "font-semibold");
  const number = (
    id: string,
    label: string,
    measure: (row: TableRow) => number | undefined,
    cell: (row: TableRow) => ReactNode,
  ): Column<TableRow> => ({
    id,
    label,
    cell: (row) => <span className={clsx("tabular-nums", strong(row))}>{cell(row)}</span>,
    sortBy: (row) => measure(row) ?? Number.NEGATIVE_INFINITY,
    isNumber: true,
  });
  return [
    {
      id: "name",
      label: t(`profit.by.${by}`),
      cell: (row) => <span className={clsx("break-all", strong(row))}>{row.name}</span>,
      sortBy: ({ id }) => id,
      card: "head",
      className: "wide:min-w-48",
    },
    number(
      "requests",
      t("profit.requests"),
      ({ requests }) => requests,
      ({ requests, lines }) =>
        lines && requests > 0 ? (
          <Link
            to="/log"
            search={lines}
            title={t("profit.toLines")}
            className="underline-offset-2 hover:text-accent hover:underline"
          >
            {formatCount(requests)}
          </Link>
        ) : (
          formatCount(requests)
        ),
    ),
    number(
      "revenue",
      t("profit.sum.revenue"),
      ({ revenue }) => revenue,
      ({ revenue }) => formatRevenue(revenue, beside),
    ),
    number(
      "cost",
      t("profit.sum.cost"),
      ({ cost }) => cost,
      (row) => (hasKnownCost(row) ? formatCost(row.cost, beside) : <Unknown />),
    ),
    number("profit", t("profit.sum.profit"), profitOf, (row) =>
      hasKnownCost(row) ? (
        <span className={clsx(profitOf(row) < 0 && "text-red")}>{formatProfit(row, beside)}</span>
      ) : (
        <Unknown />
      ),
    ),
    number("margin", t("profit.sum.margin"), marginOf, (row) => {
      const margin = marginOf(row);
      if (margin === undefined) return "–";
      return <span className={clsx(margin < 0 && "text-red")}>{formatSignedShare(margin)}</span>;
    }),
    number(
      "unknown",
      t("profit.sum.unknown"),
      ({ revenue, costedRevenue }) => revenue - costedRevenue,
      (row) => {
        const share = unknownShareOf(row) ?? (row.costedRequests < row.requests ? 1 : 0);
        return share === 0 ? <span className="text-ink-3">–</span> : formatShare(share);
      },
    ),
  ];
};

/** The state after a click on a row; undefined if it cannot be divided further. */
const insideOf = (
  by: TableGrouping,
  row: { key: string; name: string; model?: string | undefined },
): ProfitSearch | undefined => {
  if (missingRecord(by === "channel_model" ? "channel" : by, row.key) || row.model === "") return undefined;
  switch (by) {
    case "channel":
      return { channel: row.key, by: "model" };
    case "model":
      return { model: row.key, by: "channel" };
    case "user":
      return row.name === "" ? undefined : { username: row.name, by: "model" };
    case "channel_model":
      return { channel: row.key, model: row.model, by: "user" };
    case "day":
      return { range: "own", from: `${row.key} 00:00:00`, to: `${row.key} 23:59:59`, by: "channel" };
  }
};

type GroupRow = ProfitReport["rows"][number];

/** The records of a row as links; undefined if it is no record, or a deleted user. */
const linkOf = (by: TableGrouping, { key, model }: GroupRow, name: string): ReactNode => {
  switch (by) {
    case "channel":
    case "model":
    case "user":
      return (
        <RecordLink kind={by} id={key}>
          {name}
        </RecordLink>
      );
    case "channel_model":
      return (
        <>
          <RecordLink kind="channel" id={key}>
            {name}
          </RecordLink>
          {" · "}
          <RecordLink kind="model" id={model}>
            {model}
          </RecordLink>
        </>
      );
    case "day":
      return undefined;
  }
};

/** The log page's search for the requests of a row, within the page's range and filters. */
const linesOf = (by: TableGrouping, row: GroupRow, range: UsageRange, filter: ProfitFilter) => {
  const { by: _by, range: _range, ...inside } = insideOf(by, row) ?? {};
  return {
    type: LOG_CONSUME,
    ...writeRange(range),
    ...filter,
    ...inside,
  };
};

/** The name of a row's first record, and the names of all its records. */
const useRowText = (by: TableGrouping) => {
  const groupName = useGroupName();
  return (row: GroupRow): { name: string; text: string } => {
    if (by === "day") return { name: row.key, text: row.key };
    const name = groupName(by === "channel_model" ? "channel" : by, row);
    const model = row.model === undefined ? [] : [groupName("model", { key: row.model, name: row.model })];
    return { name, text: [name, ...model].join(" · ") };
  };
};

/** The report as a table, with the remaining groups and the total below it. */
export const ProfitTable = ({
  report,
  error,
  by,
  range,
  filter,
  sort,
  onSort,
  onOpen,
  onRetry,
  actions,
}: ProfitTableProps) => {
  const { t } = useTranslation();
  const textOf = useRowText(by);
  const nameOf = (row: GroupRow): ReactNode => {
    const inside = insideOf(by, row);
    const { name, text } = textOf(row);
    if (!inside) return text;
    return (
      <span className="flex items-center gap-2">
        <span className="min-w-0">{linkOf(by, row, name) ?? text}</span>
        <Button
          variant="quiet"
          size="smallIcon"
          aria-label={t("profit.open", { name: text })}
          title={t("profit.open", { name: text })}
          onClick={() => onOpen(inside)}
        >
          <ListTree aria-hidden className="size-3.5" />
        </Button>
      </span>
    );
  };
  const rows = report && [
    ...report.rows.map(
      (row): TableRow => ({
        ...row,
        id: `${row.key} ${row.model ?? ""}`,
        name: nameOf(row),
        lines: insideOf(by, row) && linesOf(by, row, range, filter),
      }),
    ),
    ...(report.others
      ? [{ ...report.others, id: "others", name: t("profit.others", { count: report.others.count }) }]
      : []),
    ...(report.rows.length > 0
      ? [{ ...report.total, id: "total", name: t("profit.total"), isSum: true }]
      : []),
  ];
  const columns = useColumns(by, amountsOf(rows ?? []));
  return (
    <DataTable
      label={t(`profit.byTitle.${by}`)}
      columns={columns}
      rows={error ? [] : rows}
      rowKey={({ id }) => id}
      sort={sort}
      onSort={onSort}
      empty={
        error ? (
          <FailedState error={error} onRetry={onRetry} />
        ) : (
          <EmptyState icon={<Sigma />} title={t("profit.empty.title")} text={t("profit.empty.text")} />
        )
      }
      actions={actions}
      pagination={null}
    />
  );
};
