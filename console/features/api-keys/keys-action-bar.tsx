import { changeApiKeys, type KeysAction } from "@tollgate/contract/api/api-key-batches";
import { searchApiKeys } from "@tollgate/contract/api/api-keys";
import { useTranslation } from "react-i18next";
import { DeleteButton, SwitchButtons, WindowButton } from "../../components/bulk-actions";
import { SelectionBar } from "../../components/selection-bar";
import { useChooseAll } from "../../lib/choose-all";
import { useBatch } from "../../lib/use-batch";
import type { Selection } from "../../lib/use-selection";

// Loaded with the first use.
const loadEditor = () => import("./keys-editor");
const loadQuota = () => import("../../components/bulk-quota");

interface KeysActionBarProps {
  selection: Selection;
  /** The list's search and filters. */
  query: Readonly<Record<string, string | number | undefined>>;
}

/** Actions on many of one's keys. */
const KeysActionBar = ({ selection: { chosen, only, clear }, query }: KeysActionBarProps) => {
  const { t } = useTranslation();
  const batch = useBatch(changeApiKeys, { onLeft: only });
  const all = useChooseAll(searchApiKeys, only);
  const ids = [...chosen];
  const count = ids.length;
  const run = (action: KeysAction, more = {}) => batch.run({ action, ...more }, ids);
  return (
    <SelectionBar
      label={t("batch.keys.actions")}
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
        label={t("batch.quota.add-quota")}
        isBusy={batch.isBusy}
        load={loadQuota}
        with={{
          count,
          isOwn: true,
          onSave: ({ quota, operation }) => run("add-quota", { quota, operation }),
        }}
      />
      <DeleteButton
        isBusy={batch.isBusy}
        question={t("batch.keys.deleteQuestion", { count })}
        consequence={t("batch.keys.deleteConsequence")}
        confirm={t("batch.keys.deleteConfirm", { count })}
        onDelete={() => run("delete")}
      />
    </SelectionBar>
  );
};

export default KeysActionBar;
