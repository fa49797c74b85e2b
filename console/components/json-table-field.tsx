import type { OptionTable } from "@tollgate/contract/options/option-tables";
import { type ReactNode, type Ref, useId, useImperativeHandle, useRef, useState } from "react";
import { useTranslation } from "react-i18next";
import { mistakesOf, readTable, type TableRow, writeTable } from "../lib/json-table";
import { Button } from "./button";
import { Field } from "./field";
import { JsonField } from "./json-field";
import { JsonTablePart } from "./json-table-part";
import { Segmented } from "./segmented";

/** Focuses the first mistake, or else the first field. */
export interface JsonTableFocus {
  focus: () => void;
}

interface JsonTableFieldProps {
  ref?: Ref<JsonTableFocus>;
  /** Undefined for a format without a table. */
  table: OptionTable | undefined;
  label: string;
  hint?: ReactNode;
  placeholder?: string | undefined;
  value: string;
  disabled?: boolean;
  error: string | undefined;
  /** Shows the rows' mistakes, after an attempt to save. */
  isChecked: boolean;
  onChange: (json: string, isFaulty: boolean) => void;
}

type View = "table" | "json";

const MISTAKES = "[aria-invalid=true], [data-invalid]";

const isFaulty = (table: OptionTable, rows: readonly TableRow[][]): boolean =>
  table.some((part, index) =>
    mistakesOf(part, rows[index] ?? []).some((found) => Object.keys(found).length > 0),
  );

/** The rows of a text, and their setter; undefined if tables cannot represent it. */
const useTable = (table: OptionTable, value: string, onChange: JsonTableFieldProps["onChange"]) => {
  /** The typed rows with their text, because incomplete rows make a text that cannot be parsed back. */
  const [typed, setTyped] = useState(() => ({ json: value, rows: readTable(table, value) }));
  let { rows } = typed;
  if (typed.json !== value) {
    rows = readTable(table, value);
    setTyped({ json: value, rows });
  }
  const put = (index: number, changed: TableRow[]) => {
    if (!rows) return;
    const next = rows.with(index, changed);
    const json = writeTable(table, next);
    setTyped({ json, rows: next });
    onChange(json, isFaulty(table, next));
  };
  return { rows, put };
};

/** Focuses the first mistake, or else the first field, after rendering. */
const useFocus = (ref: Ref<JsonTableFocus> | undefined) => {
  const box = useRef<HTMLFieldSetElement>(null);
  useImperativeHandle(ref, () => ({
    focus: () =>
      requestAnimationFrame(() => {
        const aim =
          box.current?.querySelector<HTMLElement>(MISTAKES) ?? box.current?.querySelector("input, button");
        if (aim instanceof HTMLElement) aim.focus();
      }),
  }));
  return box;
};

/** A JSON field as tables, or as plain text. */
export const JsonTableField = ({ table, ...field }: JsonTableFieldProps) =>
  table ? <TabledField {...field} table={table} /> : <UntabledField {...field} />;

type PlainFieldProps = Omit<JsonTableFieldProps, "table">;

/** A field without a table. Most such options are edited on another page: the text is shown on request. */
const UntabledField = (field: PlainFieldProps) => {
  const { label, hint, disabled, error } = field;
  const { t } = useTranslation();
  const [isOpen, setOpen] = useState(false);
  if (isOpen) return <Frame {...field}>{(errorId) => <JsonText {...field} errorId={errorId} />}</Frame>;
  return (
    <Field layout="row" label={label} hint={hint} error={error}>
      {(control) => (
        <div>
          <Button {...control} disabled={disabled} onClick={() => setOpen(true)}>
            {t("jsonTable.asJson")}
          </Button>
        </div>
      )}
    </Field>
  );
};

/** A field whose text is shown as tables, if they can represent it. */
const TabledField = ({ table, ...field }: PlainFieldProps & { table: OptionTable }) => {
  const { label, value, disabled = false, error, isChecked, onChange } = field;
  const { rows, put } = useTable(table, value, onChange);
  const [view, setView] = useState<View>(rows ? "table" : "json");
  const shown = view === "table" ? rows : undefined;
  /** Rows that show their mistakes need no further message. */
  const isShownInRows = shown && isChecked && isFaulty(table, shown);
  return (
    <Frame
      {...field}
      error={isShownInRows ? undefined : error}
      aside={
        <ViewSwitch
          label={label}
          view={view}
          hasTable={rows !== undefined}
          onChange={(next) => {
            // The server checks the content of the text.
            if (next === "json") onChange(value, false);
            setView(next);
          }}
        />
      }
    >
      {(errorId) =>
        shown ? (
          table.map((part, index) => (
            <JsonTablePart
              key={part.id ?? ""}
              part={part}
              label={label}
              rows={shown[index] ?? []}
              mistakes={isChecked ? mistakesOf(part, shown[index] ?? []) : []}
              isLocked={disabled}
              onChange={(changed) => put(index, changed)}
            />
          ))
        ) : (
          <JsonText {...field} errorId={errorId} />
        )
      }
    </Frame>
  );
};

interface ViewSwitchProps {
  /** Of the field. */
  label: string;
  view: View;
  /** Tables can represent the text. */
  hasTable: boolean;
  onChange: (view: View) => void;
}

/** The choice between tables and plain text. */
const ViewSwitch = ({ label, view, hasTable, onChange }: ViewSwitchProps) => {
  const { t } = useTranslation();
  return (
    <Segmented<View>
      label={t("jsonTable.view", { name: label })}
      value={hasTable ? view : "json"}
      segments={[
        {
          value: "table",
          label: t("jsonTable.asTable"),
          refusal: hasTable ? undefined : t("jsonTable.noTable"),
        },
        { value: "json", label: t("jsonTable.asJson") },
      ]}
      onChange={onChange}
    />
  );
};

interface FrameProps extends Pick<PlainFieldProps, "ref" | "label" | "hint" | "disabled" | "error"> {
  /** Shown at the right of the label. */
  aside?: ReactNode;
  /** Draws the content. It gets the id of the shown error. */
  children: (errorId: string | undefined) => ReactNode;
}

/** The label, the hint and the error around the content of a field. */
const Frame = ({ ref, label, hint, disabled, error, aside, children }: FrameProps) => {
  const box = useFocus(ref);
  const id = useId();
  const errorId = error ? id : undefined;
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
        {aside}
      </div>
      {children(errorId)}
      {error && (
        <div id={errorId} className="whitespace-pre-line text-sm text-red">
          {error}
        </div>
      )}
    </fieldset>
  );
};

/** The field as plain text. */
const JsonText = ({
  label,
  value,
  disabled = false,
  placeholder,
  errorId,
  onChange,
}: PlainFieldProps & { errorId: string | undefined }) => (
  <JsonField
    control={{
      id: useId(),
      "aria-invalid": errorId === undefined ? undefined : true,
      "aria-describedby": errorId,
    }}
    label={label}
    value={value}
    disabled={disabled}
    placeholder={placeholder}
    onChange={(json) => onChange(json, false)}
  />
);
