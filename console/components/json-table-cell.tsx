import type { OptionColumn, TableChoice } from "@tollgate/contract/options/option-tables";
import { isCurrency } from "@tollgate/contract/payments/currency-codes";
import { clsx } from "clsx";
import { type ChangeEvent, useId } from "react";
import { useTranslation } from "react-i18next";
import { currencyName } from "../lib/currency-name";

import { type Cell, type CellMistake, isNumberColumn } from "../lib/json-table";
import { EditableRows } from "./editable-rows";
import { LazyBoundary } from "./lazy-boundary";
import { Select } from "./select";

interface JsonTableCellProps {
  column: OptionColumn;
  /** Of its row, from 1. */
  place: number;
  value: Cell;
  mistake: CellMistake | undefined;
  /** The existing names, if a different one deserves a warning. */
  known: readonly string[] | undefined;
  /** Of the suggested names. */
  listId: string;
  /** On a wide screen the column's name is above all rows. */
  isInLine: boolean;
  /** Called before names are typed, to load the suggestions. */
  onUse: () => void;
  onChange: (value: Cell) => void;
}

/** Columns of the grid that a kind's fields take up; others take one. */
const WIDTHS: Readonly<Partial<Record<OptionColumn["kind"], string>>> = {
  choices: "col-span-full",
  models: "col-span-full wide:col-span-2 lg:col-span-3",
};

const widthOf = ({ kind }: OptionColumn, isInLine: boolean): string | undefined =>
  kind === "model" && !isInLine ? "col-span-full wide:col-span-2" : WIDTHS[kind];

interface CellNote {
  text: string;
  color: string;
}

// Loaded with the first amount: the form of a channel has tables, and no amounts.
const loadQuotaCell = () => import("./quota-cell");

/** The note below a field: its mistake, or else a warning. */
const useNote = ({ value, mistake, known }: JsonTableCellProps): CellNote | undefined => {
  const { t } = useTranslation();
  const typed = typeof value === "string" ? value.trim() : "";
  if (mistake)
    return { text: t(mistake.key, "max" in mistake ? { max: mistake.max } : {}), color: "text-red" };
  if (known && typed !== "" && !known.includes(typed))
    return { text: t("jsonTable.unknownGroup"), color: "text-yellow" };
  return undefined;
};

/** One field of a row. */
export const JsonTableCell = (cell: JsonTableCellProps) => {
  const { column, place, isInLine } = cell;
  const { t } = useTranslation();
  const noteId = useId();
  const note = useNote(cell);
  const label = t(`jsonTable.column.${column.id}`);
  return (
    <div className={clsx("flex min-w-0 flex-col gap-1", widthOf(column, isInLine))}>
      <span aria-hidden className={clsx("text-xs text-ink-3", isInLine && "wide:hidden")}>
        {label}
      </span>
      <CellInput {...cell} label={`${label} ${place}`} noteId={note && noteId} />
      {note && (
        <span id={noteId} className={clsx("text-xs", note.color)}>
          {note.text}
        </span>
      )}
    </div>
  );
};

interface CellInputProps extends JsonTableCellProps {
  label: string;
  /** Of the note below it. */
  noteId: string | undefined;
}

/** Labels of choices. */
const useChoiceText = () => {
  const { t, i18n } = useTranslation();
  return (choice: TableChoice): string => {
    if (!isCurrency(choice)) return t(`jsonTable.choice.${choice}`);
    const name = currencyName(i18n.language, choice);
    return name === choice ? choice : `${choice} ${name}`;
  };
};

