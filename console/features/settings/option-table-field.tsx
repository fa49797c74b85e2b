import { useQuery } from "@tanstack/react-query";
import { clsx } from "clsx";
import { type ReactNode, useId, useState } from "react";
import { useTranslation } from "react-i18next";
import { EditableRows } from "../../components/editable-rows";
import { Segmented } from "../../components/segmented";
import { Select } from "../../components/select";
import { TextAreaField } from "../../components/text-field";
import { groupsQuery } from "../../lib/groups";
import { modelsQuery } from "../../lib/known-models";
import {
  type CellMistake,
  type ColumnId,
  mistakesOf,
  type OptionTable,
  readTable,
  type TableColumn,
  type TablePart,
  type TableRow,
  writeTable,
} from "./option-tables";

interface OptionTableFieldProps {
  table: OptionTable;
  label: string;
  /** The form field that carries the JSON. */
  name: string;
  initial: string;
  disabled: boolean;
  /** Says what the JSON is like; the table says it itself. */
  hint: string | undefined;
  placeholder: string | undefined;
  /** What is wrong with the JSON. */
  error: string | undefined;
  /** Whether mistakes are told: it was to be saved. */
  isChecked: boolean;
  /** Something was typed; whether it cannot be saved as it stands. */
  onEdit: (isFaulty: boolean) => void;
}

type View = "table" | "json";

/** A setting of JSON as a table, or as the text that it is. */
export const OptionTableField = ({
  table,
  label,
  name,
  initial,
  disabled,
  hint,
  placeholder,
  error,
  isChecked,
  onEdit,
}: OptionTableFieldProps) => {
  const { t } = useTranslation();
  const noteId = useId();
  const [json, setJson] = useState(initial);
  /** The rows while the table is shown: they may be such as no text has, as long as they are typed. */
  const [rows, setRows] = useState(() => readTable(table, initial));
  const [view, setView] = useState<View>(rows ? "table" : "json");
  const readable = view === "table" ? rows : readTable(table, json);
  const views = (
    <Segmented<View>
      label={t("optionTable.view", { name: label })}
      value={view}
      segments={[
        {
          value: "table",
          label: t("optionTable.asTable"),
          refusal: readable ? undefined : t("optionTable.noTable"),
        },
        { value: "json", label: "JSON" },
      ]}
      onChange={(next) => {
        if (next === "table") setRows(readTable(table, json));
        // What the text must hold is looked at when it is saved.
        else onEdit(false);
        setView(next);
      }}
    />
  );
  if (view === "json" || !rows)
    return (
      <TextAreaField
        label={label}
        name={name}
        value={json}
        disabled={disabled}
        hint={hint}
        placeholder={placeholder}
        error={error}
        aside={views}
        spellCheck={false}
        className="max-h-[420px] min-h-40 overflow-y-auto font-mono text-sm tabular-nums"
        onChange={({ target }) => {
          setJson(target.value);
          onEdit(false);
        }}
      />
    );
  const mistakes = table.parts.map((part, at) => mistakesOf(part, rows[at] ?? []));
  const fault = table.faultOf(json);
  const put = (at: number, changed: TableRow[]) => {
    const next = rows.with(at, changed);
    const text = writeTable(table, next);
    const isFaulty =
      table.parts.some((part, each) =>
        mistakesOf(part, next[each] ?? []).some((found) => Object.keys(found).length > 0),
      ) || table.faultOf(text) !== undefined;
    setRows(next);
    setJson(text);
    onEdit(isFaulty);
  };
  return (
    <fieldset disabled={disabled} className="flex min-w-0 flex-col gap-2.5" aria-describedby={noteId}>
      <legend className="sr-only">{label}</legend>
      <input type="hidden" name={name} value={json} />
      <div className="flex flex-wrap items-center justify-between gap-x-3 gap-y-1.5">
        <span aria-hidden className="font-medium text-sm">
          {label}
        </span>
        {views}
      </div>
      {table.parts.map((part, at) => (
        <Part
          key={part.id}
          part={part}
          isOneOfMany={table.parts.length > 1}
          rows={rows[at] ?? []}
          mistakes={isChecked ? (mistakes[at] ?? []) : []}
          isLocked={disabled}
          onChange={(changed) => put(at, changed)}
        />
      ))}
      <div id={noteId} className={clsx("text-sm", isChecked && fault ? "text-red" : "text-ink-2")}>
        {isChecked && fault !== undefined
          ? t("optionTable.unusable", { place: fault })
          : t(`optionTable.hint.${table.hint}`)}
      </div>
    </fieldset>
  );
};

