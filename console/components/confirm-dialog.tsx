import { AlertDialog } from "@base-ui/react/alert-dialog";
import { clsx } from "clsx";
import { type RefObject, useState } from "react";
import { useTranslation } from "react-i18next";
import { Button } from "./button";
import { DIALOG_ACTIONS, DialogFrame } from "./dialog-frame";

interface ConfirmDialogProps {
  isOpen: boolean;
  onOpenChange: (isOpen: boolean) => void;
  question: string;
  consequence: string;
  confirm: string;
  /** Label of the other button, if "cancel" would be unclear. */
  cancel?: string;
  /** The action destroys nothing: its button is not red. */
  isHarmless?: boolean;
  /** Receives the focus afterwards; by default the element that had it before. */
  returnTo?: RefObject<HTMLElement | null>;
  onConfirm: () => Promise<unknown>;
}

/** A modal question before an action. */
const ConfirmDialog = ({
  isOpen,
  onOpenChange,
  question,
  consequence,
  confirm,
  cancel,
  isHarmless = false,
  returnTo,
  onConfirm,
}: ConfirmDialogProps) => {
  const { t } = useTranslation();
  const [isBusy, setBusy] = useState(false);

  const run = async () => {
    setBusy(true);
    try {
      await onConfirm();
    } catch {
      // The query client has reported the failure.
    } finally {
      setBusy(false);
      onOpenChange(false);
    }
  };

  return (
    <AlertDialog.Root open={isOpen} onOpenChange={(open) => !isBusy && onOpenChange(open)}>
      <DialogFrame
        finalFocus={returnTo}
        className="top-1/2 max-h-[calc(100dvh-32px)] w-[440px] -translate-y-1/2 overflow-y-auto overscroll-contain p-4 wide:p-6"
      >
        <AlertDialog.Title className="break-words font-semibold text-lg">{question}</AlertDialog.Title>
        <AlertDialog.Description className="mt-2 break-words text-ink-2">
          {consequence}
        </AlertDialog.Description>
        <div className={clsx("mt-6", DIALOG_ACTIONS)}>
          <AlertDialog.Close render={<Button />}>{cancel ?? t("action.cancel")}</AlertDialog.Close>
          <Button
            variant={isHarmless ? "primary" : "danger"}
            className="max-w-full"
            isBusy={isBusy}
            onClick={run}
          >
            <span className="truncate">{confirm}</span>
          </Button>
        </div>
      </DialogFrame>
    </AlertDialog.Root>
  );
};

export default ConfirmDialog;
