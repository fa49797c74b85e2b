import { useQuery } from "@tanstack/react-query";
import { changePriceDraft, createPriceDraft } from "@tollgate/contract/api/price-drafts";
import { isPriceTable, PRICE_OPTIONS, type PriceDraft } from "@tollgate/contract/management/price-draft";
import { MODEL_PRICE_TABLE } from "@tollgate/contract/options/option-tables";
import { entryOf, type OptionKey } from "@tollgate/contract/options/options";
import { Plus, Trash2 } from "lucide-react";
import { type SubmitEvent, useId, useState } from "react";
import { useTranslation } from "react-i18next";
import { Button } from "../../components/button";
import { Field } from "../../components/field";
import { JsonField } from "../../components/json-field";
import { JsonTableField } from "../../components/json-table-field";
import { Select } from "../../components/select";
import { TextField } from "../../components/text-field";
import { focusInvalid } from "../../lib/focus-mistake";
import { notify } from "../../lib/notify";
import { useEndpoint } from "../../lib/use-endpoint";
import { useMistakes } from "../../lib/use-mistakes";
import { type ChangeRow, changesOf, currentText, entriesOf, isUsable, rowsOf } from "./change-rows";
import { currentPricesQuery } from "./price-draft-queries";

interface DraftEditorProps {
  /** undefined for a new one. */
  draft: PriceDraft | undefined;
  onSaved: (draft: PriceDraft) => void;
}

/** Number of suggested names. */
const MAX_OFFERED = 1000;

/** The changes of a draft, beside the current values. */
export const DraftEditor = ({ draft, onSaved }: DraftEditorProps) => {
  const { t } = useTranslation();
  const { data: current } = useQuery(currentPricesQuery);
  const form = useId();
  const refused = useMistakes();
  const create = useEndpoint(createPriceDraft, { atField: refused.atField, repeatsAlways: true });
  const change = useEndpoint(changePriceDraft, { atField: refused.atField, repeatsAlways: true });
  const [name, setName] = useState(draft?.name ?? "");
  const [rows, setRows] = useState<readonly ChangeRow[]>(rowsOf(draft?.changes ?? {}));
  const isOpen = draft === undefined || draft.state === "draft";
  const [isChecked, setChecked] = useState(false);
  const isNameMissing = isChecked && name.trim() === "";

  const submit = (event: SubmitEvent<HTMLFormElement>): void => {
    event.preventDefault();
    refused.begin(event.currentTarget);
    setChecked(true);
    const { submitter } = event.nativeEvent;
    if (name.trim() === "" || !rows.every(isUsable))
      focusInvalid(event.currentTarget.parentElement ?? document.body);
    else void save(submitter?.getAttribute("value") === "rebase");
  };
  const save = async (rebase: boolean): Promise<void> => {
    const changes = changesOf(rows);
    const saving = draft
      ? change.mutateAsync({
          params: { id: draft.id },
          body: { name: name.trim(), changes, revision: draft.revision, rebase },
        })
      : create.mutateAsync({ body: { name: name.trim(), changes } });
    await saving
      .then((saved) => {
        notify.success(t("rehearsal.saved"));
        onSaved(saved);
      })
      // The query client reports the failure.
      .catch(() => undefined);
  };
  const edit = (index: number, text: string): void =>
    setRows(rows.map((row, at) => (at === index ? { ...row, text } : row)));

  return (
    <section aria-label={t("rehearsal.changes")} className="rounded-lg border border-line bg-surface">
      <div className="flex flex-col gap-4 p-4 wide:p-6">
        <TextField
          label={t("rehearsal.name")}
          form={form}
          value={name}
          maxLength={100}
          disabled={!isOpen}
          error={refused.of("name") ?? (isNameMissing ? t("rehearsal.nameMissing") : undefined)}
          placeholder={t("rehearsal.namePlaceholder")}
          className="max-w-md"
          onChange={({ target }) => setName(target.value)}
        />
        {rows.length === 0 ? (
          <p className="rounded-md bg-sunken px-3 py-4 text-ink-2">{t("rehearsal.noChanges")}</p>
        ) : (
          <ul className="flex flex-col divide-y divide-line rounded-md border border-line">
            {rows.map((row, index) => (
              <Change
                // Rows have no id while they are edited.
                key={`${row.option} ${row.name}`}
                row={row}
                now={currentText(current, row)}
                isOpen={isOpen}
                isConflict={
                  draft?.conflicts.some(
                    ({ option, name: entry }) => option === row.option && entry === row.name,
                  ) ?? false
                }
                onChange={(text) => edit(index, text)}
                onRemove={() => setRows(rows.filter((_, at) => at !== index))}
              />
            ))}
          </ul>
        )}
        {isOpen && (
          <AddChange
            isTaken={(option, entry) => rows.some((row) => row.option === option && row.name === entry)}
            names={(option) => [...entriesOf(current, option).keys()].slice(0, MAX_OFFERED)}
            onAdd={(option, entry) => {
              const added = { option, name: entry };
              setRows([...rows, { ...added, text: currentText(current, added) ?? "" }]);
            }}
          />
        )}
      </div>
      {isOpen && (
        <SaveButtons
          form={form}
          isCreating={create.isPending}
          isChanging={change.isPending}
          conflicts={draft?.conflicts.length ?? 0}
          onSubmit={submit}
        />
      )}
    </section>
  );
};

