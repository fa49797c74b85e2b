import { Dialog as BaseDialog } from "@base-ui/react/dialog";
import { clsx } from "clsx";
import { X } from "lucide-react";
import type { ReactNode } from "react";
import { useTranslation } from "react-i18next";
import { Button } from "./button";

interface DialogProps {
  isOpen: boolean;
  onClose: () => void;
  title: string;
  /** For content larger than a short form. */
  isWide?: boolean;
  children: ReactNode;
}

/** A modal window with a title and a close button. */
export const Dialog = ({ isOpen, onClose, title, isWide, children }: DialogProps) => {
  const { t } = useTranslation();
  return (
    <BaseDialog.Root open={isOpen} onOpenChange={(open) => !open && onClose()}>
      <BaseDialog.Portal>
        <BaseDialog.Backdrop className="fixed inset-0 z-40 bg-overlay transition-opacity data-ending-style:opacity-0 data-starting-style:opacity-0" />
        <BaseDialog.Popup
          className={clsx(
            "floating fixed top-1/2 left-1/2 z-40 flex max-h-[calc(100dvh-32px)] max-w-[calc(100vw-32px)] -translate-x-1/2 -translate-y-1/2 flex-col overflow-y-auto p-5",
            isWide ? "w-[680px]" : "w-[440px]",
          )}
        >
          <div className="mb-4 flex items-center justify-between gap-4">
            <BaseDialog.Title className="font-semibold text-lg">{title}</BaseDialog.Title>
            <BaseDialog.Close
              render={<Button variant="quiet" size="smallIcon" aria-label={t("action.close")} />}
            >
              <X aria-hidden className="size-4" />
            </BaseDialog.Close>
          </div>
          {children}
        </BaseDialog.Popup>
      </BaseDialog.Portal>
    </BaseDialog.Root>
  );
};
