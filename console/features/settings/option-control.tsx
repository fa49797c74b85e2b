import { OPTION_TABLES, type OptionTable, ratioTable } from "@tollgate/contract/options/option-tables";
import { declares, entryOf } from "@tollgate/contract/options/options";
import { memo } from "react";
import { useTranslation } from "react-i18next";
import { Button } from "../../components/button";
import { JsonTableField } from "../../components/json-table-field";
import { QuotaField } from "../../components/quota-field";
import { TextAreaField, TextField, type TextFieldProps } from "../../components/text-field";
import { ChoiceField } from "./choice-field";
import { DomainsField } from "./domains-field";
import { changeOf, findMistake, type OptionMistake, shownValue } from "./option-changes";
import type { FieldKey } from "./sections";
import type { Draft, DraftStore } from "./use-drafts";

interface OptionControlProps {
  field: FieldKey;
  /** Undefined for secrets. */
  stored: string | undefined;
  draft: Draft | undefined;
  /** The server's reason for rejecting the typed value. */
  failure: string | undefined;
  /** Read-only for this user's role. */
  isLocked: boolean;
  /** Whether a locked option names the required role; not if the whole section does. */
  isNoted: boolean;
  /** Shows mistakes, after an attempt to save. */
  isChecked: boolean;
  onEdit: DraftStore["edit"];
}

const tableOf = (field: FieldKey): OptionTable | undefined => {
  const entry = entryOf(field);
  if (entry.type === "ratios") return ratioTable(entry.names, entry.isPositive);
  return entry.type === "json" ? OPTION_TABLES[entry.format] : undefined;
};

/** The input of one setting, with its mistake. */
export const OptionControl = memo((props: OptionControlProps) => {
  const { field, stored, draft, failure, onEdit } = props;
  const { t } = useTranslation();
  const values = stored === undefined ? {} : { [field]: stored };
  const value = draft ? changeOf(field, draft.value, values) : undefined;
  /** Another administrator has saved a different value since this one was shown. */
  const isOvertaken = failure !== undefined && value !== undefined && stored !== draft?.before;
  return (
    <>
      <Control {...props} values={values} value={value} />
      {isOvertaken && (
        <div
          role="alert"
          className="mt-2 flex flex-col items-start gap-2 rounded-md bg-red-soft px-3.5 py-2.5 text-sm"
        >
          {t("setting.changedMeanwhile", { name: t(`option.${field}`) })}
          <Button size="small" onClick={() => onEdit(field, undefined)}>
            {t("setting.loadPresent")}
          </Button>
        </div>
      )}
    </>
  );
});

interface ControlProps extends OptionControlProps {
  values: Record<string, string>;
  /** The value to send. */
  value: string | undefined;
}

/** The hint below an option's name. */
const useHint = ({ field, isLocked, isNoted }: ControlProps): string | undefined => {
  const { t } = useTranslation();
  if (isLocked && isNoted) return t("setting.rootOnly");
  return declares(field, "hasHint") ? t(`optionHint.${field}`) : undefined;
};

/** The mistake in the value to send, or else the server's reason for rejecting it. */
const useError = ({ field, failure, isChecked, value }: ControlProps): string | undefined => {
  const mistakeText = useMistakeText();
  if (value === undefined) return undefined;
  const mistake = isChecked && findMistake(field, value, window.location.protocol === "https:");
  return mistake ? mistakeText(mistake) : failure;
};

/** The properties that the inputs of all types share. */
const useShared = (props: ControlProps) => {
  const { field, stored, draft, isLocked, onEdit, values } = props;
  const { t } = useTranslation();
  const initial = shownValue(field, values);
  return {
    initial,
    placeholder: declares(field, "hasPlaceholder") ? t(`optionPlaceholder.${field}`) : undefined,
    shared: {
      label: t(`option.${field}`),
      layout: "row" as const,
      name: field,
      disabled: isLocked,
      hint: useHint(props),
      error: useError(props),
      value: draft?.value ?? initial,
    },
    change: (next: string, isFaulty = false) =>
      onEdit(field, next === initial && !isFaulty ? undefined : { value: next, before: stored, isFaulty }),
  };
};

const Control = (props: ControlProps) => {
  const { field, draft, isLocked, isChecked } = props;
  const { t } = useTranslation();
  const { initial, placeholder, shared, change } = useShared(props);
  const entry = entryOf(field);
  const input = {
    ...shared,
    placeholder: isLocked ? t("optionPlaceholder.unset") : placeholder,
    autoComplete: "off",
    spellCheck: false,
    onChange: ({ target }: { target: { value: string } }) => change(target.value),
  };
  switch (entry.type) {
    case "domains":
      return <DomainsField {...shared} onChange={change} />;
    case "choice":
      if (isLocked) return <TextField {...input} />;
      return <ChoiceField {...shared} stored={initial} choices={entry.choices} onChange={change} />;
    case "area":
      return <TextAreaField {...input} className="max-h-96 font-mono text-sm" />;
    case "ratios":
    case "json":
      return (
        <JsonTableField
          {...shared}
          table={tableOf(field)}
          placeholder={placeholder}
          isChecked={isChecked && draft !== undefined}
          onChange={change}
        />
      );
    case "quota":
      return <QuotaField {...shared} min={entry.min} onChange={change} />;
    case "decimal":
      return <NumberField {...input} inputMode="decimal" min={entry.min} step="any" />;
    case "whole":
      return <NumberField {...input} inputMode="numeric" min={entry.min} step={1} />;
    case "secret":
      return (
        <TextField
          {...input}
          type="password"
          autoComplete="new-password"
          placeholder={t(isLocked ? "optionPlaceholder.secretLocked" : "optionPlaceholder.secret")}
        />
      );
    case "url":
      return <TextField {...input} type="url" inputMode="url" />;
    default:
      return <TextField {...input} />;
  }
};

const NumberField = (input: TextFieldProps) => <TextField {...input} type="number" className="lg:max-w-60" />;

/** Formats a mistake in the page's language, with its position if known. */
const useMistakeText = () => {
  const { t } = useTranslation();
  return (mistake: OptionMistake): string => {
    if ("min" in mistake) return t(mistake.key, { min: mistake.min });
    if ("place" in mistake && mistake.place) {
      return `${t(mistake.key)}\n${t("json.mistakeAt", { ...mistake.place })}`;
    }
    return t(mistake.key);
  };
};