/** On a wide screen a line of fields under the names of their columns; on a narrow one, fields below each other. */
const COLUMNS: Readonly<Record<TablePart["id"], string>> = {
  fallbacks: "wide:grid-cols-[minmax(0,2fr)_minmax(0,3fr)]",
  routing: "wide:grid-cols-2",
  usable: "wide:grid-cols-[minmax(0,1fr)_minmax(0,2fr)]",
  usableOf: "wide:grid-cols-2 xl:grid-cols-[1fr_1fr_1fr_1.5fr]",
  ratios: "wide:grid-cols-[1fr_1fr_7rem]",
  packages: "wide:grid-cols-2",
  discounts: "wide:grid-cols-2",
  groups: "wide:grid-cols-2",
};

interface PartProps {
  part: TablePart;
  isOneOfMany: boolean;
  rows: readonly TableRow[];
  mistakes: readonly Partial<Record<ColumnId, CellMistake>>[];
  isLocked: boolean;
  onChange: (rows: TableRow[]) => void;
}

const Part = ({ part, isOneOfMany, rows, mistakes, isLocked, onChange }: PartProps) => {
  const { t } = useTranslation();
  const listId = useId();
  const has = (kind: TableColumn["kind"]) => part.columns.some((column) => column.kind === kind);
  const { data: groups = [] } = useQuery({ ...groupsQuery, enabled: has("group") });
  const { data: models = [] } = useQuery({ ...modelsQuery, enabled: has("model"), meta: { silent: true } });
  const known = has("model") ? models : groups;
  return (
    <div className="flex min-w-0 flex-col gap-2">
      {isOneOfMany && (
        <div className="font-medium text-sm text-ink-2">{t(`optionTable.part.${part.id}`)}</div>
      )}
      {rows.length === 0 && (
        <p className="rounded-md bg-sunken px-3 py-2.5 text-sm text-ink-2">
          {t(`optionTable.empty.${part.id}`)}
        </p>
      )}
      <EditableRows
        rows={rows}
        onChange={onChange}
        add={t(`optionTable.add.${part.id}`)}
        blank={() => part.blank}
        remove={(row, index) => t("action.removeItem", { item: rowName(part, row) || String(index + 1) })}
        isLocked={isLocked}
        className="divide-y divide-line rounded-md border border-line"
        rowClassName="flex items-start gap-1.5 py-2.5 ps-3 pe-1.5"
      >
        {(row, put, index) => (
          <div className={clsx("grid min-w-0 flex-1 items-start gap-x-3 gap-y-2", COLUMNS[part.id])}>
            {part.columns.map((column) => (
              <Cell
                key={column.id}
                column={column}
                place={index + 1}
                value={row[column.id] ?? ""}
                mistake={mistakes[index]?.[column.id]}
                listId={listId}
                onChange={(value) => put({ ...row, [column.id]: value })}
              />
            ))}
          </div>
        )}
      </EditableRows>
      <datalist id={listId}>
        {known.map((each) => (
          <option key={each} value={each} />
        ))}
      </datalist>
    </div>
  );
};

const rowName = ({ names }: TablePart, row: TableRow): string =>
  names
    .map((id) => row[id])
    .filter((each) => each !== "")
    .join(" · ");

interface CellProps {
  column: TableColumn;
  /** Of its row, from 1 on. */
  place: number;
  value: string | readonly string[];
  mistake: CellMistake | undefined;
  /** Of the names that are offered. */
  listId: string;
  onChange: (value: string | readonly string[]) => void;
}

