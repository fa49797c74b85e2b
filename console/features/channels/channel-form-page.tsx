import { useQuery } from "@tanstack/react-query";
import { Link } from "@tanstack/react-router";
import { type Channel, changeChannel, createChannels, getChannel } from "@tollgate/contract/api/channels";
import { VENDOR_FORMS } from "@tollgate/vendors/slim/forms";
import { type ClipboardEvent, useState } from "react";
import { flushSync } from "react-dom";
import type { FieldErrors } from "react-hook-form";
import { useTranslation } from "react-i18next";
import { AdvancedSection } from "../../components/advanced-section";
import { ChoicesField } from "../../components/choices-field";
import { Field } from "../../components/field";
import { EditPage, FormPage } from "../../components/form-page";
import { LazyBoundary } from "../../components/lazy-boundary";
import { Segmented } from "../../components/segmented";
import { SwitchField } from "../../components/switch-field";
import { TextAreaField, TextField } from "../../components/text-field";
import { RefusedError, refusedField } from "../../lib/api-client";
import { groupsQuery } from "../../lib/groups";
import { findJsonMistake } from "../../lib/json-text";
import { notify } from "../../lib/notify";
import { useEndpoint, useUpdate } from "../../lib/use-endpoint";
import { type FieldsForm, type RecordFormProps, useRecordForm } from "../../lib/use-fields";
import { ChannelChoiceTable } from "./channel-choice-table";
import {
  CHANNEL_WIRE_NAMES,
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
import { ChannelLimitsSection, ChannelTimesSection } from "./channel-limits-section";
import { channelQuery } from "./channel-queries";
import { ModelsField } from "./models-field";
import { findOverrideMistake } from "./override-fields";
import { hasOverrides, OverridesSection } from "./overrides-section";
import { TestButtons } from "./test-button";
import { TypeSelect } from "./type-select";

// Loaded on demand, because few channels have a calendar.
const loadCalendarField = () => import("./calendar-field");

/** /channel/add */
export const AddChannelPage = () => <ChannelForm initial={NEW_CHANNEL} />;

/** /channel/edit/{id} */
export const EditChannelPage = () => {
  const { t } = useTranslation();
  return (
    <EditPage title={t("channelForm.editTitle")} query={channelQuery}>
      {(channel, id) => <ChannelForm id={id} initial={toChannelFields(channel)} known={channel} />}
    </EditPage>
  );
};

const MAPPING_EXAMPLE = JSON.stringify(
  { "gpt-3.5-turbo-0301": "gpt-3.5-turbo", "gpt-4-0314": "gpt-4" },
  null,
  2,
);

interface ChannelFormProps extends RecordFormProps<ChannelFields> {
  /** The stored channel. */
  known?: Channel;
}

const ChannelForm = ({ id, initial, known }: ChannelFormProps) => {
  const { t } = useTranslation();
  const form = useChannelForm(id, initial);
  return (
    <FormPage
      title={form.isNew ? t("channelForm.addTitle") : t("channelForm.editTitle")}
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
      aside={known && <TestButtons channel={known} />}
      isSaving={form.isSaving}
      {...form.page(form.save, form.reportMistakes)}
    >
      <UpstreamFields form={form} />
      <ModelsFields form={form} asked={() => toFetchBody(id, form.getValues(), form.before)} />
      <KeyFields form={form} known={known} />
      <TextField
        label={t("channelForm.httpProxy")}
        hint={t("channelForm.httpProxyHint")}
        placeholder="http://user:password@proxy.example.com:8080"
        autoComplete="off"
        spellCheck={false}
        {...form.text("proxy")}
      />
      <ChannelLimitsSection form={form} />
      <ChannelTimesSection form={form} />
      <WorkSection form={form} />
      <OverridesSection
        {...form.value("overrides")}
        mistake={form.errors.overrides && findOverrideMistake(form.watch("overrides"))}
        refusal={form.errorOf("overrides")}
        isOpen={hasOverrides(initial.overrides)}
      />
      {id !== undefined && <ChannelChoiceTable id={id} />}
    </FormPage>
  );
};

/** The form of a channel and its save function. */
const useChannelForm = (id: number | undefined, initial: ChannelFields) => {
  const { t } = useTranslation();
  const schema = channelFieldsSchema(id === undefined);
  const form = useRecordForm({ id, initial, schema, wireNames: CHANNEL_WIRE_NAMES, list: "/channel" });
  const create = useEndpoint(createChannels, form);
  const update = useUpdate(getChannel, changeChannel, form);
  const save = (typed: ChannelFields) => {
    const onSuccess = () => form.done();
    const onError = (failure: Error) => {
      // Other servers do not name the field.
      const isUnnamed = failure instanceof RefusedError && refusedField(failure) === undefined;
      if (isUnnamed && mayNeedKeyAgain(typed, form.before))
        form.setError("key", { message: "channelForm.keyAgain" }, { shouldFocus: true });
    };
    if (id === undefined) create.mutate({ body: toCreateBody(typed) }, { onSuccess });
    else {
      const toBody = (now: Channel) => toUpdateBody(id, typed, form.before, toChannelFields(now));
      update.mutate({ id, toBody }, { onSuccess, onError });
    }
  };
  const reportMistakes = (errors: FieldErrors<ChannelFields>) => {
    if (errors.name || errors.key) notify.info(t("channelForm.nameOrKeyMissing"));
    else if (errors.models) notify.info(t("channelForm.modelsMissing"));
    else if (errors.mapping) notify.info(t("channelForm.mappingInvalid"));
    else if (errors.overrides) notify.info(t("channelOverrides.invalid"));
  };
  return { ...form, save, reportMistakes, isSaving: create.isPending || update.isPending };
};

interface PartProps {
  form: FieldsForm<ChannelFields> & { isNew: boolean };
}

/** Vendor and address of the upstream. */
const UpstreamFields = ({ form }: PartProps) => {
  const { t } = useTranslation();
  const type = form.watch("type");
  const vendor = VENDOR_FORMS[type];
  const isAddressNeeded = needsBaseUrl(type);
  const address = vendor?.baseUrlField;
  const changeType = (next: number) => {
    form.setValue("other", otherForType(next, type, form.getValues("other")));
    form.setValue("type", next);
    form.clearErrors("type");
    // Set last, so that this check for changes covers the whole form.
    form.setValue("models", modelsForType(next, form.getValues("models")), { shouldDirty: true });
  };
  return (
    <>
      <div className="grid gap-5 wide:grid-cols-2">
        <Field label={t("field.type")} isRequired error={form.errorOf("type")}>
          {(control) => <TypeSelect control={control} value={type} onChange={changeType} />}
        </Field>
        <TextField
          label={t("field.name")}
          isRequired={form.isNew}
          autoComplete="off"
          placeholder={t("channelForm.namePlaceholder")}
          {...form.text("name")}
        />
      </div>
      <TextField
        label={address?.label ?? (isAddressNeeded ? t("channelForm.baseUrl") : t("channelForm.proxy"))}
        isRequired={isAddressNeeded}
        type="url"
        autoComplete="off"
        placeholder={
          vendor?.baseUrl || (address && t("channelForm.baseUrlExample", { address: address.example }))
        }
        hint={isAddressNeeded ? undefined : t("channelForm.proxyHint")}
        {...form.text("baseUrl")}
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
          {...form.text("other")}
        />
      )}
    </>
  );
};

