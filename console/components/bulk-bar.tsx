import type { ComponentType } from "react";
import { useTranslation } from "react-i18next";
import { type SearchEndpoint, useChooseAll } from "../lib/choose-all";
import { type BatchEndpoint, useBatch } from "../lib/use-batch";
import type { Selection } from "../lib/use-selection";
import { DeleteButton, SwitchButtons, WindowButton } from "./bulk-actions";
import type { QuotaChange } from "./bulk-quota";
import { SelectionBar } from "./selection-bar";

// Loaded with the first use.
const loadQuota = () => import("./bulk-quota");

export interface BulkBarProps {
  selection: Selection;
  /** The list's search and filters. */
  query: Readonly<Record<string, string | number | undefined>>;
}

/** The window that edits many records. */
export interface BulkEditorProps {
  isOpen: boolean;
  /** Number of edited records. */
  count: number;
  onClose: () => void;
  /** Resolves once saved, and rejects if the server refuses. */
  onSave: (change: object) => Promise<void>;
}

interface RecordsBarProps<Body extends { action: string }> extends BulkBarProps {
  /** The records' texts. */
  of: "keys" | "users";
  endpoint: BatchEndpoint<Body>;
  search: SearchEndpoint;
  loadEditor: () => Promise<{ default: ComponentType<BulkEditorProps> }>;
  /** Offers adding quota alone, without a reason: the quota is the owner's own limit. */
  isOwn?: boolean;
}

/** Actions on many keys or users: enabling, editing, quota, deletion. */
export const BulkBar = <Body extends { action: string }>({
  selection: { chosen, only, clear },
  query,
  of,
  endpoint,
  search,
  loadEditor,
  isOwn = false,
}: RecordsBarProps<Body>) => {
  const { t } = useTranslation();
  const batch = useBatch(endpoint, { onLeft: only });
  const all = useChooseAll(search, only);
  const ids = [...chosen];
  const count = ids.length;
  const run = (action: string, more = {}) =>
    // TypeScript does not put a generic body together again.
    batch.run({ action, ...more } as unknown as Omit<Body, "ids">, ids);
  return (
    <SelectionBar
      label={t(`batch.${of}.actions`)}
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
        label={t(isOwn ? "batch.quota.add-quota" : "batch.quota.change")}
        isBusy={batch.isBusy}
        load={loadQuota}
        with={{ count, isOwn, onSave: ({ action, ...more }: QuotaChange) => run(action, more) }}
      />
      <DeleteButton
        isBusy={batch.isBusy}
        question={t(`batch.${of}.deleteQuestion`, { count })}
        consequence={t(`batch.${of}.deleteConsequence`)}
        confirm={t(`batch.${of}.deleteConfirm`, { count })}
        onDelete={() => run("delete")}
      />
    </SelectionBar>
  );
};