const Cell = ({ column, place, value, mistake, listId, onChange }: CellProps) => {
  const { t } = useTranslation();
  const noteId = useId();
  const label = t(`optionTable.column.${column.id}`);
  const named = `${label} ${place}`;
  const typed = typeof value === "string" ? value : "";
  const chosen = typeof value === "string" ? [] : value;
  const wide = column.kind === "choices" && "wide:col-span-full";
  const control = (): ReactNode => {
    switch (column.kind) {
      case "choice":
        return (
          <Select
            label={named}
            value={typed}
            groups={[
              {
                options: column.choices.map((choice) => ({
                  value: String(choice),
                  label: t(`optionTable.choice.${choice}`),
                })),
              },
            ]}
            onChange={onChange}
          />
        );
      case "choices":
        return (
          <fieldset className="flex flex-wrap gap-x-4 gap-y-1.5">
            <legend className="sr-only">{named}</legend>
            {column.choices.map((choice) => (
              <label key={choice} className="flex cursor-pointer items-center gap-1.5 text-sm">
                <input
                  type="checkbox"
                  className="size-4 accent-accent"
                  checked={chosen.includes(choice)}
                  onChange={({ target }) =>
                    onChange(
                      column.choices.filter((each) =>
                        each === choice ? target.checked : chosen.includes(each),
                      ),
                    )
                  }
                />
                {t(`optionTable.choice.${choice}`)}
              </label>
            ))}
          </fieldset>
        );
      case "models":
        return (
          <ModelList label={named} most={column.most} models={chosen} listId={listId} onChange={onChange} />
        );
      default:
        return (
          <input
            aria-label={named}
            aria-invalid={mistake ? true : undefined}
            aria-describedby={mistake ? noteId : undefined}
            className={clsx("control min-w-0", column.kind === "number" && "tabular-nums")}
            inputMode={column.kind === "number" ? "decimal" : undefined}
            list={column.kind === "group" || column.kind === "model" ? listId : undefined}
            autoComplete="off"
            autoCapitalize="none"
            spellCheck={false}
            value={typed}
            onChange={({ target }) => onChange(target.value)}
          />
        );
    }
  };
  return (
    <div className={clsx("flex min-w-0 flex-col gap-1", wide)}>
      <span aria-hidden className="text-xs text-ink-3">
        {label}
      </span>
      {control()}
      {mistake && (
        <span id={noteId} className="text-xs text-red">
          {t(mistake)}
        </span>
      )}
    </div>
  );
};

interface ModelListProps {
  label: string;
  most: number;
  models: readonly string[];
  listId: string;
  onChange: (models: readonly string[]) => void;
}

/** Models in the order in which they are asked. */
const ModelList = ({ label, most, models, listId, onChange }: ModelListProps) => {
  const { t } = useTranslation();
  const nameOf = (model: string, index: number) => model || String(index + 1);
  return (
    <fieldset className="flex min-w-0 flex-col gap-1.5">
      <legend className="sr-only">{label}</legend>
      <EditableRows
        rows={models}
        onChange={onChange}
        add={t("optionTable.addModel")}
        blank={() => ""}
        most={most}
        remove={(model, index) => t("action.removeItem", { item: nameOf(model, index) })}
        order={{
          up: (model, index) => t("optionTable.up", { name: nameOf(model, index) }),
          down: (model, index) => t("optionTable.down", { name: nameOf(model, index) }),
        }}
        className="gap-1.5"
        rowClassName="flex items-center gap-1.5"
      >
        {(model, put, index) => (
          <>
            <span aria-hidden className="w-4 shrink-0 text-end text-xs text-ink-3 tabular-nums">
              {index + 1}
            </span>
            <input
              aria-label={`${label} · ${index + 1}`}
              list={listId}
              className="control min-w-0 flex-1"
              autoComplete="off"
              autoCapitalize="none"
              spellCheck={false}
              value={model}
              onChange={({ target }) => put(target.value)}
            />
          </>
        )}
      </EditableRows>
    </fieldset>
  );
};
