import type { OptionTable } from "@tollgate/contract/options/option-tables";
import { type ReactNode, useId, useState } from "react";
import { useTranslation } from "react-i18next";
import { Button } from "../../components/button";
import { Field } from "../../components/field";
import { JsonField } from "../../components/json-field";
import { Segmented } from "../../components/segmented";
import { OptionTablePart } from "./option-table-part";
import { mistakesOf, readTable, type TableRow, writeTable } from "./table-rows";

interface OptionTableFieldProps {
  /** None for a format without a table. */
  table: OptionTable | undefined;
  label: string;
  hint: ReactNode;
  placeholder: string | undefined;
  value: string;
  disabled: boolean;
  error: string | undefined;
  /** Whether the mistakes of rows are shown: they were to be saved. */
  isChecked: boolean;
  onChange: (json: string, isFaulty: boolean) => void;
}

type View = "table" | "json";

/** A setting of JSON as tables, or as the text that it is. */
export const OptionTableField = ({
  table,
  label,
  hint,
  placeholder,
  value,
  disabled,
  error,
  isChecked,
  onChange,
}: OptionTableFieldProps) => {
  const { t } = useTranslation();
  const id = useId();
  const errorId = useId();
  const readRows = (json: string) => table && readTable(table, json.trim() === "" ? "{}" : json);
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
      label={t("optionTable.view", { name: label })}
      value={rows ? view : "json"}
      segments={[
        {
          value: "table",
          label: t("optionTable.asTable"),
          refusal: rows ? undefined : t("optionTable.noTable"),
        },
        { value: "json", label: t("optionTable.asJson") },
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
              {t("optionTable.asJson")}
            </Button>
          </div>
        )}
      </Field>
    );
  const shown = view === "json" ? undefined : rows;
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
    <fieldset disabled={disabled} className="flex min-w-0 flex-col gap-2.5">
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
          <OptionTablePart
            key={part.id ?? ""}
            part={part}
            label={label}
            rows={shown[index] ?? []}
            mistakes={isChecked ? mistakesOf(part, shown[index] ?? []) : []}
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
      {error && (
        <div id={errorId} className="whitespace-pre-line text-sm text-red">
          {error}
        </div>
      )}
    </fieldset>
  );
};
