import type { ComponentProps, ReactNode } from "react";
import { Field, type FieldLayout } from "./field";
import { Select } from "./select";

type Groups<Value extends string | number> = ComponentProps<typeof Select<Value>>["groups"];

interface SelectFieldProps<Value extends string | number> {
  label: string;
  hint?: ReactNode;
  error?: string;
  isRequired?: boolean;
  layout?: FieldLayout;
  className?: string;
  value: Value;
  onChange: (value: Value) => void;
  /** Grouped if the list has headings. */
  options: Groups<Value>[number]["options"] | Groups<Value>;
}

const isGroup = <Value extends string | number>(
  each: Groups<Value>[number] | Groups<Value>[number]["options"][number],
): each is Groups<Value>[number] => "options" in each;

/** The options of a list, as one group without a heading if they have no groups. */
export const inGroups = <Value extends string | number>(
  options: SelectFieldProps<Value>["options"],
): Groups<Value> => (options.every(isGroup) ? options : [{ options }]);

/** A labelled choice from a short list. */
export const SelectField = <Value extends string | number>({
  value,
  onChange,
  options,
  ...field
}: SelectFieldProps<Value>) => (
  <Field {...field}>
    {(control) => <Select control={control} value={value} onChange={onChange} groups={inGroups(options)} />}
  </Field>
);
