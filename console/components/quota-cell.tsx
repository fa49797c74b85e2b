import { useId } from "react";
import { useTranslation } from "react-i18next";
import { exactQuota } from "../lib/exact-quota";
import { inThousands, isShownInCurrency } from "../lib/format";
import { AmountInput, readPoints, useUnit } from "./quota-field";

export interface QuotaCellProps {
  /** Name of the cell, for screen readers. */
  label: string;
  /** Typed points of quota; "" if empty. */
  value: string;
  onChange: (points: string) => void;
  /** Id of the note about a mistake; undefined without one. */
  mistakeId: string | undefined;
}

/** An amount in a table's cell, in the unit of all quota fields, with its worth in the other unit below. */
const QuotaCell = ({ label, value, onChange, mistakeId }: QuotaCellProps) => {
  const { t } = useTranslation();
  const worthId = useId();
  const isMoney = useUnit("money") === "money";
  const quota = readPoints(value);
  const isAmount = Number.isSafeInteger(quota) && quota >= 0;
  const worth = isMoney
    ? t("quotaField.points", { count: quota, points: inThousands(quota) })
    : t("field.worth", { amount: exactQuota(quota) });
  const hasWorth = isAmount && mistakeId === undefined && isShownInCurrency();
  const noteId = hasWorth ? worthId : mistakeId;
  return (
    <>
      <AmountInput
        label={label}
        value={value}
        onChange={onChange}
        control={{
          "aria-label": label,
          ...(mistakeId !== undefined && { "aria-invalid": true }),
          ...(noteId !== undefined && { "aria-describedby": noteId }),
        }}
        isMoney={isMoney}
        isAmount={isAmount}
        isFreeText
      />
      {hasWorth && (
        <span id={worthId} className="text-ink-2 text-xs">
          {worth}
        </span>
      )}
    </>
  );
};

export default QuotaCell;
