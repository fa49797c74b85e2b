import { declares, entryOf } from "@tollgate/contract/options/options";
import { useState } from "react";
import { useTranslation } from "react-i18next";
import { QuotaField, type QuotaFieldProps } from "../../components/quota-field";
import { TextAreaField, TextField } from "../../components/text-field";
import { ChoiceField } from "./choice-field";
import { DomainsField } from "./domains-field";
import { type OptionMistake, type OptionValues, shownValue } from "./option-changes";
import { OptionTableField } from "./option-table-field";
import { OPTION_TABLES } from "./option-tables";
import type { FieldKey } from "./sections";

interface OptionControlProps {
  field: FieldKey;
  stored: OptionValues;
  mistake: OptionMistake | undefined;
  /** Another person's to change: shown, but not to be typed in. */
  isLocked: boolean;
  /** Whether a locked one says whose it is; not where the whole section says so. */
  isNoted: boolean;
  /** The section was to be saved: what is missing in a table is told. */
  isChecked: boolean;
  /** Something was typed into a table; whether it cannot be saved as it stands. */
  onEdit: (field: FieldKey, isFaulty: boolean) => void;
}

type QuotaOptionProps = Omit<QuotaFieldProps, "value" | "onChange"> & { defaultValue: string };

/** The input of one setting. It keeps what is typed; the section reads it when it is saved. */
export const OptionControl = ({
  field,
  stored,
  mistake,
  isLocked,
  isNoted,
  isChecked,
  onEdit,
}: OptionControlProps) => {
  const { t } = useTranslation();
  const entry = entryOf(field);
  const initial = shownValue(field, stored);
  const label = t(`option.${field}`);
  const hint = declares(field, "hasHint") ? t(`optionHint.${field}`) : undefined;
  const placeholder = declares(field, "hasPlaceholder") ? t(`optionPlaceholder.${field}`) : undefined;
  const shared = {
    label,
    name: field,
    defaultValue: initial,
    disabled: isLocked,
    hint: isLocked && isNoted ? t("setting.rootOnly") : hint,
    placeholder: isLocked ? t("optionPlaceholder.unset") : placeholder,
    error: useMistakeText()(mistake),
    autoComplete: "off",
    spellCheck: false,
  };
  switch (entry.type) {
    case "domains":
      return <DomainsField label={label} name={field} initial={initial} disabled={isLocked} />;
    case "choice": {
      if (isLocked) return <TextField {...shared} />;
      const { hint, error } = shared;
      return (
        <ChoiceField
          label={label}
          name={field}
          initial={initial}
          choices={entry.choices}
          hint={hint}
          error={error}
        />
      );
    }
    case "area":
      return <TextAreaField {...shared} className="max-h-96 font-mono text-sm" />;
    case "ratios":
    case "json": {
      const table = entry.type === "json" ? OPTION_TABLES[entry.format] : undefined;
      if (table) {
        const { label, hint, placeholder, error } = shared;
        return (
          <OptionTableField
            table={table}
            label={label}
            name={field}
            initial={initial}
            disabled={isLocked}
            hint={hint}
            placeholder={placeholder}
            error={error}
            isChecked={isChecked}
            onEdit={(isFaulty) => onEdit(field, isFaulty)}
          />
        );
      }
      return (
        <TextAreaField
          {...shared}
          className="max-h-[420px] min-h-40 overflow-y-auto font-mono text-sm tabular-nums"
        />
      );
    }
    case "quota":
      return <QuotaOption {...shared} min={entry.min} />;
    case "decimal":
    case "whole":
      return (
        <TextField
          {...shared}
          type="number"
          inputMode={entry.type === "whole" ? "numeric" : "decimal"}
          min={entry.min}
          step={entry.type === "whole" ? 1 : "any"}
        />
      );
    case "secret":
      return (
        <TextField
          {...shared}
          type="password"
          autoComplete="new-password"
          placeholder={t(isLocked ? "optionPlaceholder.secretLocked" : "optionPlaceholder.secret")}
        />
      );
    case "url":
      return <TextField {...shared} type="url" inputMode="url" />;
    default:
      return <TextField {...shared} />;
  }
};

/** An amount of quota, which the section reads as points. */
const QuotaOption = ({ defaultValue, ...field }: QuotaOptionProps) => {
  const [value, setValue] = useState(defaultValue);
  return <QuotaField {...field} startsIn="points" value={value} onChange={setValue} />;
};

/** Says a mistake in the page's language, with its place where it is known. */
const useMistakeText = () => {
  const { t } = useTranslation();
  return (mistake: OptionMistake | undefined): string | undefined => {
    if (mistake === undefined) return undefined;
    if ("min" in mistake) return t(mistake.key, { min: mistake.min });
    if ("place" in mistake && mistake.place) {
      return `${t(mistake.key)}\n${t("json.mistakeAt", { ...mistake.place })}`;
    }
    return t(mistake.key);
  };
};
