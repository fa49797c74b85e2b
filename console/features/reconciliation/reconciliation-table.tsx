import { exportReconciliation } from "@tollgate/contract/api/reconciliations";
import {
  isMarked,
  type ReconciledRow,
  type Reconciliation,
  sumReconciled,
} from "@tollgate/contract/management/reconciliation";
import { COST_UNITS } from "@tollgate/contract/values/quota";
import { clsx } from "clsx";
import { Scale } from "lucide-react";
import { useState } from "react";
import { useTranslation } from "react-i18next";
import { type Column, DataTable } from "../../components/data-table";
import { EmptyState } from "../../components/empty-state";
import { ExportButton } from "../../components/export-button";
import { formatShare } from "../../lib/format-measure";
import { sortRows } from "../../lib/sort-rows";
import { measureOf } from "../../lib/usage/usage-metric";

/** Thousandths of quota, in the site's quota format. */
export const formatAmount = (thousandths: number): string =>
  measureOf("quota").format(thousandths / COST_UNITS);

/** A difference with its sign, unless it rounds to zero. */
const signed = (difference: number, format: (size: number) => string): string => {
  const text = format(Math.abs(difference));
  if (!/[1-9]/.test(text)) return format(0);
  if (text.startsWith("<")) return text;
  return `${difference < 0 ? "−" : "+"}${text}`;
};

/** A difference in per cent of the expected amount; "–" if nothing was expected. */
export const formatDifference = ({
  expected,
  billed,
}: Pick<ReconciledRow, "expected" | "billed">): string => {
  if (expected === 0) return "–";
  return signed((billed - expected) / Math.abs(expected), formatShare);
};

interface TableRow extends ReconciledRow {
  id: string;
  isSum?: boolean;
}

const useColumns = (threshold: number): Column<TableRow>[] => {
  const { t } = useTranslation();
  const number = (
    id: "expected" | "billed" | "difference" | "percent",
    measure: (row: TableRow) => number,
    format: (row: TableRow) => string,
  ): Column<TableRow> => ({
    id,
    label: t(`reconciliation.column.${id}`),
    cell: (row) => (
      <span
        className={clsx(
          "tabular-nums",
          row.isSum && "font-semibold",
          (id === "difference" || id === "percent") && isMarked(row, threshold) && "text-red",
        )}
      >
        {format(row)}
      </span>
    ),
    sortBy: measure,
    isNumber: true,
  });
  const difference = ({ billed, expected }: TableRow): number => billed - expected;
  return [
    {
      id: "day",
      label: t("reconciliation.column.day"),
      cell: ({ day, isSum }) => (
        <span className={clsx("whitespace-nowrap", isSum && "font-semibold")}>
          {isSum ? t("reconciliation.total") : day || "–"}
        </span>
      ),
      sortBy: ({ day }) => day,
      card: "head",
    },
    {
      id: "model",
      label: t("reconciliation.column.model"),
      cell: ({ model }) => <span className="break-all">{model || "–"}</span>,
      sortBy: ({ model }) => model,
    },
    number(
      "expected",
      ({ expected }) => expected,
      ({ expected }) => formatAmount(expected),
    ),
    number(
      "billed",
      ({ billed }) => billed,
      ({ billed }) => formatAmount(billed),
    ),
    number("difference", difference, (row) => signed(difference(row), formatAmount)),
    number(
      "percent",
      (row) => (row.expected === 0 ? Number.POSITIVE_INFINITY : difference(row) / Math.abs(row.expected)),
      formatDifference,
    ),
    {
      id: "unknown",
      label: t("reconciliation.column.unknown"),
      cell: ({ unknown_requests }) =>
        unknown_requests === 0 ? <span className="text-ink-3">–</span> : String(unknown_requests),
      sortBy: ({ unknown_requests }) => unknown_requests,
      isNumber: true,
    },
  ];
};

/** A comparison row by row, with its total; differences above the threshold are marked. */
export const ReconciliationTable = ({ reconciliation }: { reconciliation: Reconciliation }) => {
  const { t } = useTranslation();
  const [sort, setSort] = useState<string>();
  const { id, rows, threshold_percent, unreadable } = reconciliation;
  const columns = useColumns(threshold_percent);
  const listed = rows.map((row): TableRow => ({ ...row, id: `${row.day} ${row.model}` }));
  const total: TableRow = {
    id: "total",
    day: "",
    model: "",
    ...sumReconciled(rows),
    unknown_requests: rows.reduce((sum, row) => sum + row.unknown_requests, 0),
    isSum: true,
  };
  const marked = rows.filter((row) => isMarked(row, threshold_percent)).length;
  return (
    <DataTable
      label={t("reconciliation.table")}
      columns={columns}
      rows={[...sortRows(listed, sort, columns), total]}
      rowKey={(row) => row.id}
      sort={sort}
      onSort={setSort}
      above={
        <p className="px-4 py-2.5 text-sm text-ink-2">
          {t("reconciliation.marked", { count: marked, percent: threshold_percent })}
          {unreadable > 0 && (
            <span className="ms-2 text-red">{t("reconciliation.unreadable", { count: unreadable })}</span>
          )}
        </p>
      }
      empty={
        <EmptyState icon={<Scale />} title={t("reconciliation.none")} text={t("reconciliation.noneText")} />
      }
      actions={<ExportButton file={exportReconciliation} query={() => ({ id })} />}
      pagination={null}
    />
  );
};
