import { useQuery } from "@tanstack/react-query";
import type { OptionColumn, OptionTablePart as Part } from "@tollgate/contract/options/option-tables";
import { clsx } from "clsx";
import { Search } from "lucide-react";
import { type CSSProperties, useId, useState } from "react";
import { useTranslation } from "react-i18next";
import { groupsQuery } from "../lib/groups";
import { blankRow, isNumberColumn, type RowMistakes, type TableRow } from "../lib/json-table";
import { modelsQuery } from "../lib/known-models";
import { pricedModelsQuery } from "../lib/priced-models";
import { useSession } from "../lib/session";
import { EditableRows } from "./editable-rows";
import { JsonTableCell } from "./json-table-cell";
import { Pagination } from "./pagination";

/** More rows than this are searchable and paged, with so many per page. */
const PAGE_ROWS = 15;

/** Up to this many columns share a line below their names; more are on separate lines with labels. */
const LINE_COLUMNS = 4;

const isInLine = ({ columns }: Part): boolean =>
  columns.length <= LINE_COLUMNS && columns.every(({ kind }) => kind !== "models" && kind !== "choices");

const widthOf = (column: OptionColumn): string => {
  if (isNumberColumn(column)) return "8rem";
  return column.kind === "choice" ? "9rem" : column.kind === "day" ? "10rem" : "minmax(0, 1fr)";
};

const nameOf = ({ columns }: Part, row: TableRow): string =>
  columns
    .filter(({ isName, isUnique }) => isName || isUnique)
    .map(({ id }) => row.cells[id] ?? "")
    .filter((each) => each !== "")
    .join(" · ");

interface JsonTablePartProps {
  part: Part;
  /** Of the setting. */
  label: string;
  rows: readonly TableRow[];
  mistakes: readonly RowMistakes[];
  isLocked: boolean;
  onChange: (rows: TableRow[]) => void;
}

/** The shown rows: the search result, paged. */
const useShownRows = ({ part, rows, mistakes }: Pick<JsonTablePartProps, "part" | "rows" | "mistakes">) => {
  const [text, setText] = useState("");
  const [page, setPage] = useState(1);
  const wanted = text.trim().toLowerCase();
  // A found row stays while its name is edited.
  const isFound = (row: TableRow): boolean =>
    `${row.names?.join(" ") ?? ""} ${nameOf(part, row)}`.toLowerCase().includes(wanted);
  const found = [...rows.entries()]
    .filter(([, row]) => wanted === "" || isFound(row))
    .map(([index]) => index);
  const pageCount = Math.max(1, Math.ceil(found.length / PAGE_ROWS));
  const shownPage = Math.min(page, pageCount);
  const shown = found.slice((shownPage - 1) * PAGE_ROWS, shownPage * PAGE_ROWS);
  const faulty = mistakes.findIndex((each) => Object.keys(each).length > 0);
  return {
    text,
    /** Number of found rows; undefined without a search. */
    found: wanted === "" ? undefined : found.length,
    shown,
    page: shownPage,
    pageCount,
    setPage,
    /** The first row with a mistake, if hidden. */
    hiddenFault: faulty === -1 || shown.includes(faulty) ? undefined : faulty,
    look: (next: string) => {
      setText(next);
      setPage(1);
    },
    lead: (index: number) => {
      setText("");
      setPage(Math.floor(index / PAGE_ROWS) + 1);
    },
  };
};

/** Suggested names. They are loaded when a field is used; groups earlier, because unknown ones are a mistake. */
const useNames = ({ columns }: Part) => {
  const [isUsed, setUsed] = useState(false);
  const has = (kind: OptionColumn["kind"]) => columns.some((column) => column.kind === kind);
  const silent = { meta: { silent: true } };
  const { data: groups } = useQuery({ ...groupsQuery, ...silent, enabled: has("group") });
  const { isAdmin } = useSession("channels");
  const asksModels = isUsed && has("model");
  const { data: known } = useQuery({ ...modelsQuery, ...silent, enabled: asksModels && isAdmin });
  const { data: priced } = useQuery({ ...pricedModelsQuery, ...silent, enabled: asksModels && !isAdmin });
  const offered = has("model") ? (known ?? priced) : groups;
  return { groups, offered: isUsed ? offered : undefined, onUse: () => setUsed(true) };
};

