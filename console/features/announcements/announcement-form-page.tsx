import { useQuery } from "@tanstack/react-query";
import {
  ANNOUNCEMENT_LEVELS,
  changeAnnouncement,
  createAnnouncement,
  MAX_ANNOUNCEMENT_BODY,
  MAX_ANNOUNCEMENT_TITLE,
} from "@tollgate/contract/api/announcements";
import { useTranslation } from "react-i18next";
import { ChoicesField } from "../../components/choices-field";
import { DateTimeField } from "../../components/date-time-field";
import { EditPage, FormPage } from "../../components/form-page";
import { MarkdownField } from "../../components/markdown-field";
import { SelectField } from "../../components/select-field";
import { SwitchField } from "../../components/switch-field";
import { TextField } from "../../components/text-field";
import { groupsQuery } from "../../lib/groups";
import { useSave } from "../../lib/use-endpoint";
import { type RecordFormProps, useRecordForm } from "../../lib/use-fields";
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
  return (
    <EditPage title={t("announcement.editTitle")} query={announcementQuery}>
      {(announcement, id) => <AnnouncementForm id={id} initial={toAnnouncementFields(announcement)} />}
    </EditPage>
  );
};

const AnnouncementForm = ({ id, initial }: RecordFormProps<AnnouncementFields>) => {
  const { t } = useTranslation();
  const { data: groups = [] } = useQuery(groupsQuery);
  const form = useRecordForm({
    id,
    initial,
    schema: announcementFieldsSchema,
    list: "/setting/announcements",
  });
  const save = useSave(createAnnouncement, changeAnnouncement, form);
  const isForGroups = form.watch("groups").length > 0;
  const isPublic = form.flag("isPublic");
  return (
    <FormPage
      title={form.isNew ? t("announcement.addTitle") : t("announcement.editTitle")}
      isSaving={save.isPending}
      {...form.page((typed) =>
        save.mutate({ id, body: toAnnouncementBody(typed) }, { onSuccess: () => form.done() }),
      )}
    >
      <TextField
        label={t("announcement.name")}
        isRequired
        autoComplete="off"
        {...form.text("title", { max: MAX_ANNOUNCEMENT_TITLE })}
      />
      <MarkdownField
        label={t("announcement.body")}
        hint={t("announcement.bodyHint")}
        {...form.value("body", { max: MAX_ANNOUNCEMENT_BODY })}
      />
      <SelectField
        label={t("announcement.level")}
        options={ANNOUNCEMENT_LEVELS.map((value) => ({ value, label: t(`announcement.levels.${value}`) }))}
        {...form.value("level")}
      />
      <div className="grid gap-5 wide:grid-cols-2">
        <DateTimeField
          label={t("announcement.startsAt")}
          hint={form.isNew ? t("announcement.startsHint") : t("announcement.startsKept")}
          {...form.value("startsAt")}
        />
        <DateTimeField
          label={t("announcement.endsAt")}
          hint={t("announcement.endsHint")}
          {...form.value("endsAt")}
        />
      </div>
      <ChoicesField
        label={t("announcement.groups")}
        hint={t("announcement.groupsHint")}
        options={groups}
        allowsOthers
        {...form.value("groups")}
      />
      <SwitchField
        label={t("announcement.isPublic")}
        hint={t("announcement.isPublicHint")}
        {...isPublic}
        isOn={isPublic.isOn && !isForGroups}
        disabled={isForGroups}
      />
      <SwitchField
        label={t("announcement.isPinned")}
        hint={t("announcement.isPinnedHint")}
        {...form.flag("isPinned")}
      />
    </FormPage>
  );
};
