import { clsx } from "clsx";
import type { ComponentProps, ReactNode } from "react";
import { Field, type FieldLayout } from "./field";

interface Shared {
  label: string;
  hint?: ReactNode;
  error?: string;
  isRequired?: boolean;
  aside?: ReactNode;
  layout?: FieldLayout;
}

export type TextFieldProps = Shared & ComponentProps<"input">;

/** One line of text, a password or a number, with its label. */
export const TextField = ({
  label,
  hint,
  error,
  isRequired,
  aside,
  layout,
  className,
  id: _id,
  ...input
}: TextFieldProps) => (
  <Field label={label} hint={hint} error={error} isRequired={isRequired} aside={aside} layout={layout}>
    {(control) => <input className={clsx("control", className)} {...input} {...control} />}
  </Field>
);

/** A whole number, with its label. */
export const WholeNumberField = (field: TextFieldProps) => (
  <TextField type="number" step={1} inputMode="numeric" {...field} />
);

/** Several lines of text, with their label. */
export const TextAreaField = ({
  label,
  hint,
  error,
  isRequired,
  aside,
  layout,
  className,
  id: _id,
  ...area
}: Shared & ComponentProps<"textarea">) => (
  <Field label={label} hint={hint} error={error} isRequired={isRequired} aside={aside} layout={layout}>
    {(control) => (
      <textarea
        className={clsx("control field-sizing-content h-auto min-h-24 py-2 leading-relaxed", className)}
        {...area}
        {...control}
      />
    )}
  </Field>
);