interface ModelsFieldsProps extends PartProps {
  /** Request for the upstream's models. */
  asked: () => ReturnType<typeof toFetchBody>;
}

/** The channel's models and groups. */
const ModelsFields = ({ form, asked }: ModelsFieldsProps) => {
  const { t } = useTranslation();
  const { data: groups = [] } = useQuery(groupsQuery);
  const { error, ...mapping } = form.text("mapping");
  // Watched, because the mistake moves while the text is edited.
  const place = error === undefined ? undefined : findJsonMistake(form.watch("mapping"));
  const detail = place ? t("json.mistakeAt", { ...place }) : t("channelForm.mappingShape");
  return (
    <>
      <ChoicesField
        label={t("field.group")}
        isRequired
        options={groups}
        placeholder={t("channelForm.groupPlaceholder")}
        {...form.value("groups")}
      />
      <ModelsField mapping={() => form.getValues("mapping")} asked={asked} {...form.value("models")} />
      <TextAreaField
        label={t("channelForm.mapping")}
        hint={t("channelForm.mappingHint")}
        error={error && `${error}\n${detail}`}
        placeholder={MAPPING_EXAMPLE}
        spellCheck={false}
        className="min-h-32 font-mono text-sm"
        {...mapping}
      />
    </>
  );
};

