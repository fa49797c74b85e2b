import { exportRehearsal } from "@tollgate/contract/api/price-drafts";
import {
  KEPT_REASONS,
  type PriceDraft,
  type RehearsalResult,
  type RehearsalSum,
} from "@tollgate/contract/management/price-draft";
import { COST_UNITS } from "@tollgate/contract/values/quota";
import { clsx } from "clsx";
import { SearchX } from "lucide-react";
import { type ReactNode, useState } from "react";
import { useTranslation } from "react-i18next";
import { type Column, DataTable } from "../../components/data-table";
import { EmptyState } from "../../components/empty-state";
import { ExportButton } from "../../components/export-button";
import { Segmented } from "../../components/segmented";
import { formatCount, formatTime } from "../../lib/format";
import { formatShareChange } from "../../lib/format-measure";
import { sortRows } from "../../lib/sort-rows";
import { measureOf } from "../../lib/usage/usage-metric";

const GROUPINGS = ["models", "groups", "users"] as const;
type Grouping = (typeof GROUPINGS)[number];

interface Row extends RehearsalSum {
  key: string;
  name: string;
}

const quota = (value: number): string => measureOf("quota").format(value);

const differenceOf = ({ charged, rehearsed }: RehearsalSum): number => rehearsed - charged;

/** With a sign: the customers' additional cost, or saving. */
const signed = (value: number): string =>
  value === 0 ? quota(0) : value > 0 ? `+${quota(value)}` : `−${quota(-value)}`;

const percentOf = (sum: RehearsalSum): string => {
  const difference = differenceOf(sum);
  if (sum.charged <= 0 || difference === 0) return "–";
  return formatShareChange(difference / sum.charged);
};

/** Of the lines with a known cost; undefined without any. */
const profitsOf = (sum: RehearsalSum): { before: number; after: number } | undefined =>
  sum.costed_lines === 0
    ? undefined
    : {
        before: sum.costed_charged - sum.cost_thousandths / COST_UNITS,
        after: sum.costed_rehearsed - sum.cost_thousandths / COST_UNITS,
      };

const toneOf = (difference: number): string =>
  difference > 0 ? "text-red" : difference < 0 ? "text-green" : "text-ink-2";

const rowsOf = (result: RehearsalResult, by: Grouping): Row[] =>
  by === "users"
    ? result.users.map((user) => ({
        ...user,
        key: String(user.id),
        name: user.name === "" ? `#${user.id}` : user.name,
      }))
    : result[by].map((sum) => ({ ...sum, key: sum.name }));

/** The result of a rehearsal: in total, as a chart, and as a table. */
export const RehearsalResultView = ({ draft, result }: { draft: PriceDraft; result: RehearsalResult }) => {
  const { t } = useTranslation();
  const [by, setBy] = useState<Grouping>("models");
  const [keyword, setKeyword] = useState("");
  const [sort, setSort] = useState<string>();
  const columns = useColumns(by);
  const word = keyword.trim().toLowerCase();
  const rows = rowsOf(result, by);
  const found = word === "" ? rows : rows.filter(({ name }) => name.toLowerCase().includes(word));
  return (
    <>
      <Tiles result={result} />
      <Notes draft={draft} result={result} />
      <div className="flex flex-wrap items-center justify-between gap-2">
        <Segmented
          label={t("rehearsal.grouping")}
          value={by}
          segments={GROUPINGS.map((value) => ({ value, label: t(`rehearsal.by.${value}`) }))}
          onChange={setBy}
          className="w-fit"
        />
        <input
          type="search"
          aria-label={t("rehearsal.search")}
          placeholder={t("rehearsal.search")}
          value={keyword}
          className="control w-full wide:w-64"
          onChange={({ target }) => setKeyword(target.value)}
        />
      </div>
      <Differences rows={found} label={t(`rehearsal.by.${by}`)} />
      <DataTable
        label={t("rehearsal.result")}
        columns={columns}
        rows={sortRows(found, sort, columns)}
        rowKey={({ key }) => key}
        sort={sort}
        onSort={setSort}
        empty={
          <EmptyState icon={<SearchX />} title={t("rehearsal.nothing")} text={t("rehearsal.nothingText")} />
        }
        actions={<ExportButton file={exportRehearsal} params={{ id: draft.id }} query={() => ({ by })} />}
        pagination={
          by === "users" && result.other_users.count > 0 ? (
            <span className="text-sm text-ink-3">
              {t("rehearsal.others", {
                count: result.other_users.count,
                difference: signed(differenceOf(result.other_users)),
              })}
            </span>
          ) : null
        }
      />
    </>
  );
};

