import type { Channel } from "@tollgate/contract/management/channel";
import { X } from "lucide-react";
import { type ReactNode, useState } from "react";
import { useTranslation } from "react-i18next";
import { Button } from "../../components/button";
import type { Column } from "../../components/column";
import { ConfirmButton } from "../../components/confirm-button";
import { LazyBoundary } from "../../components/lazy-boundary";
import { notify } from "../../lib/notify";
import { type MeantChannels, useChangeChannels } from "./api/change-channels";

// Fetched with the first edit.
const loadEditor = () => import("./channels-editor");

export interface Selection {
  chosen: ReadonlySet<number>;
  choose: (ids: readonly number[], isChosen: boolean) => void;
  clear: () => void;
}

/** Which rows are chosen, as long as the page is open. */
export const useSelection = (): Selection => {
  const [chosen, setChosen] = useState<ReadonlySet<number>>(new Set());
  return {
    chosen,
    choose: (ids, isChosen) =>
      setChosen((before) => {
        const after = new Set(before);
        for (const id of ids) {
          if (isChosen) after.add(id);
          else after.delete(id);
        }
        return after;
      }),
    clear: () => setChosen(new Set()),
  };
};

const BOX = "me-2.5 inline-block size-4 align-[-3px] accent-accent";

/** The same column with boxes before what it says: one for each row, and one in the head for all rows of the page. */
export const useBoxes = (
  { chosen, choose }: Selection,
  rows: readonly Channel[] | undefined,
): ((column: Column<Channel>) => Column<Channel>) => {
  const { t } = useTranslation();
  const ids = (rows ?? []).map(({ id }) => id);
  const count = ids.filter((id) => chosen.has(id)).length;
  return (column) => ({
    ...column,
    headMark: (
      <input
        type="checkbox"
        aria-label={t("channel.choose.all")}
        checked={count > 0 && count === ids.length}
        ref={(box) => {
          if (box) box.indeterminate = count > 0 && count < ids.length;
        }}
        onChange={({ target }) => choose(ids, target.checked)}
        className={BOX}
      />
    ),
    cell: (channel) => (
      <span className="whitespace-nowrap">
        <input
          type="checkbox"
          aria-label={t("channel.choose.one", { name: channel.name || channel.id })}
          checked={chosen.has(channel.id)}
          onChange={({ target }) => choose([channel.id], target.checked)}
          className={BOX}
        />
        {column.cell(channel)}
      </span>
    ),
  });
};

interface ActionBarProps {
  meant: MeantChannels;
  /** What is meant, in words. */
  title: ReactNode;
  count: number;
  /** Where the choice is given up; told as well when its channels are gone. */
  onClear: () => void;
}

/** What can be done with many channels. */
export const ChannelsActionBar = ({ meant, title, count, onClear }: ActionBarProps) => {
  const { t } = useTranslation();
  const change = useChangeChannels();
  const [isEditing, setEditing] = useState(false);
  const [wasOpened, setOpened] = useState(false);
  const run = async (action: Parameters<typeof change.mutateAsync>[0]["action"], more = {}) => {
    const { done, failed } = await change.mutateAsync({ meant, action, ...more });
    if (done > 0) notify.success(t("channel.choose.done", { count: done }));
    const [first] = failed;
    if (first)
      notify.error(
        t("channel.choose.failed", {
          count: failed.length,
          name: first.name || first.id,
          reason: first.reason,
        }),
      );
    if (action === "delete" && failed.length === 0) onClear();
  };
  const start = (...asked: Parameters<typeof run>) => void run(...asked).catch(() => undefined);
  return (
    <section
      aria-label={t("channel.choose.actions")}
      className="sticky top-25 z-[11] flex flex-wrap items-center gap-2 rounded-lg border border-accent/40 bg-accent-soft px-3 py-2"
    >
      <span className="me-2 min-w-0 break-words font-medium text-[13.5px]">{title}</span>
      <Button size="small" disabled={change.isPending} onClick={() => start("enable")}>
        {t("action.enable")}
      </Button>
      <Button size="small" disabled={change.isPending} onClick={() => start("disable")}>
        {t("action.disable")}
      </Button>
      <Button
        size="small"
        aria-haspopup="dialog"
        disabled={change.isPending}
        onClick={() => {
          setOpened(true);
          setEditing(true);
        }}
      >
        {t("channel.choose.edit")}
      </Button>
      <ConfirmButton
        size="small"
        variant="quietDanger"
        disabled={change.isPending}
        question={t("channel.choose.deleteQuestion", { count })}
        consequence={t("channel.choose.deleteConsequence")}
        confirm={t("channel.choose.deleteConfirm", { count })}
        onConfirm={() => run("delete")}
      >
        {t("action.delete")}
      </ConfirmButton>
      <Button
        size="smallIcon"
        variant="quiet"
        className="ms-auto"
        aria-label={t("channel.choose.clear")}
        title={t("channel.choose.clear")}
        onClick={onClear}
      >
        <X aria-hidden className="size-4" />
      </Button>
      {wasOpened && (
        <LazyBoundary
          load={loadEditor}
          with={{
            isOpen: isEditing,
            count,
            onClose: () => setEditing(false),
            onSave: (written: object) => run("edit", { change: written }),
          }}
          onMissing={() => setOpened(false)}
        />
      )}
    </section>
  );
};