/** The input for the column's kind. */
const CellInput = ({ column, label, noteId, value, mistake, listId, onUse, onChange }: CellInputProps) => {
  const choiceText = useChoiceText();
  const typed = typeof value === "string" ? value : "";
  const chosen = typeof value === "string" ? [] : value;
  const text = {
    "aria-label": label,
    autoComplete: "off",
    autoCapitalize: "none",
    spellCheck: false,
    value: typed,
    onFocus: onUse,
    onChange: ({ target }: ChangeEvent<HTMLInputElement | HTMLTextAreaElement>) => onChange(target.value),
  };
  switch (column.kind) {
    case "choice":
      return (
        <Select
          label={label}
          value={typed}
          groups={[
            {
              options: column.choices.map((choice) => ({
                value: String(choice),
                label: choiceText(choice),
              })),
            },
          ]}
          onChange={onChange}
        />
      );
    case "quota":
      return (
        <LazyBoundary
          load={loadQuotaCell}
          with={{ label, value: typed, mistakeId: noteId, onChange }}
          fallback={<input {...text} className="control min-w-0 tabular-nums" inputMode="numeric" />}
        />
      );
    case "choices":
      return <Choices label={label} choices={column.choices} chosen={chosen} onChange={onChange} />;
    case "models":
      return (
        <ModelList
          label={label}
          maxItems={column.maxItems}
          models={chosen}
          listId={listId}
          onUse={onUse}
          onChange={onChange}
        />
      );
    case "lines":
      return (
        <textarea
          {...text}
          className="control field-sizing-content h-auto min-h-control min-w-0 break-all py-1.5 font-mono text-xs"
          rows={1}
        />
      );
    default:
      return (
        <input
          {...text}
          placeholder={column.kind === "day" ? "2026-12-01" : undefined}
          aria-invalid={mistake ? true : undefined}
          aria-describedby={noteId}
          className={clsx("control min-w-0", isNumberColumn(column) && "tabular-nums")}
          inputMode={isNumberColumn(column) ? "decimal" : undefined}
          list={column.kind === "group" || column.kind === "model" ? listId : undefined}
        />
      );
  }
};

interface ChoicesProps {
  label: string;
  choices: Extract<OptionColumn, { kind: "choices" }>["choices"];
  chosen: readonly string[];
  onChange: (chosen: readonly string[]) => void;
}

const Choices = ({ label, choices, chosen, onChange }: ChoicesProps) => {
  const choiceText = useChoiceText();
  return (
    <fieldset className="flex flex-wrap gap-x-4 gap-y-1.5">
      <legend className="sr-only">{label}</legend>
      {choices.map((choice) => (
        <label
          key={choice}
          className="flex cursor-pointer items-center gap-1.5 text-sm max-wide:min-h-control"
        >
          <input
            type="checkbox"
            className="size-4 accent-accent"
            checked={chosen.includes(choice)}
            onChange={({ target }) =>
              onChange(choices.filter((each) => (each === choice ? target.checked : chosen.includes(each))))
            }
          />
          {choiceText(choice)}
        </label>
      ))}
    </fieldset>
  );
};

interface ModelListProps {
  label: string;
  maxItems: number;
  models: readonly string[];
  listId: string;
  onUse: () => void;
  onChange: (models: readonly string[]) => void;
}

/** Models in the order in which they are tried. */
const ModelList = ({ label, maxItems, models, listId, onUse, onChange }: ModelListProps) => {
  const { t } = useTranslation();
  const nameOf = (model: string, index: number) => model || String(index + 1);
  return (
    <fieldset className="flex min-w-0 flex-col gap-1.5">
      <legend className="sr-only">{label}</legend>
      <EditableRows
        rows={models}
        onChange={onChange}
        add={t("jsonTable.addModel")}
        blank={() => ""}
        most={maxItems}
        remove={(model, index) => t("action.removeItem", { item: nameOf(model, index) })}
        order={{
          up: (model, index) => t("jsonTable.up", { name: nameOf(model, index) }),
          down: (model, index) => t("jsonTable.down", { name: nameOf(model, index) }),
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
              onFocus={onUse}
              onChange={({ target }) => put(target.value)}
            />
          </>
        )}
      </EditableRows>
    </fieldset>
  );
};