const Tiles = ({ result: { total } }: { result: RehearsalResult }) => {
  const { t } = useTranslation();
  const difference = differenceOf(total);
  const profits = profitsOf(total);
  return (
    <section aria-label={t("rehearsal.numbers")} className="grid grid-cols-2 gap-3 wide:grid-cols-4">
      <Tile
        name={t("rehearsal.charged")}
        value={quota(total.charged)}
        note={t("rehearsal.calls", { lines: formatCount(total.lines) })}
      />
      <Tile
        name={t("rehearsal.rehearsed")}
        value={quota(total.rehearsed)}
        note={t("rehearsal.rehearsedNote")}
      />
      <Tile
        name={t("rehearsal.difference")}
        value={signed(difference)}
        note={difference === 0 ? t("rehearsal.unchanged") : percentOf(total)}
        tone={toneOf(difference)}
      />
      <Tile
        name={t("rehearsal.profit")}
        value={profits ? signed(profits.after) : t("rehearsal.unknown")}
        note={
          profits
            ? t("rehearsal.profitNote", {
                before: signed(profits.before),
                lines: formatCount(total.costed_lines),
              })
            : t("rehearsal.profitUnknown")
        }
        tone={profits && profits.after < 0 ? "text-red" : undefined}
      />
    </section>
  );
};

const Tile = ({
  name,
  value,
  note,
  tone,
}: {
  name: string;
  value: string;
  note: string;
  tone?: string | undefined;
}) => (
  <div className="flex min-w-0 flex-col rounded-lg border border-line bg-surface px-4 py-3.5">
    <span className="text-sm text-ink-2">{name}</span>
    <span className={clsx("mt-0.5 break-all font-semibold text-xl leading-8 tabular-nums", tone)}>
      {value}
    </span>
    <span className="text-xs text-ink-3 tabular-nums">{note}</span>
  </div>
);

/** The range, the duration, and the parts left unchanged. */
const Notes = ({ draft, result }: { draft: PriceDraft; result: RehearsalResult }) => {
  const { t } = useTranslation();
  const kept = KEPT_REASONS.filter((reason) => result.kept[reason].lines !== 0);
  return (
    <div className="flex flex-col gap-1 text-sm text-ink-2">
      <p>
        {t("rehearsal.about", {
          from: formatTime(result.from),
          to: formatTime(result.to),
          seconds: (result.ms / 1000).toFixed(1),
        })}
        {result.as_of !== undefined && ` ${t("rehearsal.aboutMoment", { time: formatTime(result.as_of) })}`}
      </p>
      {result.revision !== draft.revision && draft.state === "draft" && (
        <p className="text-yellow">{t("rehearsal.older")}</p>
      )}
      {result.is_overflowing && <p className="text-red">{t("rehearsal.overflowing")}</p>}
      {kept.map((reason) => (
        <p key={reason}>
          {t(`rehearsal.kept.${reason}`, {
            lines: formatCount(result.kept[reason].lines),
            quota: quota(result.kept[reason].quota),
          })}
        </p>
      ))}
    </div>
  );
};

const MAX_BARS = 10;

