import { useTranslation } from "react-i18next";
import { BUDGETS, type LimitFields, RATES, WINDOW_BUDGETS } from "../lib/limit-fields";
import { type BulkEdit, BulkRow } from "./bulk-fields";
import { QuotaField } from "./quota-field";
import { WholeNumberField } from "./text-field";

interface BulkLimitsProps {
  edit: BulkEdit;
  typed: LimitFields;
  onChange: (name: keyof LimitFields, value: string) => void;
}

/** The limits of many keys or users; an enabled empty field removes the limit. */
export const BulkLimits = ({ edit, typed, onChange }: BulkLimitsProps) => {
  const { t } = useTranslation();
  return (
    <>
      {[...BUDGETS, ...WINDOW_BUDGETS].map((name) => (
        <BulkRow key={name} edit={edit} name={name} label={t(`limit.${name}`)}>
          <QuotaField
            label={t(`limit.${name}`)}
            placeholder={t("limit.none")}
            value={typed[name]}
            onChange={(value) => onChange(name, value)}
          />
        </BulkRow>
      ))}
      {RATES.map((name) => (
        <BulkRow key={name} edit={edit} name={name} label={t(`limit.${name}`)}>
          <WholeNumberField
            label={t(`limit.${name}`)}
            min={0}
            placeholder={t("limit.none")}
            value={typed[name]}
            onChange={({ target }) => onChange(name, target.value)}
          />
        </BulkRow>
      ))}
    </>
  );
};
