import type { OptionTable } from "@tollgate/contract/options/option-tables";
import { type ReactNode, type Ref, useId, useImperativeHandle, useRef, useState } from "react";
import { useTranslation } from "react-i18next";
import { mistakesOf, readTable, type TableRow, writeTable } from "../lib/json-table";
import { Button } from "./button";
import { Field } from "./field";
import { JsonField } from "./json-field";
import { JsonTablePart } from "./json-table-part";
import { Segmented } from "./segmented";

/** Leads to the first mistake, or to the first field. */
export interface JsonTableFocus {
  focus: () => void;
}

interface JsonTableFieldProps {
  ref?: Ref<JsonTableFocus>;
  /** None for a format without a table. */
  table: OptionTable | undefined;
  label: string;
  hint?: ReactNode;
  placeholder?: string | undefined;
  value: string;
  disabled?: boolean;
  error: string | undefined;
  /** Whether the mistakes of rows are shown: they were to be saved. */
  isChecked: boolean;
  onChange: (json: string, isFaulty: boolean) => void;
}

type View = "table" | "json";

const MISTAKES = "[aria-invalid=true], [data-invalid]";

/** A field of JSON as tables, or as the text that it is. */
export const JsonTableField = ({
  ref,
  table,
  label,
  hint,
  placeholder,
  value,
  disabled = false,
  error,
  isChecked,
  onChange,
}: JsonTableFieldProps) => {
  const { t } = useTranslation();
  const id = useId();
  const errorId = useId();
  const box = useRef<HTMLFieldSetElement>(null);
  useImperativeHandle(ref, () => ({
    // Once the mistakes are drawn.
    focus: () =>
      requestAnimationFrame(() => {
        const aim =
          box.current?.querySelector<HTMLElement>(MISTAKES) ?? box.current?.querySelector("input, button");
        if (aim instanceof HTMLElement) aim.focus();
      }),
  }));
  const readRows = (json: string) => table && readTable(table, json);
  /** The rows that are typed, and the text that they make: incomplete rows make none that can be read again. */
  const [typed, setTyped] = useState(() => ({ json: value, rows: readRows(value) }));
  const [view, setView] = useState<View>(table && !typed.rows ? "json" : "table");
  let { rows } = typed;
  if (typed.json !== value) {
    rows = readRows(value);
    setTyped({ json: value, rows });
  }
  const views = table && (
    <Segmented<View>
      label={t("jsonTable.view", { name: label })}
      value={rows ? view : "json"}
      segments={[
        {
          value: "table",
          label: t("jsonTable.asTable"),
          refusal: rows ? undefined : t("jsonTable.noTable"),
        },
        { value: "json", label: t("jsonTable.asJson") },
      ]}
      onChange={(next) => {
        // The server checks what the text must hold.
        if (next === "json") onChange(value, false);
        setView(next);
      }}
    />
  );
  // Most options without a table are edited on another page.
  if (!table && view !== "json")
    return (
      <Field isRow label={label} hint={hint} error={error}>
        {(control) => (
          <div>
            <Button {...control} disabled={disabled} onClick={() => setView("json")}>
              {t("jsonTable.asJson")}
            </Button>
          </div>
        )}
      </Field>
    );
  const shown = view === "json" ? undefined : rows;
  const mistakes =
    shown && isChecked ? table?.map((part, index) => mistakesOf(part, shown[index] ?? [])) : [];
  /** Rows that say what is wrong with them need no further word. */
  const isToldInRows = mistakes?.some((part) => part.some((row) => Object.keys(row).length > 0));
  const put = (index: number, changed: TableRow[]) => {
    if (!table || !shown) return;
    const next = shown.with(index, changed);
    const json = writeTable(table, next);
    setTyped({ json, rows: next });
    onChange(
      json,
      table.some((part, each) =>
        mistakesOf(part, next[each] ?? []).some((found) => Object.keys(found).length > 0),
      ),
    );
  };
  return (
    <fieldset ref={box} disabled={disabled} className="flex min-w-0 flex-col gap-2.5">
      <legend className="sr-only">{label}</legend>
      <div className="flex flex-wrap items-start justify-between gap-x-3 gap-y-1.5">
        <div className="min-w-0 flex-1 basis-80">
          <span aria-hidden className="font-medium text-sm">
            {label}
          </span>
          {hint && <div className="text-sm text-ink-2">{hint}</div>}
        </div>
        {views}
      </div>
      {shown && table ? (
        table.map((part, index) => (
          <JsonTablePart
            key={part.id ?? ""}
            part={part}
            label={label}
            rows={shown[index] ?? []}
            mistakes={mistakes?.[index] ?? []}
            isLocked={disabled}
            onChange={(rows) => put(index, rows)}
          />
        ))
      ) : (
        <JsonField
          control={{
            id,
            "aria-invalid": error ? true : undefined,
            "aria-describedby": error ? errorId : undefined,
          }}
          label={label}
          value={value}
          disabled={disabled}
          placeholder={placeholder}
          onChange={(json) => onChange(json, false)}
        />
      )}
      {error && !isToldInRows && (
        <div id={errorId} className="whitespace-pre-line text-sm text-red">
          {error}
        </div>
      )}
    </fieldset>
  );
};
