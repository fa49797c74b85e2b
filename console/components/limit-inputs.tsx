import type { FieldPathByValue, FieldValues } from "react-hook-form";
import { useTranslation } from "react-i18next";
import { BUDGETS, type LimitFields, RATES } from "../lib/limit-fields";
import type { FieldsForm } from "../lib/use-fields";
import { QuotaInput } from "./quota-field";
import { type TextFieldProps, WholeNumberField } from "./text-field";

interface LimitInputsProps {
  form: { text(name: keyof LimitFields): Partial<TextFieldProps> };
}

/** The rates of a key or a user. */
export const LimitInputs = ({ form }: LimitInputsProps) => {
  const { t } = useTranslation();
  return (
    <div className="grid gap-x-4 gap-y-5 wide:grid-cols-3">
      {RATES.map((name) => (
        <WholeNumberField
          key={name}
          label={t(`limit.${name}`)}
          min={0}
          placeholder={t("limit.none")}
          {...form.text(name)}
        />
      ))}
    </div>
  );
};

interface BudgetInputsProps<Fields extends FieldValues & LimitFields> {
  form: Pick<FieldsForm<Fields>, "quota">;
}

/** Daily and monthly budgets of a key or a user. */
export const BudgetInputs = <Fields extends FieldValues & LimitFields>({
  form,
}: BudgetInputsProps<Fields>) => {
  const { t } = useTranslation();
  return (
    <div className="grid gap-x-4 gap-y-5 wide:grid-cols-2">
      {BUDGETS.map((name) => (
        <QuotaInput
          key={name}
          label={t(`limit.${name}`)}
          placeholder={t("limit.none")}
          {...form.quota(name as FieldPathByValue<Fields, string>)}
        />
      ))}
    </div>
  );
};
