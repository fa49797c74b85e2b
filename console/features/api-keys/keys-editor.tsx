import { useTranslation } from "react-i18next";
import { BulkAliases } from "../../components/bulk-aliases";
import type { BulkEditorProps } from "../../components/bulk-bar";
import { BulkRow, BulkWindow, useBulkEdit } from "../../components/bulk-fields";
import { BulkLimits } from "../../components/bulk-limits";
import { DateTimeField } from "../../components/date-time-field";
import { QuotaField } from "../../components/quota-field";
import { Segmented } from "../../components/segmented";
import { GroupChoice } from "./group-choice";
import { NOTHING_TYPED, toKeysChange } from "./keys-change";

/** Edits many keys at once: only enabled fields are written, all others stay unchanged in each key. */
const KeysEditor = ({ isOpen, count, onClose, onSave }: BulkEditorProps) => {
  const { t } = useTranslation();
  const edit = useBulkEdit(NOTHING_TYPED);
  const { typed, put } = edit;
  const change = toKeysChange(typed, edit.on);
  return (
    <BulkWindow
      isOpen={isOpen}
      title={t("batch.keys.editTitle", { count })}
      canSave={change !== undefined}
      mistakes={edit.mistakes}
      onClose={onClose}
      onSave={() => onSave(change ?? {})}
      onSaved={edit.clear}
    >
      <p className="text-sm text-ink-2">{t("batch.editHint")}</p>
      <BulkRow edit={edit} name="group" label={t("keyGroup.label")}>
        <div className="flex min-w-0 flex-col gap-4">
          <GroupChoice
            isAlways
            group={typed.group}
            autoGroups={typed.autoGroups}
            errorOf={(name) => edit.errorOf(name === "group" ? "group" : "auto_groups")}
            onGroup={(group) => put("group", group)}
            onAutoGroups={(groups) => put("autoGroups", groups)}
          />
        </div>
      </BulkRow>
      <BulkRow edit={edit} name="expiry" label={t("field.expiredTime")}>
        <DateTimeField
          label={t("field.expiredTime")}
          placeholder={t("token.expiryPlaceholder")}
          value={typed.expiry}
          error={edit.errorOf("expired_time")}
          onChange={(expiry) => put("expiry", expiry)}
        />
      </BulkRow>
      <BulkRow edit={edit} name="quota" label={t("field.remainQuota")}>
        <QuotaField
          label={t("field.remainQuota")}
          value={typed.quota}
          error={edit.errorOf("remain_quota")}
          onChange={(quota) => put("quota", quota)}
        />
      </BulkRow>
      <BulkRow edit={edit} name="unlimited" label={t("token.unlimited")}>
        <div className="flex flex-col gap-1.5">
          <span className="font-medium text-sm">{t("token.unlimited")}</span>
          <Segmented
            label={t("token.unlimited")}
            value={typed.unlimited}
            segments={[
              { value: "yes", label: t("value.unlimited") },
              { value: "no", label: t("batch.keys.limited") },
            ]}
            onChange={(unlimited) => put("unlimited", unlimited)}
          />
        </div>
      </BulkRow>
      <BulkLimits edit={edit} typed={typed} onChange={put} />
      <BulkAliases
        edit={edit}
        value={typed.modelAliases}
        onChange={(aliases) => put("modelAliases", aliases)}
      />
    </BulkWindow>
  );
};

export default KeysEditor;
