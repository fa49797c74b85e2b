import type { FieldPathByValue, FieldValues, Path, PathValue } from "react-hook-form";
import { useTranslation } from "react-i18next";
import { BUDGETS, type LimitFields, RATES, WINDOW_BUDGETS } from "../lib/limit-fields";
import type { FieldsForm } from "../lib/use-fields";
import { QuotaInput } from "./quota-field";
import { SwitchField } from "./switch-field";
import { WholeNumberField } from "./text-field";

interface LimitInputsProps<Fields extends FieldValues & LimitFields> {
  form: Pick<FieldsForm<Fields>, "text" | "quota" | "value">;
}

/** The rates of a key or a user, and its budgets of other periods than a day and a month. */
export const LimitInputs = <Fields extends FieldValues & LimitFields>({ form }: LimitInputsProps<Fields>) => {
  const { t } = useTranslation();
  const quota = (name: (typeof WINDOW_BUDGETS)[number] | "windowQuota" | "extraQuota", hint?: string) => (
    <QuotaInput
      key={name}
      label={t(`limit.${name}`)}
      hint={hint}
      placeholder={t(name === "extraQuota" ? "value.none" : "limit.none")}
      {...form.quota(name as FieldPathByValue<Fields, string>)}
    />
  );
  const number = (name: (typeof RATES)[number] | "windowHours", hint?: string) => (
    <WholeNumberField
      key={name}
      label={t(`limit.${name}`)}
      hint={hint}
      min={0}
      placeholder={t("limit.none")}
      {...form.text(name as Path<Fields>)}
    />
  );
  const soft = form.value("softBudgets" as FieldPathByValue<Fields, string>);
  return (
    <>
      <div className="grid gap-x-4 gap-y-5 wide:grid-cols-2">{RATES.map((name) => number(name))}</div>
      <div className="grid gap-x-4 gap-y-5 wide:grid-cols-2">
        {WINDOW_BUDGETS.map((name) => quota(name))}
        {number("windowHours", t("limit.windowHint"))}
        {quota("windowQuota")}
      </div>
      <SwitchField
        label={t("limit.softBudgets")}
        hint={t("limit.softHint")}
        isOn={soft.value === "1"}
        onChange={(isOn) =>
          soft.onChange((isOn ? "1" : "") as PathValue<Fields, FieldPathByValue<Fields, string>>)
        }
      />
      {quota("extraQuota", t("limit.extraHint"))}
    </>
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
