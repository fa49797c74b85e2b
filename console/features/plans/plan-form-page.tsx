import { standardSchemaResolver } from "@hookform/resolvers/standard-schema";
import { useQuery } from "@tanstack/react-query";
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
import { type UseFormReturn, useForm } from "react-hook-form";
import { useTranslation } from "react-i18next";
import { Field } from "../../components/field";
import { FormLoading, FormPage } from "../../components/form-page";
import { QuotaInput } from "../../components/quota-field";
import { Select } from "../../components/select";
import { SwitchField } from "../../components/switch-field";
import { TextAreaField, TextField } from "../../components/text-field";
import { useBackToList } from "../../lib/list-address";
import { notify } from "../../lib/notify";
import { useIdInAddress } from "../../lib/use-address";
import { useSave } from "../../lib/use-endpoint";
import { useFieldError } from "../../lib/use-field-error";
import { NEW_PLAN, type PlanFields, planFieldsSchema, toPlanBody, toPlanFields } from "./plan-form";
import { planQuery } from "./plan-queries";

/** /plan/manage/add */
export const AddPlanPage = () => <PlanForm initial={NEW_PLAN} />;

/** /plan/manage/edit/{id} */
export const EditPlanPage = () => {
  const { t } = useTranslation();
  const id = useIdInAddress();
  const { data, error, refetch } = useQuery(planQuery(id));
  if (!data) return <FormLoading title={t("plan.editTitle")} error={error} onRetry={() => void refetch()} />;
  return <PlanForm key={id} id={id} initial={toPlanFields(data)} />;
};

type Form = Pick<UseFormReturn<PlanFields>, "control" | "register" | "watch" | "setValue"> & {
  errorOf: ReturnType<typeof useFieldError<PlanFields>>;
};

const CHANGES = { shouldDirty: true } as const;

const PlanForm = ({ id, initial }: { id?: number; initial: PlanFields }) => {
  const { t } = useTranslation();
  const save = useSave(createPlan, changePlan);
  const { control, register, handleSubmit, watch, setValue, formState } = useForm<PlanFields>({
    defaultValues: initial,
    resolver: standardSchemaResolver(planFieldsSchema),
  });
  const errorOf = useFieldError(formState.errors);
  const leave = useBackToList("/plan/manage");
  const beyond = watch("beyond");
  const form = { control, register, watch, setValue, errorOf };
  const submit = handleSubmit((fields) =>
    save.mutate(
      { id, body: toPlanBody(fields) },
      {
        onSuccess: () => {
          notify.success(t("action.done"));
          leave(id === undefined ? "start" : "as-left");
        },
      },
    ),
  );
  return (
    <FormPage
      title={id === undefined ? t("plan.addTitle") : t("plan.editTitle")}
      description={id === undefined ? undefined : t("plan.editHint")}
      onSubmit={submit}
      onCancel={() => leave()}
      isSaving={save.isPending}
      isChanged={formState.isDirty}
    >
      <TextField
        label={t("plan.name")}
        isRequired
        maxLength={MAX_PLAN_TITLE}
        autoComplete="off"
        error={errorOf("title")}
        {...register("title")}
      />
      <TextAreaField
        label={t("plan.about")}
        maxLength={MAX_PLAN_TEXT}
        rows={2}
        hint={t("plan.aboutHint")}
        {...register("description")}
      />
      <TermsFields form={form} />
      <TextField
        label={t("plan.group")}
        maxLength={MAX_PLAN_GROUP}
        autoComplete="off"
        hint={t("plan.groupHint")}
        error={errorOf("group")}
        {...register("group")}
      />
      <Field label={t("plan.beyond")} hint={t(`plan.beyondHint.${beyond}`)}>
        {(control) => (
          <Select
            control={control}
            value={beyond}
            onChange={(value) => setValue("beyond", value, CHANGES)}
            groups={[
              { options: PLAN_BEYONDS.map((value) => ({ value, label: t(`plan.beyondText.${value}`) })) },
            ]}
          />
        )}
      </Field>
      <OfferFields form={form} />
    </FormPage>
  );
};

/** What the plan costs, gives and how long it lasts. */
const TermsFields = ({ form: { control: fields, register, watch, setValue, errorOf } }: { form: Form }) => {
  const { t } = useTranslation();
  const [durationUnit, reset] = watch(["durationUnit", "reset"]);
  return (
    <>
      <div className="grid gap-5 wide:grid-cols-3">
        <QuotaInput control={fields} name="price" label={t("plan.price")} error={errorOf("price")} />
        <TextField
          label={t("plan.duration")}
          type="number"
          step={1}
          min={1}
          max={MAX_PLAN_DURATION}
          inputMode="numeric"
          error={errorOf("durationCount", { max: MAX_PLAN_DURATION })}
          {...register("durationCount")}
        />
        <Field label={t("plan.unit")}>
          {(control) => (
            <Select
              control={control}
              value={durationUnit}
              onChange={(value) => setValue("durationUnit", value, CHANGES)}
              groups={[{ options: PLAN_TIMES.map((value) => ({ value, label: t(`plan.times.${value}`) })) }]}
            />
          )}
        </Field>
      </div>
      <div className="grid gap-5 wide:grid-cols-2">
        <QuotaInput control={fields} name="quota" label={t("plan.quota")} error={errorOf("quota")} />
        <Field label={t("plan.reset")} hint={t("plan.resetHint")}>
          {(control) => (
            <Select
              control={control}
              value={reset}
              onChange={(value) => setValue("reset", value, CHANGES)}
              groups={[
                { options: PLAN_RESETS.map((value) => ({ value, label: t(`plan.resets.${value}`) })) },
              ]}
            />
          )}
        </Field>
      </div>
    </>
  );
};

/** Whether, where and how often the plan is offered. */
const OfferFields = ({ form: { register, watch, setValue, errorOf } }: { form: Form }) => {
  const { t } = useTranslation();
  return (
    <>
      <div className="grid gap-5 wide:grid-cols-2">
        <TextField
          label={t("plan.maxPerUser")}
          type="number"
          step={1}
          min={0}
          inputMode="numeric"
          hint={t("plan.maxPerUserHint")}
          error={errorOf("maxPerUser")}
          {...register("maxPerUser")}
        />
        <TextField
          label={t("plan.sortOrder")}
          type="number"
          step={1}
          inputMode="numeric"
          hint={t("plan.sortOrderHint")}
          error={errorOf("sortOrder")}
          {...register("sortOrder")}
        />
      </div>
      <SwitchField
        label={t("plan.isEnabled")}
        hint={t("plan.isEnabledHint")}
        isOn={watch("isEnabled")}
        onChange={(isOn) => setValue("isEnabled", isOn, CHANGES)}
      />
    </>
  );
};
