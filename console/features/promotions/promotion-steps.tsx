import { MAX_PROMOTION_STEPS, type PromotionUnit } from "@tollgate/contract/payments/promotions";
import { useTranslation } from "react-i18next";
import { EditableRows } from "../../components/editable-rows";
import { Field, groupProps } from "../../components/field";
import { QuotaField } from "../../components/quota-field";
import { TextField } from "../../components/text-field";
import type { StepFields } from "./promotion-form";

interface PromotionStepsProps {
  unit: PromotionUnit;
  value: StepFields[];
  error: string | undefined;
  onChange: (steps: StepFields[]) => void;
}

/** The steps of a promotion: from a purchase on, an amount or a percentage. */
export const PromotionSteps = ({ unit, value, error, onChange }: PromotionStepsProps) => {
  const { t } = useTranslation();
  return (
    <Field label={t("promotion.steps")} hint={t("promotion.stepsHint")} error={error}>
      {(control) => (
        <fieldset {...groupProps(control)} aria-label={t("promotion.steps")} className="min-w-0">
          <EditableRows
            rows={value}
            onChange={onChange}
            add={t("promotion.addStep")}
            blank={() => ({ from: "", value: "" })}
            remove={(_, index) => t("promotion.removeStep", { number: index + 1 })}
            most={MAX_PROMOTION_STEPS}
            rowClassName="flex items-center gap-2"
          >
            {(step, put) => (
              <div className="grid min-w-0 flex-1 items-start gap-2 wide:grid-cols-2">
                <QuotaField
                  label={t("promotion.from")}
                  value={step.from}
                  onChange={(from) => put({ ...step, from })}
                />
                {unit === "quota" ? (
                  <QuotaField
                    label={t("promotion.amount")}
                    value={step.value}
                    onChange={(amount) => put({ ...step, value: amount })}
                  />
                ) : (
                  <TextField
                    label={t("promotion.percent")}
                    inputMode="decimal"
                    autoComplete="off"
                    value={step.value}
                    onChange={({ target }) => put({ ...step, value: target.value })}
                  />
                )}
              </div>
            )}
          </EditableRows>
        </fieldset>
      )}
    </Field>
  );
};
