import { standardSchemaResolver } from "@hookform/resolvers/standard-schema";
import { useQuery } from "@tanstack/react-query";
import { Link } from "@tanstack/react-router";
import { type Channel, changeChannel, createChannels } from "@tollgate/contract/api/channels";
import { VENDOR_FORMS } from "@tollgate/vendors/slim/forms";
import { type ClipboardEvent, useState } from "react";
import { flushSync } from "react-dom";
import { Controller, type FieldErrors, useForm } from "react-hook-form";
import { useTranslation } from "react-i18next";
import { AdvancedSection } from "../../components/advanced-section";
import { Field } from "../../components/field";
import { FormLoading, FormPage } from "../../components/form-page";
import { LazyBoundary } from "../../components/lazy-boundary";
import { MultiSelect } from "../../components/multi-select";
import { Segmented } from "../../components/segmented";
import { SwitchField } from "../../components/switch-field";
import { TextAreaField, TextField } from "../../components/text-field";
import { RefusedError } from "../../lib/api-client";
import { groupsQuery } from "../../lib/groups";
import { findJsonMistake } from "../../lib/json-text";
import { useBackToList } from "../../lib/list-address";
import { notify } from "../../lib/notify";
import { useIdInAddress } from "../../lib/use-address";
import { useEndpoint } from "../../lib/use-endpoint";
import { useFieldError } from "../../lib/use-field-error";
import { ChannelChoiceTable } from "./channel-choice-table";
import {
  type ChannelFields,
  channelFieldsSchema,
  mayNeedKeyAgain,
  modelsForType,
  NEW_CHANNEL,
  needsBaseUrl,
  otherForType,
  toChannelFields,
  toCreateBody,
  toFetchBody,
  toUpdateBody,
} from "./channel-form";
import { ChannelLimitsSection } from "./channel-limits-section";
import { channelQuery } from "./channel-queries";
import { ModelsField } from "./models-field";
import { findOverrideMistake } from "./override-fields";
import { hasOverrides, OverridesSection } from "./overrides-section";
import { TypeSelect } from "./type-select";

// Few channels have a calendar.
const loadCalendarField = () => import("./calendar-field");

/** /channel/add */
export const AddChannelPage = () => <ChannelForm initial={NEW_CHANNEL} />;

/** /channel/edit/{id} */
export const EditChannelPage = () => {
  const { t } = useTranslation();
  const id = useIdInAddress();
  const { data, error, refetch } = useQuery(channelQuery(id));
  if (!data)
    return <FormLoading title={t("channelForm.editTitle")} error={error} onRetry={() => void refetch()} />;
  return <ChannelForm key={id} id={id} initial={toChannelFields(data)} known={data} />;
};

const MAPPING_EXAMPLE = JSON.stringify(
  { "gpt-3.5-turbo-0301": "gpt-3.5-turbo", "gpt-4-0314": "gpt-4" },
  null,
  2,
);

/** Whether a new channel is given one key, or several: for one channel, or for a channel each. */
type KeyMode = (typeof KEY_MODES)[number];
const KEY_MODES = ["one", "pool", "each"] as const;

interface ChannelFormProps {
  id?: number;
  initial: ChannelFields;
  /** The channel as it is stored. */
  known?: Channel;
}

