import { createApiKeys, KEY_NUMBER, MAX_NEW_KEYS } from "@tollgate/contract/api/api-key-batches";
import {
  type ApiKey,
  changeApiKey,
  createApiKey,
  getApiKey,
  MAX_API_KEY_NAME,
} from "@tollgate/contract/api/api-keys";
import { splitList } from "@tollgate/contract/values/split-list";
import { useState } from "react";
import { useTranslation } from "react-i18next";
import { AdvancedSection } from "../../components/advanced-section";
import { AliasField } from "../../components/alias-field";
import { Button } from "../../components/button";
import { DateTimeField } from "../../components/date-time-field";
import { EditPage, FormPage } from "../../components/form-page";
import { LazyBoundary } from "../../components/lazy-boundary";
import { BudgetInputs, LimitInputs } from "../../components/limit-inputs";
import { QuotaInput } from "../../components/quota-field";
import { SettingInputs } from "../../components/setting-inputs";
import { SwitchField } from "../../components/switch-field";
import { TextField, WholeNumberField } from "../../components/text-field";
import { formatDate } from "../../lib/format";
import { notify } from "../../lib/notify";
import { hasListExtra } from "../../lib/status";
import { useEndpoint, useUpdate } from "../../lib/use-endpoint";
import { type FieldsForm, type RecordFormProps, useRecordForm } from "../../lib/use-fields";
import {
  ADVANCED_FIELDS,
  API_KEY_WIRE_NAMES,
  type ApiKeyFields,
  expiryAfter,
  hasAdvanced,
  NEW_TOKEN,
  PLAIN_SETTINGS,
  QUICK_EXPIRIES,
  toApiKeyBody,
  toApiKeyChange,
  toApiKeyFields,
  tokenFieldsSchema,
} from "./api-key-form";
import { tokenQuery } from "./api-key-queries";
import { BudgetChoice } from "./budget-choice";
import { GroupChoice } from "./group-choice";

// Loaded with the first keys that are created together.
const loadNewKeys = () => import("./new-keys-window");

/** /token/add */
export const AddApiKeyPage = () => <ApiKeyForm initial={NEW_TOKEN} />;

/** /token/edit/{id} */
export const EditApiKeyPage = () => {
  const { t } = useTranslation();
  return (
    <EditPage title={t("token.editTitle")} query={tokenQuery}>
      {(token, id) => <ApiKeyForm id={id} initial={toApiKeyFields(token)} />}
    </EditPage>
  );
};

const ApiKeyForm = ({ id, initial }: RecordFormProps<ApiKeyFields>) => {
  const { t } = useTranslation();
  const schema = tokenFieldsSchema(id === undefined);
  const form = useRecordForm({ id, initial, schema, wireNames: API_KEY_WIRE_NAMES, list: "/token" });
  const create = useEndpoint(createApiKey, form);
  const createMany = useEndpoint(createApiKeys, form);
  const [newKeys, setNewKeys] = useState<readonly ApiKey[]>();
  const update = useUpdate(getApiKey, changeApiKey, form);
  const values = form.watch();
  const isManySaving = createMany.isPending || newKeys !== undefined;

  const save = (typed: ApiKeyFields) => {
    const onSuccess = () => form.done(typed.name);
    const count = Number(typed.count);
    if (id !== undefined)
      update.mutate({ id, toBody: (now) => toApiKeyChange(now, typed, form.before) }, { onSuccess });
    else if (count > 1)
      createMany.mutate({ body: { count, ...toApiKeyBody(typed) } }, { onSuccess: setNewKeys });
    else create.mutate({ body: toApiKeyBody(typed) }, { onSuccess });
  };

  return (
    <FormPage
      title={form.isNew ? t("token.addTitle") : t("token.editTitle")}
      description={t("token.formNote")}
      isSaving={create.isPending || update.isPending || isManySaving}
      savingQuestion={isManySaving ? t("token.many.leave", { returnObjects: true }) : undefined}
      {...form.page(save, ({ expiry }) => expiry && notify.error(t("token.expiryInvalid")))}
    >
      <TextField
        label={t("field.name")}
        isRequired={form.isNew}
        maxLength={MAX_API_KEY_NAME}
        autoComplete="off"
        placeholder={t("token.namePlaceholder")}
        {...form.text("name")}
      />
      {form.isNew && hasListExtra("batches") && (
        <WholeNumberField
          label={t("token.many.count")}
          hint={Number(values.count) > 1 ? t("token.many.nameHint", { number: KEY_NUMBER }) : undefined}
          min={1}
          max={MAX_NEW_KEYS}
          {...form.text("count", { max: MAX_NEW_KEYS })}
        />
      )}
      {newKeys && <LazyBoundary load={loadNewKeys} with={{ keys: newKeys, onClose: () => form.done() }} />}
      <ExpiryField form={form} />
      <QuotaInput
        label={t("field.quota")}
        startsIn="points"
        disabled={values.isUnlimited}
        {...form.quota("quota")}
      />
      <SwitchField
        label={t("token.unlimited")}
        hint={t("token.unlimitedHint")}
        {...form.flag("isUnlimited")}
      />
      <BudgetInputs form={form} />
      <GroupChoice
        group={values.group}
        autoGroups={splitList(values.autoGroups)}
        errorOf={form.errorOf}
        onGroup={(group) => form.set("group", group)}
        onAutoGroups={(groups) => form.set("autoGroups", groups.join("\n"))}
      />
      <AdvancedSection
        title={t("limit.title")}
        hint={t("limit.keyHint")}
        isOpen={hasAdvanced(initial)}
        hasMistake={ADVANCED_FIELDS.some((name) => form.errors[name])}
      >
        <SettingInputs
          settings={PLAIN_SETTINGS}
          texts={t("token.setting", { returnObjects: true })}
          values={values}
          errorOf={form.errorOf}
          onChange={form.set}
        />
        <AliasField
          {...t("token.setting.modelAliases", { returnObjects: true })}
          {...form.value("modelAliases")}
        />
        <LimitInputs form={form} />
        <BudgetChoice form={form} />
      </AdvancedSection>
    </FormPage>
  );
};

/** The expiry of a key: typed, picked, or relative to now. */
const ExpiryField = ({ form }: { form: FieldsForm<ApiKeyFields> }) => {
  const { t } = useTranslation();
  return (
    <div className="flex flex-col gap-2">
      <DateTimeField
        label={t("field.expiredTime")}
        placeholder={t("token.expiryPlaceholder")}
        {...form.value("expiry")}
      />
      <fieldset className="flex flex-wrap gap-1.5">
        <legend className="sr-only">{t("token.quickExpiry")}</legend>
        {QUICK_EXPIRIES.map((step) => (
          <Button
            key={step}
            size="small"
            onClick={() => {
              const date = expiryAfter(step, new Date());
              form.set("expiry", date ? formatDate(date) : "");
            }}
          >
            {t(`token.expiry.${step}`)}
          </Button>
        ))}
      </fieldset>
    </div>
  );
};
