import type { ComponentProps } from "react";
import { useTranslation } from "react-i18next";
import type { SuggestionSource } from "../lib/suggestions";
import { SPAN_PRESETS } from "../lib/written-span";
import { DateTimeField } from "./date-time-field";
import { Segmented } from "./segmented";
import { inGroups, SelectField } from "./select-field";
import { SuggestField } from "./suggest-field";
import { TextField } from "./text-field";

export type FilterValue = string | number | undefined;

type Options = ComponentProps<typeof SelectField<string | number>>["options"];

/** A choice that does not filter. */
interface AnyOption {
  value: string | number;
  label: string;
}

/** A record identified by its number, not by its name. */
interface Numbered {
  /** Name of the record with the active number. */
  name: string | undefined;
  placeholder: string;
  mistake: string;
}

/** A declared filter of a list. */
export type FilterField<Name extends string = string> =
  | { kind: "range"; name: "range" }
  | { kind: "time"; name: "from" | "to" }
  | { kind: "text"; name: Name; label: string }
  | { kind: "record"; name: Name; label: string; source: SuggestionSource; numbered?: Numbered }
  | { kind: "choice"; name: Name; label: string; options: Options; any?: AnyOption };

/** The filters by time: presets, and both ends. */
export const SPAN_FIELDS = [
  { kind: "time", name: "from" },
  { kind: "time", name: "to" },
  { kind: "range", name: "range" },
] as const satisfies readonly FilterField[];

const NUMBER = /^\d{1,15}$/;

/** Whether the value is a valid filter. */
export const isFit = (field: FilterField, value: FilterValue): boolean =>
  field.kind !== "record" || !field.numbered || value === undefined || NUMBER.test(String(value));

interface FilterInputProps {
  field: FilterField;
  /** The chosen or typed value. */
  value: FilterValue;
  /** The list's active value. */
  held: FilterValue;
  /** The submitted value is invalid. */
  isWrong: boolean;
  /** Changes a typed value, which applies on submit. */
  onType: (value: FilterValue) => void;
  /** Changes a chosen value, which applies immediately. */
  onChoose: (value: FilterValue) => void;
}

/** The input of a declared filter. */
export const FilterInput = ({ field, value, held, isWrong, onType, onChoose }: FilterInputProps) => {
  const { t } = useTranslation();
  const text = value === undefined ? "" : String(value);
  switch (field.kind) {
    case "range":
      return (
        <Segmented
          className="col-span-2 w-fit lg:grow-0! lg:basis-auto!"
          label={t("filter.range")}
          value={text}
          segments={(["any", ...SPAN_PRESETS] as const).map((each) => ({
            value: each as string,
            label: t(`filter.ranges.${each}`),
          }))}
          onChange={(chosen) => onChoose(chosen === "any" ? undefined : chosen)}
        />
      );
    case "time":
      return (
        <DateTimeField
          layout="inline"
          className="max-wide:col-span-2"
          label={t(`filter.${field.name}`)}
          value={text}
          placeholder={t(field.name === "from" ? "filter.earliest" : "filter.now")}
          error={isWrong ? t("filter.timeInvalid") : undefined}
          onChange={onType}
        />
      );
    case "text":
      return (
        <TextField
          layout="inline"
          label={field.label}
          value={text}
          placeholder={t("filter.any")}
          autoComplete="off"
          onChange={({ target }) => onType(target.value)}
        />
      );
    case "record": {
      const { label, source, numbered } = field;
      return (
        <SuggestField
          label={label}
          source={source}
          value={text}
          name={value === held ? numbered?.name : undefined}
          placeholder={numbered?.placeholder ?? t("filter.any")}
          error={isWrong ? numbered?.mistake : undefined}
          onType={(typed) => onType(numbered ? typed.trim() || undefined : typed)}
          onChoose={onChoose}
        />
      );
    }
    case "choice": {
      const { label, options, any = { value: "", label: t("filter.any") } } = field;
      return (
        <SelectField
          layout="inline"
          label={label}
          value={value ?? any.value}
          options={[{ options: [any] }, ...inGroups(options)]}
          onChange={(chosen) => onChoose(chosen === any.value ? undefined : chosen)}
        />
      );
    }
  }
};

/** The value of a filter, for display. */
export const filterText = (field: FilterField, value: string | number): string => {
  if (field.kind === "record" && field.numbered?.name) return `${field.numbered.name} #${value}`;
  if (field.kind !== "choice") return String(value);
  const options = inGroups(field.options).flatMap((group) => group.options);
  return options.find((option) => option.value === value)?.label ?? String(value);
};
