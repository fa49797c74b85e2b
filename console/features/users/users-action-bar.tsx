import { changeUsers, type UsersAction } from "@tollgate/contract/api/user-batches";
import { searchUsers } from "@tollgate/contract/api/users";
import { useTranslation } from "react-i18next";
import { DeleteButton, SwitchButtons, WindowButton } from "../../components/bulk-actions";
import { SelectionBar } from "../../components/selection-bar";
import { useChooseAll } from "../../lib/choose-all";
import { useBatch } from "../../lib/use-batch";
import type { Selection } from "../../lib/use-selection";

// Loaded with the first use.
const loadEditor = () => import("./users-editor");
const loadQuota = () => import("../../components/bulk-quota");

interface UsersActionBarProps {
  selection: Selection;
  /** The list's search and filters. */
  query: Readonly<Record<string, string | number | undefined>>;
}

/** Actions on many users. */
const UsersActionBar = ({ selection: { chosen, only, clear }, query }: UsersActionBarProps) => {
  const { t } = useTranslation();
  const batch = useBatch(changeUsers, { onLeft: only });
  const all = useChooseAll(searchUsers, only);
  const ids = [...chosen];
  const count = ids.length;
  const run = (action: UsersAction, more = {}) => batch.run({ action, ...more }, ids);
  return (
    <SelectionBar
      label={t("batch.users.actions")}
      title={t("batch.count", { count })}
      batch={batch}
      onChooseAll={() => all.mutate(query)}
      isChoosing={all.isPending}
      onClear={clear}
    >
      <SwitchButtons isBusy={batch.isBusy} onSwitch={(action) => void run(action).catch(() => undefined)} />
      <WindowButton
        label={t("batch.edit")}
        isBusy={batch.isBusy}
        load={loadEditor}
        with={{ count, onSave: (change) => run("edit", { change }) }}
      />
      <WindowButton
        label={t("batch.quota.change")}
        isBusy={batch.isBusy}
        load={loadQuota}
        with={{ count, onSave: ({ action, ...more }) => run(action, more) }}
      />
      <DeleteButton
        isBusy={batch.isBusy}
        question={t("batch.users.deleteQuestion", { count })}
        consequence={t("batch.users.deleteConsequence")}
        confirm={t("batch.users.deleteConfirm", { count })}
        onDelete={() => run("delete")}
      />
    </SelectionBar>
  );
};

export default UsersActionBar;
