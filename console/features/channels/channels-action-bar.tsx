import { X } from "lucide-react";
import { type ReactNode, useState } from "react";
import { useTranslation } from "react-i18next";
import { Button } from "../../components/button";
import { ConfirmButton } from "../../components/confirm-button";
import { LazyBoundary } from "../../components/lazy-boundary";
import { notify } from "../../lib/notify";
import { type MeantChannels, useChangeChannels } from "./channel-changes";

// Loaded with the first edit.
const loadEditor = () => import("./channels-editor");

interface ActionBarProps {
  meant: MeantChannels;
  /** Description of the selection. */
  title: ReactNode;
  count: number;
  /** Clears the selection; also called when its channels are gone. */
  onClear: () => void;
}

/** Actions on many channels. */
const ChannelsActionBar = ({ meant, title, count, onClear }: ActionBarProps) => {
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
      className="sticky top-header z-[11] flex flex-wrap items-center gap-2 rounded-lg border border-accent/40 bg-accent-soft px-3 py-2"
    >
      <span className="me-2 min-w-0 break-words font-medium text-sm">{title}</span>
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

export default ChannelsActionBar;
