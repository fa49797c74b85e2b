import { useQuery } from "@tanstack/react-query";
import { encodeUserBody } from "@tollgate/contract/api/user";
import { readGroups } from "@tollgate/contract/management/group";
import { useTranslation } from "react-i18next";
import { BulkRow, BulkWindow, useBulkEdit } from "../../components/bulk-fields";
import { BulkLimits } from "../../components/bulk-limits";
import { ChoicesField } from "../../components/choices-field";
import { groupsQuery } from "../../lib/groups";
import { type LimitFields, NO_LIMITS } from "../../lib/limit-fields";
import { toLimitChange } from "../../lib/typed-limits";

interface TypedUsers extends LimitFields {
  groups: string[];
}

const NOTHING_TYPED: TypedUsers = { groups: [], ...NO_LIMITS };

/** The change that the enabled fields make together; undefined without any, or while one of them is invalid. */
const toUsersChange = (typed: TypedUsers, enabled: ReadonlySet<keyof TypedUsers>): object | undefined => {
  const change = {};
  for (const name of enabled) {
    const group = readGroups(typed.groups.join(",")).join(",");
    const part = name === "groups" ? group !== "" && { group } : toLimitChange(name, typed[name]);
    if (!part) return undefined;
    Object.assign(change, part);
  }
  return enabled.size === 0 ? undefined : encodeUserBody(change);
};

interface EditorProps {
  isOpen: boolean;
  /** Number of edited users. */
  count: number;
  onClose: () => void;
  /** Resolves once saved, and rejects if the server refuses. */
  onSave: (change: object) => Promise<void>;
}

/** Edits many users at once: only enabled fields are written, all others stay unchanged in each user. */
const UsersEditor = ({ isOpen, count, onClose, onSave }: EditorProps) => {
  const { t } = useTranslation();
  const { data: groups = [] } = useQuery(groupsQuery);
  const edit = useBulkEdit(NOTHING_TYPED);
  const change = toUsersChange(edit.typed, edit.on);
  return (
    <BulkWindow
      isOpen={isOpen}
      title={t("batch.users.editTitle", { count })}
      canSave={change !== undefined}
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
          onChange={(values) => edit.put("groups", values)}
        />
      </BulkRow>
      <BulkLimits edit={edit} typed={edit.typed} onChange={edit.put} />
    </BulkWindow>
  );
};

export default UsersEditor;
