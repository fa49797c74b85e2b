import { standardSchemaResolver } from "@hookform/resolvers/standard-schema";
import { useQuery } from "@tanstack/react-query";
import {
  ANNOUNCEMENT_LEVELS,
  changeAnnouncement,
  createAnnouncement,
  MAX_ANNOUNCEMENT_BODY,
  MAX_ANNOUNCEMENT_TITLE,
} from "@tollgate/contract/api/announcements";
import { useState } from "react";
import { useForm } from "react-hook-form";
import { useTranslation } from "react-i18next";
import { DateTimeField } from "../../components/date-time-field";
import { Field } from "../../components/field";
import { FormLoading, FormPage } from "../../components/form-page";
import { MultiSelect } from "../../components/multi-select";
import { RichText } from "../../components/rich-text";
import { Segmented } from "../../components/segmented";
import { Select } from "../../components/select";
import { SwitchField } from "../../components/switch-field";
import { TextAreaField, TextField } from "../../components/text-field";
import { groupsQuery } from "../../lib/groups";
import { useBackToList } from "../../lib/list-address";
import { notify } from "../../lib/notify";
import { useIdInAddress } from "../../lib/use-address";
import { useSave } from "../../lib/use-endpoint";
import { useFieldError } from "../../lib/use-field-error";
import {
  type AnnouncementFields,
  announcementFieldsSchema,
  NEW_ANNOUNCEMENT,
  toAnnouncementBody,
  toAnnouncementFields,
} from "./announcement-form";
import { announcementQuery } from "./announcement-queries";

/** /setting/announcements/add */
export const AddAnnouncementPage = () => <AnnouncementForm initial={NEW_ANNOUNCEMENT} />;

/** /setting/announcements/edit/{id} */
export const EditAnnouncementPage = () => {
  const { t } = useTranslation();
  const id = useIdInAddress();
  const { data, error, refetch } = useQuery(announcementQuery(id));
  if (!data)
    return <FormLoading title={t("announcement.editTitle")} error={error} onRetry={() => void refetch()} />;
  return <AnnouncementForm key={id} id={id} initial={toAnnouncementFields(data)} />;
};

const AnnouncementForm = ({ id, initial }: { id?: number; initial: AnnouncementFields }) => {
  const { t } = useTranslation();
  const save = useSave(createAnnouncement, changeAnnouncement);
  const { data: groups = [] } = useQuery(groupsQuery);
  const { register, handleSubmit, watch, setValue, formState } = useForm<AnnouncementFields>({
    defaultValues: initial,
    resolver: standardSchemaResolver(announcementFieldsSchema),
  });
  const errorOf = useFieldError(formState.errors);
  const leave = useBackToList("/setting/announcements");
  const fields = watch();
  const set = { shouldDirty: true, shouldValidate: formState.isSubmitted } as const;
  const submit = handleSubmit((typed) =>
    save.mutate(
      { id, body: toAnnouncementBody(typed) },
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
      title={id === undefined ? t("announcement.addTitle") : t("announcement.editTitle")}
      onSubmit={submit}
      onCancel={() => leave()}
      isSaving={save.isPending}
      isChanged={formState.isDirty}
    >
      <TextField
        label={t("announcement.name")}
        isRequired
        autoComplete="off"
        error={errorOf("title", { max: MAX_ANNOUNCEMENT_TITLE })}
        {...register("title")}
      />
      <BodyField
        body={fields.body}
        error={errorOf("body", { max: MAX_ANNOUNCEMENT_BODY })}
        onChange={(body) => setValue("body", body, set)}
      />
      <Field label={t("announcement.level")}>
        {(control) => (
          <Select
            control={control}
            value={fields.level}
            onChange={(level) => setValue("level", level, set)}
            groups={[
              {
                options: ANNOUNCEMENT_LEVELS.map((value) => ({
                  value,
                  label: t(`announcement.levels.${value}`),
                })),
              },
            ]}
          />
        )}
      </Field>
      <div className="grid gap-5 wide:grid-cols-2">
        <DateTimeField
          label={t("announcement.startsAt")}
          value={fields.startsAt}
          onChange={(startsAt) => setValue("startsAt", startsAt, set)}
          hint={id === undefined ? t("announcement.startsHint") : t("announcement.startsKept")}
          error={errorOf("startsAt")}
        />
        <DateTimeField
          label={t("announcement.endsAt")}
          value={fields.endsAt}
          onChange={(endsAt) => setValue("endsAt", endsAt, set)}
          hint={t("announcement.endsHint")}
          error={errorOf("endsAt")}
        />
      </div>
      <Field label={t("announcement.groups")} hint={t("announcement.groupsHint")}>
        {(control) => (
          <MultiSelect
            control={control}
            label={t("announcement.groups")}
            values={fields.groups}
            options={groups}
            allowsOthers
            onChange={(chosen) => setValue("groups", chosen, set)}
          />
        )}
      </Field>
      <SwitchField
        label={t("announcement.isPublic")}
        hint={t("announcement.isPublicHint")}
        isOn={fields.isPublic && fields.groups.length === 0}
        disabled={fields.groups.length > 0}
        onChange={(isOn) => setValue("isPublic", isOn, set)}
      />
      <SwitchField
        label={t("announcement.isPinned")}
        hint={t("announcement.isPinnedHint")}
        isOn={fields.isPinned}
        onChange={(isOn) => setValue("isPinned", isOn, set)}
      />
    </FormPage>
  );
};

interface BodyFieldProps {
  body: string;
  error: string | undefined;
  onChange: (body: string) => void;
}

/** The Markdown of an announcement, to be written or looked at. */
const BodyField = ({ body, error, onChange }: BodyFieldProps) => {
  const { t } = useTranslation();
  const [view, setView] = useState<"write" | "preview">("write");
  const choice = (
    <Segmented
      label={t("announcement.view")}
      value={view}
      segments={[
        { value: "write", label: t("announcement.write") },
        { value: "preview", label: t("announcement.preview") },
      ]}
      onChange={setView}
    />
  );
  if (view === "write")
    return (
      <TextAreaField
        label={t("announcement.body")}
        aside={choice}
        rows={8}
        hint={t("announcement.bodyHint")}
        error={error}
        value={body}
        onChange={({ target }) => onChange(target.value)}
      />
    );
  return (
    <Field label={t("announcement.body")} aside={choice} error={error}>
      {({ id }) => (
        <section
          id={id}
          aria-label={t("announcement.preview")}
          className="min-h-24 rounded-md border border-line px-3 py-2"
        >
          {body.trim() === "" ? (
            <p className="text-ink-2">{t("announcement.noText")}</p>
          ) : (
            <RichText source={body} />
          )}
        </section>
      )}
    </Field>
  );
};