interface SaveButtonsProps {
  /** Id of the form, which the name's field belongs to. */
  form: string;
  isCreating: boolean;
  isChanging: boolean;
  /** Changes of others in the same entries. */
  conflicts: number;
  onSubmit: (event: SubmitEvent<HTMLFormElement>) => void;
}

const SaveButtons = ({ form, isCreating, isChanging, conflicts, onSubmit }: SaveButtonsProps) => {
  const { t } = useTranslation();
  return (
    <form
      id={form}
      noValidate
      className="flex flex-wrap items-center gap-2 border-line border-t px-4 py-3 wide:px-6"
      onSubmit={onSubmit}
    >
      <Button type="submit" variant="primary" isBusy={isCreating || isChanging}>
        {t("rehearsal.save")}
      </Button>
      {conflicts > 0 && (
        <>
          <Button type="submit" value="rebase" isBusy={isChanging}>
            {t("rehearsal.rebase")}
          </Button>
          <p role="alert" className="text-sm text-red">
            {t("rehearsal.conflictText", { count: conflicts })}
          </p>
        </>
      )}
    </form>
  );
};

interface ChangeProps {
  row: ChangeRow;
  now: string | undefined;
  isOpen: boolean;
  isConflict: boolean;
  onChange: (text: string) => void;
  onRemove: () => void;
}

