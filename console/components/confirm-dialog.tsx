import { AlertDialog } from "@base-ui/react/alert-dialog";
import { type RefObject, useState } from "react";
import { useTranslation } from "react-i18next";
import { Button } from "./button";

interface ConfirmDialogProps {
  isOpen: boolean;
  onOpenChange: (isOpen: boolean) => void;
  question: string;
  consequence: string;
  confirm: string;
  /** Label of the other button, if "cancel" would be unclear. */
  cancel?: string;
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
      <AlertDialog.Portal>
        <AlertDialog.Backdrop className="fixed inset-0 z-40 bg-overlay transition-opacity data-ending-style:opacity-0 data-starting-style:opacity-0" />
        <AlertDialog.Popup
          finalFocus={returnTo}
          className="floating fixed top-1/2 left-1/2 z-40 w-[400px] max-w-[calc(100vw-32px)] -translate-x-1/2 -translate-y-1/2 p-5"
        >
          <AlertDialog.Title className="break-words font-semibold text-lg">{question}</AlertDialog.Title>
          <AlertDialog.Description className="mt-2 text-ink-2">{consequence}</AlertDialog.Description>
          <div className="mt-5 flex flex-wrap justify-end gap-2">
            <AlertDialog.Close render={<Button />}>{cancel ?? t("action.cancel")}</AlertDialog.Close>
            <Button variant="danger" className="max-w-full" isBusy={isBusy} onClick={run}>
              <span className="truncate">{confirm}</span>
            </Button>
          </div>
        </AlertDialog.Popup>
      </AlertDialog.Portal>
    </AlertDialog.Root>
  );
};

export default ConfirmDialog;
