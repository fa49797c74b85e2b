import type { ComponentProps, ReactNode } from "react";
import { Field } from "./field";
import { MultiSelect } from "./multi-select";

interface ChoicesFieldProps
  extends Omit<ComponentProps<typeof MultiSelect>, "control" | "values" | "className"> {
  hint?: ReactNode;
  error?: string;
  isRequired?: boolean;
  aside?: ReactNode;
  value: string[];
}

/** A labelled field for several choices from a list. */
export const ChoicesField = ({ hint, error, isRequired, aside, value, ...select }: ChoicesFieldProps) => (
  <Field label={select.label} hint={hint} error={error} isRequired={isRequired} aside={aside}>
    {(control) => <MultiSelect {...select} control={control} values={value} />}
  </Field>
);
