import type { ComponentProps } from "react";
import { useTranslation } from "react-i18next";
import { quotaInCurrency } from "../lib/format";
import type { LimitFields } from "../lib/limit-fields";
import { TextField } from "./text-field";

type Name = keyof LimitFields;

interface LimitInputsProps {
  /** What stands in the fields now. */
  values: LimitFields;
  register(name: Name): ComponentProps<"input">;
  errorOf(name: Name): string | undefined;
}

const RATES = ["rpm", "tpm", "concurrency"] as const;
const BUDGETS = ["dailyQuota", "monthlyQuota"] as const;

/** The limits of a key or a user. */
export const LimitInputs = ({ values, register, errorOf }: LimitInputsProps) => {
  const { t } = useTranslation();
  const worth = (text: string): string | undefined => {
    const amount = text.trim() === "" ? undefined : quotaInCurrency(Number.parseInt(text, 10));
    return amount === undefined ? undefined : t("field.worth", { amount });
  };
  const input = (name: Name, hint?: string) => (
    <TextField
      key={name}
      label={t(`limit.${name}`)}
      type="number"
      step={1}
      min={0}
      inputMode="numeric"
      placeholder={t("limit.none")}
      hint={hint}
      error={errorOf(name)}
      {...register(name)}
    />
  );
  return (
    <>
      <div className="grid gap-x-4 gap-y-5 wide:grid-cols-3">{RATES.map((name) => input(name))}</div>
      <div className="grid gap-x-4 gap-y-5 wide:grid-cols-2">
        {BUDGETS.map((name) => input(name, worth(values[name])))}
      </div>
    </>
  );
};
