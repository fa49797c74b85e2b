import { standardSchemaResolver } from "@hookform/resolvers/standard-schema";
import { useQuery } from "@tanstack/react-query";
import { changeToken, createToken, MAX_TOKEN_NAME } from "@tollgate/contract/api/tokens";
import { splitList } from "@tollgate/contract/values/split-list";
import { useForm } from "react-hook-form";
import { useTranslation } from "react-i18next";
import { AdvancedSection } from "../../components/advanced-section";
import { Button } from "../../components/button";
import { DateTimeField } from "../../components/date-time-field";
import { FormLoading, FormPage } from "../../components/form-page";
import { BudgetInputs, LimitInputs } from "../../components/limit-inputs";
import { QuotaInput } from "../../components/quota-field";
import { SettingInputs } from "../../components/setting-inputs";
import { SwitchField } from "../../components/switch-field";
import { TextField } from "../../components/text-field";
import { formatDate } from "../../lib/format";
import { useBackToList } from "../../lib/list-address";
import { notify } from "../../lib/notify";
import { useIdInAddress } from "../../lib/use-address";
import { useEndpoint } from "../../lib/use-endpoint";
import { useFieldError } from "../../lib/use-field-error";
import { GroupChoice } from "./group-choice";
import {
  expiryAfter,
  FOLDED_SETTINGS,
  hasAdvanced,
  NEW_TOKEN,
  QUICK_EXPIRIES,
  type TokenFields,
  tokenFieldsSchema,
  toTokenBody,
  toTokenFields,
} from "./token-form";
import { tokenQuery } from "./token-queries";

/** /token/add */
export const AddTokenPage = () => <TokenForm initial={NEW_TOKEN} />;

/** /token/edit/{id} */
export const EditTokenPage = () => {
  const { t } = useTranslation();
  const id = useIdInAddress();
  const { data, error, refetch } = useQuery(tokenQuery(id));
  if (!data) return <FormLoading title={t("token.editTitle")} error={error} onRetry={() => void refetch()} />;
  return <TokenForm key={id} id={id} initial={toTokenFields(data)} />;
};

const TokenForm = ({ id, initial }: { id?: number; initial: TokenFields }) => {
  const { t } = useTranslation();
  const create = useEndpoint(createToken);
  const change = useEndpoint(changeToken);
  const { control, register, handleSubmit, setValue, watch, formState } = useForm<TokenFields>({
    defaultValues: initial,
    resolver: standardSchemaResolver(tokenFieldsSchema(id === undefined)),
  });
  const errorOf = useFieldError(formState.errors);
  const values = watch();
  const { expiry, isUnlimited } = values;
  const leave = useBackToList("/token");

  const submit = handleSubmit(
    (fields) => {
      // Compared with what the form began with: the key may have been read again since.
      const body = toTokenBody(fields, formState.defaultValues as TokenFields);
      const onSuccess = () => {
        notify.success(t("action.done"));
        if (id === undefined) leave("start", fields.name);
        else leave("as-left");
      };
      if (id === undefined) create.mutate({ body }, { onSuccess });
      else change.mutate({ body: { id, ...body } }, { onSuccess });
    },
    (errors) => {
      if (errors.expiry) notify.error(t("token.expiryInvalid"));
    },
  );

  return (
    <FormPage
      title={id === undefined ? t("token.addTitle") : t("token.editTitle")}
      description={t("token.formNote")}
      onSubmit={submit}
      onCancel={() => leave()}
      isSaving={create.isPending || change.isPending}
      isChanged={formState.isDirty}
    >
      <TextField
        label={t("field.name")}
        isRequired={id === undefined}
        maxLength={MAX_TOKEN_NAME}
        autoComplete="off"
        placeholder={t("token.namePlaceholder")}
        error={errorOf("name")}
        {...register("name")}
      />
      <div className="flex flex-col gap-2">
        <DateTimeField
          label={t("field.expiredTime")}
          value={expiry}
          onChange={(text) =>
            setValue("expiry", text, { shouldDirty: true, shouldValidate: formState.isSubmitted })
          }
          placeholder={t("token.expiryPlaceholder")}
          error={errorOf("expiry")}
        />
        <fieldset className="flex flex-wrap gap-1.5">
          <legend className="sr-only">{t("token.quickExpiry")}</legend>
          {QUICK_EXPIRIES.map((step) => (
            <Button
              key={step}
              size="small"
              onClick={() => {
                const date = expiryAfter(step, new Date());
                setValue("expiry", date ? formatDate(date) : "", { shouldDirty: true, shouldValidate: true });
              }}
            >
              {t(`token.expiry.${step}`)}
            </Button>
          ))}
        </fieldset>
      </div>
      <QuotaInput
        control={control}
        name="quota"
        label={t("field.quota")}
        startsIn="points"
        disabled={isUnlimited}
        error={errorOf("quota")}
      />
      <SwitchField
        label={t("token.unlimited")}
        hint={t("token.unlimitedHint")}
        isOn={isUnlimited}
        onChange={(isOn) => setValue("isUnlimited", isOn, { shouldDirty: true })}
      />
      <BudgetInputs control={control} errorOf={errorOf} />
      <GroupChoice
        group={values.group}
        autoGroups={splitList(values.autoGroups)}
        onGroup={(group) => setValue("group", group, { shouldDirty: true })}
        onAutoGroups={(groups) => setValue("autoGroups", groups.join("\n"), { shouldDirty: true })}
      />
      <AdvancedSection title={t("limit.title")} hint={t("limit.keyHint")} isOpen={hasAdvanced(initial)}>
        <SettingInputs
          settings={FOLDED_SETTINGS}
          texts={t("token.setting", { returnObjects: true })}
          values={values}
          errorOf={errorOf}
          onChange={(name, value) => setValue(name, value, { shouldDirty: true })}
        />
        <LimitInputs register={register} errorOf={errorOf} />
      </AdvancedSection>
    </FormPage>
  );
};
