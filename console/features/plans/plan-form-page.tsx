import {
  changePlan,
  createPlan,
  MAX_PLAN_DURATION,
  MAX_PLAN_GROUP,
  MAX_PLAN_TEXT,
  MAX_PLAN_TITLE,
  PLAN_BEYONDS,
  PLAN_RESETS,
  PLAN_TIMES,
} from "@tollgate/contract/api/plans";
import { useTranslation } from "react-i18next";
import { AdvancedSection } from "../../components/advanced-section";
import { EditPage, FormPage } from "../../components/form-page";
import { BudgetInputs, LimitInputs } from "../../components/limit-inputs";
import { QuotaInput } from "../../components/quota-field";
import { SelectField } from "../../components/select-field";
import { SwitchField } from "../../components/switch-field";
import { TextAreaField, TextField, WholeNumberField } from "../../components/text-field";
import { BUDGETS, FOLDED_LIMITS } from "../../lib/limit-fields";
import { useSave } from "../../lib/use-endpoint";
import { type FieldsForm, type RecordFormProps, useRecordForm } from "../../lib/use-fields";
import { NEW_PLAN, type PlanFields, planFieldsSchema, toPlanBody, toPlanFields } from "./plan-form";
import { planQuery } from "./plan-queries";

/** /plan/manage/add */
export const AddPlanPage = () => <PlanForm initial={NEW_PLAN} />;

/** /plan/manage/edit/{id} */
export const EditPlanPage = () => {
  const { t } = useTranslation();
  return (
    <EditPage title={t("plan.editTitle")} query={planQuery}>
      {(plan, id) => <PlanForm id={id} initial={toPlanFields(plan)} />}
    </EditPage>
  );
};

const PLAN_LIMITS = [...BUDGETS, ...FOLDED_LIMITS];

interface PartProps {
  form: FieldsForm<PlanFields>;
}

const PlanForm = ({ id, initial }: RecordFormProps<PlanFields>) => {
  const { t } = useTranslation();
  const form = useRecordForm({ id, initial, schema: planFieldsSchema, list: "/plan/manage" });
  const save = useSave(createPlan, changePlan, form);
  return (
    <FormPage
      title={form.isNew ? t("plan.addTitle") : t("plan.editTitle")}
      description={form.isNew ? undefined : t("plan.editHint")}
      isSaving={save.isPending}
      {...form.page((typed) =>
        save.mutate({ id, body: toPlanBody(typed, form.before) }, { onSuccess: () => form.done() }),
      )}
    >
      <TextField
        label={t("plan.name")}
        isRequired
        maxLength={MAX_PLAN_TITLE}
        autoComplete="off"
        {...form.text("title")}
      />
      <TextAreaField
        label={t("plan.about")}
        maxLength={MAX_PLAN_TEXT}
        rows={2}
        hint={t("plan.aboutHint")}
        {...form.text("description")}
      />
      <TermsFields form={form} />
      <TextField
        label={t("plan.group")}
        maxLength={MAX_PLAN_GROUP}
        autoComplete="off"
        hint={t("plan.groupHint")}
        {...form.text("group")}
      />
      <SelectField
        label={t("plan.beyond")}
        hint={t(`plan.beyondHint.${form.watch("beyond")}`)}
        options={PLAN_BEYONDS.map((value) => ({ value, label: t(`plan.beyondText.${value}`) }))}
        {...form.value("beyond")}
      />
      <OfferFields form={form} />
      <AdvancedSection
        title={t("plan.limits")}
        hint={t("plan.limitsHint")}
        isOpen={PLAN_LIMITS.some((name) => initial[name] !== "")}
        hasMistake={PLAN_LIMITS.some((name) => form.errors[name])}
      >
        <BudgetInputs form={form} />
        <LimitInputs form={form} />
      </AdvancedSection>
    </FormPage>
  );
};

/** The plan's price, content and duration. */
const TermsFields = ({ form }: PartProps) => {
  const { t } = useTranslation();
  return (
    <>
      <div className="grid gap-5 wide:grid-cols-3">
        <QuotaInput label={t("plan.price")} {...form.quota("price")} />
        <WholeNumberField
          label={t("plan.duration")}
          min={1}
          max={MAX_PLAN_DURATION}
          {...form.text("durationCount", { max: MAX_PLAN_DURATION })}
        />
        <SelectField
          label={t("plan.unit")}
          options={PLAN_TIMES.map((value) => ({ value, label: t(`plan.times.${value}`) }))}
          {...form.value("durationUnit")}
        />
      </div>
      <div className="grid gap-5 wide:grid-cols-2">
        <QuotaInput label={t("plan.quota")} {...form.quota("quota")} />
        <SelectField
          label={t("plan.reset")}
          hint={t("plan.resetHint")}
          options={PLAN_RESETS.map((value) => ({ value, label: t(`plan.resets.${value}`) }))}
          {...form.value("reset")}
        />
      </div>
    </>
  );
};

/** Visibility, position and purchase limit of the plan. */
const OfferFields = ({ form }: PartProps) => {
  const { t } = useTranslation();
  return (
    <>
      <div className="grid gap-5 wide:grid-cols-2">
        <WholeNumberField
          label={t("plan.maxPerUser")}
          min={0}
          hint={t("plan.maxPerUserHint")}
          {...form.text("maxPerUser")}
        />
        <WholeNumberField
          label={t("plan.sortOrder")}
          hint={t("plan.sortOrderHint")}
          {...form.text("sortOrder")}
        />
      </div>
      <SwitchField label={t("plan.isEnabled")} hint={t("plan.isEnabledHint")} {...form.flag("isEnabled")} />
    </>
  );
};