/** One key, several keys for one channel, or several for one channel each. */
type KeyMode = (typeof KEY_MODES)[number];
const KEY_MODES = ["one", "pool", "each"] as const;

interface KeyFieldsProps extends PartProps {
  known: Channel | undefined;
}

/** The upstream's key or keys. */
const KeyFields = ({ form, known }: KeyFieldsProps) => {
  const { t } = useTranslation();
  const { isNew } = form;
  const vendor = VENDOR_FORMS[form.watch("type")];
  const [mode, setMode] = useState<KeyMode>("one");
  const isBatch = mode !== "one" || form.before.isMultiKey;
  const chooseMode = (next: KeyMode) => {
    setMode(next);
    form.set("isMultiKey", next === "pool");
  };
  /** Keeps pasted lines apart as several keys, which a single-line field would join. */
  const pasteKeys = (event: ClipboardEvent) => {
    const keys = event.clipboardData.getData("text").trim();
    if (!keys.includes("\n")) return;
    event.preventDefault();
    flushSync(() => chooseMode("pool"));
    form.setValue("key", keys, { shouldDirty: true });
    form.setFocus("key");
  };
  const keysHint =
    known && known.keyCount > 1
      ? t("channelForm.keysKnown", { count: known.keyCount, dead: known.deadKeyCount })
      : undefined;
  const keyHint = vendor?.keyFormat
    ? t("channelForm.keyFormat", { format: vendor.keyFormat })
    : vendor?.keyDocument && t(`channelForm.keyDocument.${vendor.keyDocument}`);
  const placeholder = isBatch ? t("channelForm.keysPlaceholder") : t("channelForm.keyPlaceholder");
  const field = {
    label: t("field.key"),
    isRequired: isNew,
    autoComplete: "off",
    spellCheck: false,
    placeholder: isNew ? placeholder : t("channelForm.keyKept"),
    hint: [keysHint, keyHint].filter(Boolean).join("\n") || undefined,
    ...form.text("key"),
  };
  return (
    <>
      {isBatch || vendor?.keyDocument ? (
        <TextAreaField className="min-h-32 font-mono text-sm" {...field} />
      ) : (
        <TextField onPaste={isNew ? pasteKeys : undefined} {...field} />
      )}
      {isNew && (
        <div className="-mt-2 flex flex-col items-start gap-1.5">
          <Segmented
            label={t("channelForm.keyMode.label")}
            value={mode}
            segments={KEY_MODES.map((value) => ({ value, label: t(`channelForm.keyMode.${value}`) }))}
            onChange={chooseMode}
          />
          <p className="text-sm text-ink-2">{t(`channelForm.keyModeHint.${mode}`)}</p>
        </div>
      )}
    </>
  );
};

/** Tag, tests and calendar. */
const WorkSection = ({ form }: PartProps) => {
  const { t } = useTranslation();
  const { tag, testModel, skipsTests, calendar } = form.before;
  const isSet = tag !== "" || testModel !== "" || skipsTests || Object.keys(calendar).length > 0;
  return (
    <AdvancedSection
      title={t("channelForm.work")}
      hint={t("channelForm.workHint")}
      isOpen={isSet}
      hasMistake={(["tag", "testModel", "calendar"] as const).some((name) => form.errors[name])}
    >
      <div className="grid gap-5 wide:grid-cols-2">
        <TextField
          label={t("channelForm.tag")}
          hint={t("channelForm.tagHint")}
          maxLength={100}
          autoComplete="off"
          {...form.text("tag")}
        />
        <TextField
          label={t("channelForm.testModel")}
          hint={t("channelForm.testModelHint")}
          placeholder="gpt-3.5-turbo"
          maxLength={100}
          autoComplete="off"
          {...form.text("testModel")}
        />
      </div>
      <SwitchField
        label={t("channelForm.skipsTests")}
        hint={t("channelForm.skipsTestsHint")}
        {...form.flag("skipsTests")}
      />
      <LazyBoundary load={loadCalendarField} with={form.value("calendar")} />
    </AdvancedSection>
  );
};
