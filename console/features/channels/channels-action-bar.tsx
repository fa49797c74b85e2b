import { type ChannelsAction, changeChannels } from "@tollgate/contract/api/channel-batches";
import type { ReactNode } from "react";
import { useTranslation } from "react-i18next";
import { DeleteButton, SwitchButtons, WindowButton } from "../../components/bulk-actions";
import { SelectionBar } from "../../components/selection-bar";
import { useBatch } from "../../lib/use-batch";
import type { ChannelsChange, MeantChannels } from "./channel-changes";

// Loaded with the first edit.
const loadEditor = () => import("./channels-editor");

interface ActionBarProps {
  meant: MeantChannels;
  /** Description of the selection. */
  title: ReactNode;
  count: number;
  /** Clears the selection; also called when its channels are gone. */
  onClear: () => void;
  /** Selects the channels that an action did not reach. */
  onLeft: (ids: readonly number[]) => void;
}

/** Actions on many channels. */
const ChannelsActionBar = ({ meant, title, count, onClear, onLeft }: ActionBarProps) => {
  const { t } = useTranslation();
  const ids = "ids" in meant ? meant.ids : undefined;
  const batch = useBatch(changeChannels, {
    onLeft: (left) => (left.length > 0 ? onLeft(left) : onClear()),
  });
  const run = (action: ChannelsAction, change?: ChannelsChange) =>
    batch.run({ ...(ids ? {} : meant), action, change }, ids);
  return (
    <SelectionBar label={t("channel.choose.actions")} title={title} batch={batch} onClear={onClear}>
      <SwitchButtons isBusy={batch.isBusy} onSwitch={(action) => void run(action).catch(() => undefined)} />
      <WindowButton
        label={t("batch.edit")}
        isBusy={batch.isBusy}
        load={loadEditor}
        with={{ count, onSave: (change) => run("edit", change) }}
      />
      <DeleteButton
        isBusy={batch.isBusy}
        question={
          "tag" in meant
            ? t("channel.choose.deleteTagQuestion", { tag: meant.tag, count })
            : t("channel.choose.deleteQuestion", { count })
        }
        consequence={t("channel.choose.deleteConsequence")}
        confirm={t("channel.choose.deleteConfirm", { count })}
        onDelete={() => run("delete")}
      />
    </SelectionBar>
  );
};

export default ChannelsActionBar;