const Change = ({ row, now, isOpen, isConflict, onChange, onRemove }: ChangeProps) => {
  const { t } = useTranslation();
  const option = t(`option.${row.option}`);
  const title = row.name === "" ? option : `${option} · ${row.name}`;
  const entry = entryOf(row.option);
  const isFaulty = !isUsable(row);
  const label = `${t("rehearsal.draftValue")}: ${title}`;
  const field = {
    label,
    value: row.text,
    disabled: !isOpen,
    placeholder: isPriceTable(row.option) ? t("rehearsal.takenAway") : "",
    error: isFaulty ? t("rehearsal.notJson") : undefined,
    onChange,
  };
  return (
    <li className="grid items-start gap-x-4 gap-y-1.5 px-3 py-2.5 wide:grid-cols-[minmax(0,1fr)_minmax(0,1fr)_minmax(0,1.2fr)_auto]">
      <div className="min-w-0 py-1.5">
        <span className="block break-all font-medium">{row.name === "" ? option : row.name}</span>
        {row.name !== "" && <span className="block text-xs text-ink-3">{option}</span>}
      </div>
      <div className="min-w-0 py-1.5">
        <span className="me-2 text-xs text-ink-3">{t("rehearsal.now")}</span>
        {now === undefined || now === "" ? (
          <span className="text-sm text-ink-2">{t("rehearsal.notSet")}</span>
        ) : (
          <code className="break-all text-sm text-ink-2">{now}</code>
        )}
        {isConflict && <span className="ms-2 text-xs text-red">{t("rehearsal.changedMeanwhile")}</span>}
      </div>
      {entry.type === "json" ? (
        <div className="min-w-0 wide:col-span-full wide:row-start-2">
          {entry.format === "model-prices" ? (
            <JsonTableField table={MODEL_PRICE_TABLE} isChecked={isFaulty} {...field} />
          ) : (
            <Field label={label} error={field.error}>
              {(control) => <JsonField control={control} {...field} />}
            </Field>
          )}
        </div>
      ) : (
        <input
          aria-label={label}
          aria-invalid={isFaulty || undefined}
          value={row.text}
          disabled={!isOpen}
          placeholder={field.placeholder}
          inputMode="decimal"
          className="control tabular-nums"
          onChange={({ target }) => onChange(target.value)}
        />
      )}
      {isOpen && (
        <Button
          variant="quietDanger"
          size="icon"
          className="wide:col-start-4"
          aria-label={t("rehearsal.leaveOut", { name: title })}
          title={t("rehearsal.leaveOut", { name: title })}
          onClick={onRemove}
        >
          <Trash2 aria-hidden className="size-4" />
        </Button>
      )}
      {isFaulty && entry.type !== "json" && (
        <p role="alert" className="text-xs text-red wide:col-start-3">
          {t("rehearsal.notRatio")}
        </p>
      )}
    </li>
  );
};

interface AddChangeProps {
  isTaken: (option: OptionKey, name: string) => boolean;
  names: (option: OptionKey) => string[];
  onAdd: (option: OptionKey, name: string) => void;
}

/** Adds an entry to change. */
const AddChange = ({ isTaken, names, onAdd }: AddChangeProps) => {
  const { t } = useTranslation();
  const list = useId();
  const [option, setOption] = useState<OptionKey>("ModelRatio");
  const [name, setName] = useState("");
  const [mistake, setMistake] = useState<"rehearsal.entryMissing" | "rehearsal.entryTwice">();
  const noteId = useId();
  const isTable = isPriceTable(option);
  const submit = (event: SubmitEvent): void => {
    event.preventDefault();
    const entry = isTable ? name.trim() : "";
    if (isTable && entry === "") setMistake("rehearsal.entryMissing");
    else if (isTaken(option, entry)) setMistake("rehearsal.entryTwice");
    else {
      onAdd(option, entry);
      setName("");
    }
  };
  return (
    <form noValidate className="flex flex-wrap items-end gap-2" onSubmit={submit}>
      <Select
        label={t("rehearsal.option")}
        value={option}
        groups={[{ options: PRICE_OPTIONS.map((key) => ({ value: key, label: t(`option.${key}`) })) }]}
        onChange={(next) => {
          setOption(next);
          setMistake(undefined);
        }}
        className="w-full wide:w-56"
      />
      {isTable && (
        <>
          <input
            aria-label={t("rehearsal.entry")}
            placeholder={t("rehearsal.entryPlaceholder")}
            aria-invalid={mistake !== undefined || undefined}
            aria-describedby={mistake && noteId}
            list={list}
            value={name}
            className="control min-w-0 flex-1 wide:max-w-80"
            onChange={({ target }) => {
              setName(target.value);
              setMistake(undefined);
            }}
          />
          <datalist id={list}>
            {names(option).map((each) => (
              <option key={each} value={each} />
            ))}
          </datalist>
        </>
      )}
      <Button type="submit">
        <Plus aria-hidden className="size-3.5" />
        {t("rehearsal.add")}
      </Button>
      {mistake && (
        <p id={noteId} role="alert" className="w-full text-red text-xs">
          {t(mistake)}
        </p>
      )}
    </form>
  );
};
