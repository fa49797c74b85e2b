import { useQuery } from "@tanstack/react-query";
import { encodeUserBody } from "@tollgate/contract/api/user";
import { readGroups } from "@tollgate/contract/management/group";
import { useTranslation } from "react-i18next";
import { BulkAliases, toAliasChange } from "../../components/bulk-aliases";
import type { BulkEditorProps } from "../../components/bulk-bar";
import { BulkRow, BulkWindow, useBulkEdit } from "../../components/bulk-fields";
import { BulkLimits } from "../../components/bulk-limits";
import { ChoicesField } from "../../components/choices-field";
import { groupsQuery } from "../../lib/groups";
import { type LimitFields, NO_LIMITS } from "../../lib/limit-fields";
import { toLimitChange } from "../../lib/typed-limits";

interface TypedUsers extends LimitFields {
  groups: string[];
  /** JSON text; "" for none. */
  modelAliases: string;
}

const NOTHING_TYPED: TypedUsers = { groups: [], modelAliases: "", ...NO_LIMITS };

/** The change that a field makes; undefined while its value is invalid. */
const toFieldChange = (name: keyof TypedUsers, typed: TypedUsers): object | undefined => {
  if (name === "modelAliases") return toAliasChange(typed.modelAliases);
  if (name !== "groups") return toLimitChange(name, typed);
  const group = readGroups(typed.groups.join(",")).join(",");
  return group === "" ? undefined : { group };
};

/** The change that the enabled fields make together; undefined without any, or while one of them is invalid. */
const toUsersChange = (typed: TypedUsers, enabled: ReadonlySet<keyof TypedUsers>): object | undefined => {
  const change = {};
  for (const name of enabled) {
    const part = toFieldChange(name, typed);
    if (!part) return undefined;
    Object.assign(change, part);
  }
  return enabled.size === 0 ? undefined : encodeUserBody(change);
};

/** Edits many users at once: only enabled fields are written, all others stay unchanged in each user. */
const UsersEditor = ({ isOpen, count, onClose, onSave }: BulkEditorProps) => {
  const { t } = useTranslation();
  const { data: groups = [] } = useQuery(groupsQuery);
  const edit = useBulkEdit(NOTHING_TYPED);
  const change = toUsersChange(edit.typed, edit.on);
  return (
    <BulkWindow
      isOpen={isOpen}
      title={t("batch.users.editTitle", { count })}
      canSave={change !== undefined}
      mistakes={edit.mistakes}
      onClose={onClose}
      onSave={() => onSave(change ?? {})}
      onSaved={edit.clear}
    >
      <p className="text-sm text-ink-2">{t("batch.editHint")}</p>
      <BulkRow edit={edit} name="groups" label={t("user.groupField")}>
        <ChoicesField
          label={t("user.groupField")}
          options={groups}
          placeholder={t("user.groupPlaceholder")}
          allowsOthers
          value={edit.typed.groups}
          error={edit.errorOf("group")}
          onChange={(values) => edit.put("groups", values)}
        />
      </BulkRow>
      <BulkLimits edit={edit} typed={edit.typed} onChange={edit.put} />
      <BulkAliases
        edit={edit}
        value={edit.typed.modelAliases}
        onChange={(aliases) => edit.put("modelAliases", aliases)}
      />
    </BulkWindow>
  );
};

export default UsersEditor;
