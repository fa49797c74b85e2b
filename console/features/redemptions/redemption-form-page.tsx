import { standardSchemaResolver } from "@hookform/resolvers/standard-schema";
import { useQuery } from "@tanstack/react-query";
import {
  changeRedemption,
  createRedemptions,
  MAX_REDEMPTION_COUNT,
  MAX_REDEMPTION_NAME,
  MAX_REDEMPTION_USES,
} from "@tollgate/contract/api/redemptions";
import { Controller, useForm } from "react-hook-form";
import { useTranslation } from "react-i18next";
import { DateTimeField } from "../../components/date-time-field";
import { FormLoading, FormPage } from "../../components/form-page";
import { QuotaInput } from "../../components/quota-field";
import { TextField } from "../../components/text-field";
import { useBackToList } from "../../lib/list-address";
import { notify } from "../../lib/notify";
import { useIdInAddress } from "../../lib/use-address";
import { useEndpoint } from "../../lib/use-endpoint";
import { useFieldError } from "../../lib/use-field-error";
import { downloadText } from "./download-text";
import {
  NEW_REDEMPTION,
  type RedemptionFields,
  redemptionFieldsSchema,
  toRedemptionBody,
  toRedemptionBounds,
  toRedemptionFields,
} from "./redemption-form";
import { redemptionQuery } from "./redemption-queries";
import { RedemptionUses } from "./redemption-uses";

/** /redemption/add */
export const AddRedemptionPage = () => <RedemptionForm initial={NEW_REDEMPTION} />;

/** /redemption/edit/{id} */
export const EditRedemptionPage = () => {
  const { t } = useTranslation();
  const id = useIdInAddress();
  const { data, error, refetch } = useQuery(redemptionQuery(id));
  if (!data)
    return <FormLoading title={t("redemption.editTitle")} error={error} onRetry={() => void refetch()} />;
  return (
    <div className="flex flex-col gap-6">
      <RedemptionForm key={id} id={id} initial={toRedemptionFields(data)} />
      {data.usedCount > 0 && (
        <div className="mx-auto w-full max-w-[720px]">
          <RedemptionUses id={id} />
        </div>
      )}
    </div>
  );
};

const RedemptionForm = ({ id, initial }: { id?: number; initial: RedemptionFields }) => {
  const { t } = useTranslation();
  const create = useEndpoint(createRedemptions);
  const update = useEndpoint(changeRedemption);
  const isNew = id === undefined;
  const { control, register, handleSubmit, formState } = useForm<RedemptionFields>({
    defaultValues: initial,
    resolver: standardSchemaResolver(redemptionFieldsSchema(isNew)),
  });
  const errorOf = useFieldError(formState.errors);
  const leave = useBackToList("/redemption");
  const done = () => {
    notify.success(t("action.done"));
    leave(isNew ? "start" : "as-left");
  };

  const submit = handleSubmit((fields) => {
    const body = toRedemptionBody(fields);
    if (!isNew) {
      // Both always: some servers overwrite what is left out (contract section 6.4).
      const { name, quota } = body;
      const bounds = toRedemptionBounds(fields, initial);
      update.mutate({ body: { id, name, quota, ...bounds } }, { onSuccess: done });
      return;
    }
    create.mutate(
      { body },
      {
        onSuccess: (codes) => {
          const file = `${body.name}.txt`;
          downloadText(codes.map((code) => `${code}\n`).join(""), file);
          notify.info(t("redemption.created", { file }));
          done();
        },
      },
    );
  });

  return (
    <FormPage
      title={isNew ? t("redemption.addTitle") : t("redemption.editTitle")}
      description={isNew ? t("redemption.downloadHint") : undefined}
      onSubmit={submit}
      onCancel={() => leave()}
      isSaving={create.isPending || update.isPending}
      isChanged={formState.isDirty}
    >
      <TextField
        label={t("field.name")}
        isRequired={isNew}
        maxLength={MAX_REDEMPTION_NAME}
        autoComplete="off"
        placeholder={t("redemption.namePlaceholder")}
        error={errorOf("name")}
        {...register("name")}
      />
      <QuotaInput
        control={control}
        name="quota"
        label={t("field.quota")}
        startsIn="points"
        min={1}
        error={errorOf("quota")}
      />
      {isNew && (
        <TextField
          label={t("redemption.count")}
          type="number"
          step={1}
          min={1}
          max={MAX_REDEMPTION_COUNT}
          inputMode="numeric"
          error={errorOf("count", { max: MAX_REDEMPTION_COUNT })}
          {...register("count")}
        />
      )}
      <TextField
        label={t("redemption.uses")}
        type="number"
        step={1}
        min={1}
        max={MAX_REDEMPTION_USES}
        inputMode="numeric"
        hint={t("redemption.usesHint")}
        error={errorOf("uses", { max: MAX_REDEMPTION_USES })}
        {...register("uses")}
      />
      <Controller
        control={control}
        name="expires"
        render={({ field }) => (
          <DateTimeField
            label={t("redemption.expires")}
            value={field.value}
            placeholder={t("redemption.expiresNever")}
            error={errorOf("expires")}
            onChange={field.onChange}
          />
        )}
      />
    </FormPage>
  );
};
