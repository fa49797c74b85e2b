import { Dialog as BaseDialog } from "@base-ui/react/dialog";
import { clsx } from "clsx";
import { X } from "lucide-react";
import { type ReactNode, useRef } from "react";
import { useTranslation } from "react-i18next";
import { Button } from "./button";
import { DIALOG_ACTIONS, DialogFrame } from "./dialog-frame";

interface DialogProps {
  isOpen: boolean;
  onClose: () => void;
  title: string;
  /** For content larger than a short form. */
  isWide?: boolean;
  children: ReactNode;
}

const FIELD = "input:enabled, textarea:enabled, button[role=combobox]:enabled";

/** A focused field opens a touch screen's keyboard, which would cover the window. */
const opensKeyboard = (): boolean => window.matchMedia("(pointer: coarse)").matches;

/** A modal window with a title and a close button. Its first field has the focus. */
export const Dialog = ({ isOpen, onClose, title, isWide, children }: DialogProps) => {
  const { t } = useTranslation();
  const popup = useRef<HTMLDivElement>(null);
  const firstFocus = () =>
    (opensKeyboard() ? popup.current : popup.current?.querySelector<HTMLElement>(FIELD)) ?? true;
  return (
    <BaseDialog.Root open={isOpen} onOpenChange={(open) => !open && onClose()}>
      <DialogFrame
        ref={popup}
        initialFocus={firstFocus}
        className={clsx(
          "top-1/2 max-h-[calc(100dvh-32px)] -translate-y-1/2 scroll-pt-16 scroll-pb-20 overflow-y-auto overscroll-contain",
          isWide ? "w-[680px]" : "w-[440px]",
        )}
      >
        <div className="top-0 z-10 flex items-center justify-between gap-4 border-line border-b bg-surface py-3 ps-4 pe-3 tall:sticky wide:ps-6 wide:pe-5">
          <BaseDialog.Title className="min-w-0 break-words font-semibold text-lg">{title}</BaseDialog.Title>
          <BaseDialog.Close
            render={<Button variant="quiet" size="smallIcon" aria-label={t("action.close")} />}
          >
            <X aria-hidden className="size-4" />
          </BaseDialog.Close>
        </div>
        <div className="p-4 wide:p-6">{children}</div>
      </DialogFrame>
    </BaseDialog.Root>
  );
};

interface DialogActionsProps {
  /** A destructive action, at the other end. */
  apart?: ReactNode;
  /** The confirming button. */
  children: ReactNode;
}

/** The buttons of a window's form, in view while the form scrolls. */
export const DialogActions = ({ apart, children }: DialogActionsProps) => {
  const { t } = useTranslation();
  return (
    <div
      className={clsx(
        "bottom-0 z-10 -mx-4 mt-2 -mb-4 border-line border-t bg-surface px-4 py-3 tall:sticky wide:-mx-6 wide:-mb-6 wide:px-6",
        DIALOG_ACTIONS,
      )}
    >
      {apart && <div className="me-auto">{apart}</div>}
      <BaseDialog.Close render={<Button />}>{t("action.cancel")}</BaseDialog.Close>
      {children}
    </div>
  );
};
