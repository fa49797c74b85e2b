import type { ComponentProps } from "react";
import type { Control, FieldPathByValue, FieldValues } from "react-hook-form";
import { useTranslation } from "react-i18next";
import { BUDGETS, type LimitFields, RATES } from "../lib/limit-fields";
import { QuotaInput } from "./quota-field";
import { TextField } from "./text-field";

type Name = keyof LimitFields;

interface LimitInputsProps {
  register(name: Name): ComponentProps<"input">;
  errorOf(name: Name): string | undefined;
}

/** The rates of a key or a user. */
export const LimitInputs = ({ register, errorOf }: LimitInputsProps) => {
  const { t } = useTranslation();
  return (
    <div className="grid gap-x-4 gap-y-5 wide:grid-cols-3">
      {RATES.map((name) => (
        <TextField
          key={name}
          label={t(`limit.${name}`)}
          type="number"
          step={1}
          min={0}
          inputMode="numeric"
          placeholder={t("limit.none")}
          error={errorOf(name)}
          {...register(name)}
        />
      ))}
    </div>
  );
};

interface BudgetInputsProps<Fields extends FieldValues & LimitFields> {
  control: Control<Fields>;
  errorOf(name: Name): string | undefined;
}

/** What a key or a user may spend in a day and in a month. */
export const BudgetInputs = <Fields extends FieldValues & LimitFields>({
  control,
  errorOf,
}: BudgetInputsProps<Fields>) => {
  const { t } = useTranslation();
  return (
    <div className="grid gap-x-4 gap-y-5 wide:grid-cols-2">
      {BUDGETS.map((name) => (
        <QuotaInput
          key={name}
          control={control}
          name={name as FieldPathByValue<Fields, string>}
          label={t(`limit.${name}`)}
          placeholder={t("limit.none")}
          error={errorOf(name)}
        />
      ))}
    </div>
  );
};
