import { LIMITS } from "@tollgate/contract/management/limits";
import { useTranslation } from "react-i18next";
import { BUDGETS, type LimitFields, RATES, WINDOW_BUDGETS } from "../lib/limit-fields";
import { type BulkEdit, BulkRow } from "./bulk-fields";
import { QuotaField } from "./quota-field";
import { Segmented } from "./segmented";
import { WholeNumberField } from "./text-field";

interface BulkLimitsProps {
  edit: BulkEdit;
  typed: LimitFields;
  /** @param row the row that the field shares. */
  onChange: (name: keyof LimitFields, value: string, row?: keyof LimitFields) => void;
}

/** The limits of many keys or users; an enabled empty field removes the limit. */
export const BulkLimits = ({ edit, typed, onChange }: BulkLimitsProps) => {
  const { t } = useTranslation();
  const quota = (
    name: (typeof BUDGETS | typeof WINDOW_BUDGETS)[number] | "windowQuota",
    row: keyof LimitFields = name,
  ) => (
    <QuotaField
      label={t(`limit.${name}`)}
      placeholder={t("limit.none")}
      value={typed[name]}
      error={edit.errorOf(LIMITS[name].name)}
      onChange={(value) => onChange(name, value, row)}
    />
  );
  const number = (name: (typeof RATES)[number] | "windowHours", hint?: string) => (
    <WholeNumberField
      label={t(`limit.${name}`)}
      hint={hint}
      min={0}
      placeholder={t("limit.none")}
      value={typed[name]}
      error={edit.errorOf(LIMITS[name].name)}
      onChange={({ target }) => onChange(name, target.value)}
    />
  );
  return (
    <>
      {[...BUDGETS, ...WINDOW_BUDGETS].map((name) => (
        <BulkRow key={name} edit={edit} name={name} label={t(`limit.${name}`)}>
          {quota(name)}
        </BulkRow>
      ))}
      <BulkRow edit={edit} name="windowHours" label={t("limit.windowQuota")}>
        <div className="flex min-w-0 flex-col gap-4">
          {quota("windowQuota", "windowHours")}
          {number("windowHours", t("limit.windowHint"))}
        </div>
      </BulkRow>
      {RATES.map((name) => (
        <BulkRow key={name} edit={edit} name={name} label={t(`limit.${name}`)}>
          {number(name)}
        </BulkRow>
      ))}
      <BulkRow edit={edit} name="softBudgets" label={t("batch.budgets")}>
        <div className="flex flex-col gap-1.5">
          <span className="font-medium text-sm">{t("batch.budgets")}</span>
          <Segmented
            label={t("batch.budgets")}
            value={typed.softBudgets === "1" ? "1" : ""}
            segments={[
              { value: "", label: t("batch.budgetsRefuse") },
              { value: "1", label: t("limit.soft") },
            ]}
            onChange={(value) => onChange("softBudgets", value)}
          />
        </div>
      </BulkRow>
    </>
  );
};
