import { X } from "lucide-react";
import type { ReactNode } from "react";
import { useTranslation } from "react-i18next";
import type { Batch } from "../lib/use-batch";
import { Button } from "./button";
import { Dialog } from "./dialog";

interface SelectionBarProps {
  /** The bar's subject, for screen readers. */
  label: string;
  /** Description of the selection. */
  title: ReactNode;
  batch: Batch;
  /** Selects all rows that match the list's search and filters. */
  onChooseAll?: (() => void) | undefined;
  isChoosing?: boolean | undefined;
  onClear: () => void;
  /** The actions. */
  children: ReactNode;
}

/** Actions on selected rows, with the progress of a running one and the records that the last one refused. */
export const SelectionBar = ({
  label,
  title,
  batch: { progress, refused, forgetRefused, stop },
  onChooseAll,
  isChoosing,
  onClear,
  children,
}: SelectionBarProps) => {
  const { t } = useTranslation();
  return (
    <section
      aria-label={label}
      className="sticky top-header z-[11] flex flex-wrap items-center gap-2 rounded-lg border border-accent/40 bg-accent-soft px-3 py-2"
    >
      <span className="me-2 min-w-0 break-words font-medium text-sm">{title}</span>
      {progress && (
        <>
          <progress
            aria-label={t("batch.going")}
            className="h-1.5 w-40 accent-accent"
            value={progress.done}
            max={progress.total}
          />
          <span role="status" className="text-sm tabular-nums">
            {t("batch.progress", { ...progress })}
          </span>
          <Button size="small" onClick={stop}>
            {t("batch.stop")}
          </Button>
        </>
      )}
      {/* Stays while a run is shown: a window keeps what is typed for another try. */}
      <div className={progress ? "hidden" : "contents"}>
        {onChooseAll && (
          <Button size="small" variant="quiet" isBusy={isChoosing} onClick={onChooseAll}>
            {t("batch.chooseAll")}
          </Button>
        )}
        {children}
        <Button
          size="smallIcon"
          variant="quiet"
          className="ms-auto"
          aria-label={t("batch.clear")}
          title={t("batch.clear")}
          onClick={onClear}
        >
          <X aria-hidden className="size-4" />
        </Button>
      </div>
      {refused.length > 0 && (
        <Dialog
          isOpen
          isWide
          onClose={forgetRefused}
          title={t("batch.refusedTitle", { count: refused.length })}
        >
          <p className="text-sm text-ink-2">{t("batch.refusedText")}</p>
          <ul className="mt-3 flex max-h-[50vh] flex-col divide-y divide-line overflow-y-auto text-sm">
            {refused.map(({ id, name, reason }) => (
              <li key={id} className="grid gap-x-4 py-2 wide:grid-cols-[minmax(0,1fr)_minmax(0,2fr)]">
                <span className="break-words font-medium">{name || `#${id}`}</span>
                <span className="break-words text-ink-2">{reason}</span>
              </li>
            ))}
          </ul>
        </Dialog>
      )}
    </section>
  );
};