/** The rows of one table of a setting: many rows are searchable and paged. */
export const JsonTablePart = ({ part, label, rows, mistakes, isLocked, onChange }: JsonTablePartProps) => {
  const { t } = useTranslation();
  const listId = useId();
  const view = useShownRows({ part, rows, mistakes });
  const { groups, offered, onUse } = useNames(part);
  const isLine = isInLine(part);
  const columns: CSSProperties & Record<"--columns", string> = {
    "--columns": part.columns.map(widthOf).join(" "),
  };
  return (
    <div className="flex min-w-0 flex-col gap-2">
      {part.id && <div className="font-medium text-sm text-ink-2">{t(`jsonTable.part.${part.id}`)}</div>}
      {rows.length === 0 && <p className="text-sm text-ink-3">{t("jsonTable.empty")}</p>}
      {rows.length > PAGE_ROWS && <RowSearch label={label} count={rows.length} view={view} />}
      {view.hiddenFault !== undefined && (
        <button
          type="button"
          data-invalid
          className="self-start text-sm text-red underline"
          onClick={() => view.lead(view.hiddenFault ?? 0)}
        >
          {t("jsonTable.faultyRow", { row: view.hiddenFault + 1 })}
        </button>
      )}
      {isLine && view.shown.length > 0 && (
        <div
          aria-hidden
          style={columns}
          className="hidden grid-cols-(--columns) gap-x-2 ps-3 pe-12 text-xs text-ink-3 wide:grid"
        >
          {part.columns.map(({ id }) => (
            <span key={id}>{t(`jsonTable.column.${id}`)}</span>
          ))}
        </div>
      )}
      <EditableRows
        rows={rows}
        shown={view.shown}
        onChange={(changed) => {
          if (changed.length > rows.length) view.lead(rows.length);
          onChange(changed);
        }}
        add={t("jsonTable.add")}
        blank={() => blankRow(part)}
        remove={(row, index) => t("action.removeItem", { item: nameOf(part, row) || String(index + 1) })}
        isLocked={isLocked}
        className="divide-y divide-line rounded-md border border-line"
        rowClassName={clsx("flex items-start gap-1.5 ps-3 pe-1.5", isLine ? "py-1" : "py-2.5")}
      >
        {(row, put, index) => (
          <div
            style={columns}
            className={clsx(
              "grid min-w-0 flex-1 items-start gap-x-2 gap-y-2",
              isLine
                ? "max-wide:py-1.5 wide:grid-cols-(--columns)"
                : "grid-cols-2 wide:grid-cols-4 lg:grid-cols-5",
            )}
          >
            {part.columns.map((column) => (
              <JsonTableCell
                key={column.id}
                column={column}
                place={index + 1}
                value={row.cells[column.id] ?? ""}
                mistake={mistakes[index]?.[column.id]}
                known={column.kind === "group" ? groups : undefined}
                listId={listId}
                isInLine={isLine}
                onUse={onUse}
                onChange={(value) => put({ ...row, cells: { ...row.cells, [column.id]: value } })}
              />
            ))}
            {row.hidden.length > 0 && (
              <p className="col-span-full text-xs text-ink-2">
                {t("jsonTable.hidden", { names: row.hidden.join(", ") })}
              </p>
            )}
          </div>
        )}
      </EditableRows>
      <Pagination
        page={view.page}
        pageCount={view.pageCount}
        isGrowing={false}
        hasFailed={false}
        onPage={view.setPage}
      />
      <datalist id={listId}>
        {offered?.map((each) => (
          <option key={each} value={each} />
        ))}
      </datalist>
    </div>
  );
};

interface RowSearchProps {
  /** Of the setting. */
  label: string;
  /** Of all rows. */
  count: number;
  view: Pick<ReturnType<typeof useShownRows>, "text" | "found" | "look">;
}

/** Searches rows by name. */
const RowSearch = ({ label, count, view: { text, found, look } }: RowSearchProps) => {
  const { t } = useTranslation();
  return (
    <div className="flex flex-wrap items-center justify-between gap-x-3 gap-y-1.5">
      <search className="control flex items-center gap-2 wide:max-w-72">
        <Search aria-hidden className="size-4 shrink-0 text-ink-3" />
        <input
          type="search"
          value={text}
          placeholder={t("jsonTable.search", { name: label })}
          aria-label={t("jsonTable.search", { name: label })}
          autoComplete="off"
          className="h-full min-w-0 flex-1 bg-transparent outline-none"
          onChange={({ target }) => look(target.value)}
          // Enter searches here; it must not submit the form.
          onKeyDown={(event) => event.key === "Enter" && event.preventDefault()}
        />
      </search>
      <span aria-live="polite" className="text-sm text-ink-2 tabular-nums">
        {found === undefined ? t("jsonTable.rows", { count }) : t("jsonTable.found", { found, count })}
      </span>
    </div>
  );
};