const ChannelForm = ({ id, initial, known }: ChannelFormProps) => {
  const { t } = useTranslation();
  const create = useEndpoint(createChannels);
  const change = useEndpoint(changeChannel);
  const groups = useQuery(groupsQuery);
  const isNew = id === undefined;
  const [keyMode, setKeyMode] = useState<KeyMode>("one");
  const isBatch = keyMode !== "one" || initial.isMultiKey;
  const { control, register, handleSubmit, setError, setFocus, setValue, getValues, watch, formState } =
    useForm<ChannelFields>({
      defaultValues: initial,
      resolver: standardSchemaResolver(channelFieldsSchema(isNew)),
    });
  const errorOf = useFieldError(formState.errors);
  const type = watch("type");
  const vendor = VENDOR_FORMS[type];
  const leave = useBackToList("/channel");
  const hasCalendar = Object.keys(initial.calendar).length > 0;

  const tellMistake = (errors: FieldErrors<ChannelFields>) => {
    if (errors.name || errors.key) notify.info(t("channelForm.nameOrKeyMissing"));
    else if (errors.models) notify.info(t("channelForm.modelsMissing"));
    else if (errors.mapping) notify.info(t("channelForm.mappingInvalid"));
    else if (errors.overrides) notify.info(t("channelOverrides.invalid"));
  };

  const submit = handleSubmit((fields) => {
    const onSuccess = () => {
      notify.success(t("action.done"));
      leave(isNew ? "start" : "as-left");
    };
    if (isNew) {
      create.mutate({ body: toCreateBody(fields) }, { onSuccess });
      return;
    }
    change.mutate(
      { body: toUpdateBody(id, fields, initial) },
      {
        onError: (failure) => {
          if (failure instanceof RefusedError && mayNeedKeyAgain(fields, initial))
            setError("key", { message: "channelForm.keyAgain" }, { shouldFocus: true });
        },
        onSuccess,
      },
    );
  }, tellMistake);

  const mappingError = () => {
    const error = errorOf("mapping");
    if (error === undefined) return undefined;
    // Watched: what is wrong with the text moves while it is mended.
    const place = findJsonMistake(watch("mapping"));
    return place
      ? `${error}\n${t("json.mistakeAt", { ...place })}`
      : `${error}\n${t("channelForm.mappingShape")}`;
  };

  const chooseKeys = (mode: KeyMode) => {
    setKeyMode(mode);
    setValue("isMultiKey", mode === "pool", { shouldDirty: true });
  };
  /** Several lines are several keys, which a field of one line would join. */
  const pasteKeys = (event: ClipboardEvent) => {
    const keys = event.clipboardData.getData("text").trim();
    if (!keys.includes("\n")) return;
    event.preventDefault();
    flushSync(() => chooseKeys("pool"));
    setValue("key", keys, { shouldDirty: true });
    setFocus("key");
  };

  const keyHint = vendor?.keyFormat
    ? t("channelForm.keyFormat", { format: vendor.keyFormat })
    : vendor?.keyDocument && t(`channelForm.keyDocument.${vendor.keyDocument}`);
  const keysHint =
    known && known.keyCount > 1
      ? t("channelForm.keysKnown", { count: known.keyCount, dead: known.deadKeyCount })
      : undefined;
  const keyProps = {
    label: t("field.key"),
    isRequired: isNew,
    autoComplete: "off",
    spellCheck: false,
    placeholder: isNew
      ? isBatch
        ? t("channelForm.keysPlaceholder")
        : t("channelForm.keyPlaceholder")
      : t("channelForm.keyKept"),
    hint: [keysHint, keyHint].filter(Boolean).join("\n") || undefined,
    error: errorOf("key"),
  };

  return (
    <FormPage
      title={isNew ? t("channelForm.addTitle") : t("channelForm.editTitle")}
      description={
        id !== undefined && (
          <Link
            to="/channel/buying/$id"
            params={{ id: String(id) }}
            className="text-accent underline underline-offset-2"
          >
            {t("channelForm.toBuyingPrices")}
          </Link>
        )
      }
      onSubmit={submit}
      onCancel={() => leave()}
      isSaving={create.isPending || change.isPending}
      isChanged={formState.isDirty}
    >
      <div className="grid gap-5 wide:grid-cols-2">
        <Field label={t("field.type")} isRequired>
          {(field) => (
            <TypeSelect
              control={field}
              value={type}
              onChange={(next) => {
                setValue("other", otherForType(next, type, getValues("other")));
                setValue("type", next);
                // The last one looks whether anything in the form has changed.
                setValue("models", modelsForType(next, getValues("models")), { shouldDirty: true });
              }}
            />
          )}
        </Field>
        <TextField
          label={t("field.name")}
          isRequired={isNew}
          autoComplete="off"
          placeholder={t("channelForm.namePlaceholder")}
          error={errorOf("name")}
          {...register("name")}
        />
      </div>
      <TextField
        label={
          vendor?.baseUrlField?.label ??
          (needsBaseUrl(type) ? t("channelForm.baseUrl") : t("channelForm.proxy"))
        }
        isRequired={needsBaseUrl(type)}
        type="url"
        autoComplete="off"
        placeholder={
          vendor?.baseUrl ||
          (vendor?.baseUrlField && t("channelForm.baseUrlExample", { address: vendor.baseUrlField.example }))
        }
        hint={needsBaseUrl(type) ? undefined : t("channelForm.proxyHint")}
        error={errorOf("baseUrl")}
        {...register("baseUrl")}
      />
      {vendor?.other && (
        <TextField
          label={t(`channelForm.other.${vendor.other.meaning}`)}
          autoComplete="off"
          placeholder={vendor.other.default}
          hint={
            vendor.other.default
              ? t("channelForm.otherDefault", { value: vendor.other.default })
              : t(
                  `channelForm.otherHint.${vendor.other.meaning === "private-address" ? "private-address" : "id"}`,
                )
          }
          {...register("other")}
        />
      )}
      <Controller
        control={control}
        name="groups"
        render={({ field }) => (
          <Field label={t("field.group")} isRequired error={errorOf("groups")}>
            {(props) => (
              <MultiSelect
                label={t("field.group")}
                control={props}
                values={field.value}
                options={groups.data ?? []}
                onChange={field.onChange}
                placeholder={t("channelForm.groupPlaceholder")}
              />
            )}
          </Field>
        )}
      />
      <Controller
        control={control}
        name="models"
        render={({ field }) => (
          <ModelsField
            values={field.value}
            onChange={field.onChange}
            error={errorOf("models")}
            mapping={() => getValues("mapping")}
            asked={() => toFetchBody(id, getValues(), initial)}
          />
        )}
      />
      <TextAreaField
        label={t("channelForm.mapping")}
        hint={t("channelForm.mappingHint")}
        error={mappingError()}
        placeholder={MAPPING_EXAMPLE}
        spellCheck={false}
        className="min-h-32 font-mono text-sm"
        {...register("mapping")}
      />
      {isBatch || vendor?.keyDocument ? (
        <TextAreaField {...keyProps} className="min-h-32 font-mono text-sm" {...register("key")} />
      ) : (
        <TextField {...keyProps} {...register("key")} onPaste={isNew ? pasteKeys : undefined} />
      )}
      {isNew && (
        <div className="-mt-2 flex flex-col items-start gap-1.5">
          <Segmented
            label={t("channelForm.keyMode.label")}
            value={keyMode}
            segments={KEY_MODES.map((mode) => ({ value: mode, label: t(`channelForm.keyMode.${mode}`) }))}
            onChange={chooseKeys}
          />
          <p className="text-sm text-ink-2">{t(`channelForm.keyModeHint.${keyMode}`)}</p>
        </div>
      )}
      <TextField
        label={t("channelForm.httpProxy")}
        hint={t("channelForm.httpProxyHint")}
        placeholder="http://user:password@proxy.example.com:8080"
        autoComplete="off"
        spellCheck={false}
        error={errorOf("proxy")}
        {...register("proxy")}
      />
      <ChannelLimitsSection
        initial={initial.limits}
        register={register}
        errorOf={(name) => (formState.errors.limits?.[name] ? t("channelLimit.invalid") : undefined)}
      />
      <AdvancedSection
        title={t("channelForm.work")}
        hint={t("channelForm.workHint")}
        isOpen={initial.tag !== "" || initial.testModel !== "" || initial.skipsTests || hasCalendar}
      >
        <div className="grid gap-5 wide:grid-cols-2">
          <TextField
            label={t("channelForm.tag")}
            hint={t("channelForm.tagHint")}
            maxLength={100}
            autoComplete="off"
            {...register("tag")}
          />
          <TextField
            label={t("channelForm.testModel")}
            hint={t("channelForm.testModelHint")}
            placeholder="gpt-3.5-turbo"
            maxLength={100}
            autoComplete="off"
            {...register("testModel")}
          />
        </div>
        <SwitchField
          label={t("channelForm.skipsTests")}
          hint={t("channelForm.skipsTestsHint")}
          isOn={watch("skipsTests")}
          onChange={(isOn) => setValue("skipsTests", isOn, { shouldDirty: true })}
        />
        <Controller
          control={control}
          name="calendar"
          render={({ field }) => (
            <LazyBoundary
              load={loadCalendarField}
              with={{ value: field.value, onChange: field.onChange, error: errorOf("calendar") }}
            />
          )}
        />
      </AdvancedSection>
      <Controller
        control={control}
        name="overrides"
        render={({ field }) => (
          <OverridesSection
            value={field.value}
            onChange={field.onChange}
            mistake={formState.errors.overrides && findOverrideMistake(field.value)}
            isOpen={hasOverrides(initial.overrides)}
          />
        )}
      />
      {id !== undefined && <ChannelChoiceTable id={id} />}
    </FormPage>
  );
};
