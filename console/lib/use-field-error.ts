import type { FieldErrors, FieldValues, Path } from "react-hook-form";
import { useTranslation } from "react-i18next";

/**
 * The mistake of a form field in the page's language. Schemas name mistakes by locale keys, so that a change of
 * language also changes what is already shown. `values` fill its placeholders.
 */
export const useFieldError = <Fields extends FieldValues>(errors: FieldErrors<Fields>) => {
  const { t } = useTranslation();
  return (name: Path<Fields>, values: Record<string, string | number> = {}): string | undefined => {
    const message = errors[name]?.message;
    // The keys come out of schemas as plain text; an unknown one is shown as it is.
    return typeof message === "string"
      ? (t as (key: string, values: Record<string, string | number>) => string)(message, values)
      : undefined;
  };
};
