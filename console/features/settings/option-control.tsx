import { OPTION_TABLES, type OptionTable, ratioTable } from "@tollgate/contract/options/option-tables";
import { declares, entryOf } from "@tollgate/contract/options/options";
import { memo } from "react";
import { useTranslation } from "react-i18next";
import { Button } from "../../components/button";
import { JsonTableField } from "../../components/json-table-field";
import { QuotaField } from "../../components/quota-field";
import { TextAreaField, TextField } from "../../components/text-field";
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

const Control = ({
  field,
  stored,
  draft,
  failure,
  isLocked,
  isNoted,
  isChecked,
  onEdit,
  values,
  value,
}: ControlProps) => {
  const { t } = useTranslation();
  const mistakeText = useMistakeText();
  const entry = entryOf(field);
  const initial = shownValue(field, values);
  const typed = draft?.value ?? initial;
  const label = t(`option.${field}`);
  const mistake =
    isChecked && value !== undefined
      ? findMistake(field, value, window.location.protocol === "https:")
      : undefined;
  const change = (next: string, isFaulty = false) =>
    onEdit(field, next === initial && !isFaulty ? undefined : { value: next, before: stored, isFaulty });
  const shared = {
    label,
    isRow: true,
    name: field,
    disabled: isLocked,
    hint:
      isLocked && isNoted
        ? t("setting.rootOnly")
        : declares(field, "hasHint")
          ? t(`optionHint.${field}`)
          : undefined,
    error: mistake ? mistakeText(mistake) : value === undefined ? undefined : failure,
  };
  const placeholder = declares(field, "hasPlaceholder") ? t(`optionPlaceholder.${field}`) : undefined;
  const input = {
    ...shared,
    value: typed,
    placeholder: isLocked ? t("optionPlaceholder.unset") : placeholder,
    autoComplete: "off",
    spellCheck: false,
    onChange: ({ target }: { target: { value: string } }) => change(target.value),
  };
  switch (entry.type) {
    case "domains":
      return <DomainsField {...shared} value={typed} onChange={change} />;
    case "choice":
      if (isLocked) return <TextField {...input} />;
      return (
        <ChoiceField {...shared} value={typed} stored={initial} choices={entry.choices} onChange={change} />
      );
    case "area":
      return <TextAreaField {...input} className="max-h-96 font-mono text-sm" />;
    case "ratios":
    case "json":
      return (
        <JsonTableField
          {...shared}
          table={tableOf(field)}
          placeholder={placeholder}
          value={typed}
          isChecked={isChecked && draft !== undefined}
          onChange={change}
        />
      );
    case "quota":
      return <QuotaField {...shared} startsIn="points" min={entry.min} value={typed} onChange={change} />;
    case "decimal":
    case "whole":
      return (
        <TextField
          {...input}
          type="number"
          inputMode={entry.type === "whole" ? "numeric" : "decimal"}
          min={entry.min}
          step={entry.type === "whole" ? 1 : "any"}
          className="lg:max-w-60"
        />
      );
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