/** The largest differences as bars: increases to the right, decreases to the left. */
const Differences = ({ rows, label }: { rows: readonly Row[]; label: string }) => {
  const { t } = useTranslation();
  const shown = rows.filter((row) => differenceOf(row) !== 0).slice(0, MAX_BARS);
  const most = Math.max(1, ...shown.map((row) => Math.abs(differenceOf(row))));
  if (shown.length === 0) return null;
  return (
    <section
      aria-label={t("rehearsal.picture", { by: label })}
      className="rounded-lg border border-line bg-surface p-4"
    >
      <h3 className="mb-3 flex flex-wrap justify-between gap-2 font-medium text-sm text-ink-2">
        <span>{t("rehearsal.largest")}</span>
        <span className="flex gap-4 font-normal text-xs text-ink-3">
          <span>← {t("rehearsal.cheaper")}</span>
          <span>{t("rehearsal.dearer")} →</span>
        </span>
      </h3>
      <ul className="flex flex-col gap-1.5">
        {shown.map((row) => {
          const difference = differenceOf(row);
          const width = `${Math.max(0.5, (Math.abs(difference) / most) * 50)}%`;
          return (
            <li
              key={row.key}
              className="grid grid-cols-[minmax(0,1fr)_auto] items-center gap-x-3 text-sm wide:grid-cols-[minmax(0,14rem)_minmax(0,1fr)_9rem]"
            >
              <span className="truncate" title={row.name}>
                {row.name}
              </span>
              <span
                aria-hidden
                className="relative order-last col-span-2 h-3 rounded-sm bg-sunken wide:order-none wide:col-span-1"
              >
                <span
                  className={clsx("absolute inset-y-0 rounded-sm", difference > 0 ? "bg-red" : "bg-green")}
                  style={difference > 0 ? { left: "50%", width } : { right: "50%", width }}
                />
              </span>
              <span className={clsx("text-end tabular-nums", toneOf(difference))}>{signed(difference)}</span>
            </li>
          );
        })}
      </ul>
    </section>
  );
};

const useColumns = (by: Grouping): Column<Row>[] => {
  const { t } = useTranslation();
  const number = (
    id: string,
    label: string,
    measure: (row: Row) => number,
    cell: (row: Row) => ReactNode,
  ): Column<Row> => ({
    id,
    label,
    cell: (row) => <span className="tabular-nums">{cell(row)}</span>,
    sortBy: measure,
    isNumber: true,
  });
  return [
    {
      id: "name",
      label: t(`rehearsal.by.${by}`),
      cell: ({ name }) => <span className="break-all">{name}</span>,
      sortBy: ({ name }) => name,
      card: "head",
      className: "wide:min-w-48",
    },
    number(
      "lines",
      t("rehearsal.lines"),
      ({ lines }) => lines,
      ({ lines }) => formatCount(lines),
    ),
    number(
      "charged",
      t("rehearsal.charged"),
      ({ charged }) => charged,
      ({ charged }) => quota(charged),
    ),
    number(
      "rehearsed",
      t("rehearsal.rehearsed"),
      ({ rehearsed }) => rehearsed,
      ({ rehearsed }) => quota(rehearsed),
    ),
    number("difference", t("rehearsal.difference"), differenceOf, (row) => (
      <span className={toneOf(differenceOf(row))}>{signed(differenceOf(row))}</span>
    )),
    number(
      "percent",
      t("rehearsal.percent"),
      (row) => (row.charged <= 0 ? 0 : differenceOf(row) / row.charged),
      percentOf,
    ),
    number(
      "profit",
      t("rehearsal.profit"),
      (row) => profitsOf(row)?.after ?? Number.NEGATIVE_INFINITY,
      (row) => {
        const profits = profitsOf(row);
        if (!profits) return <span className="text-ink-3">{t("rehearsal.unknown")}</span>;
        return (
          <span className={clsx(profits.after < 0 && "text-red")}>
            {signed(profits.before)} → {signed(profits.after)}
          </span>
        );
      },
    ),
  ];
};
