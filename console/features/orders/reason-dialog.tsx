import { MAX_ORDER_REASON } from "@tollgate/contract/api/orders";
import { useState } from "react";
import { useTranslation } from "react-i18next";
import { Button } from "../../components/button";
import { Dialog, DialogActions } from "../../components/dialog";
import { TextField } from "../../components/text-field";

interface ReasonDialogProps {
  title: string;
  /** The effect. */
  text: string;
  confirm: string;
  isBusy: boolean;
  onClose: () => void;
  onConfirm: (reason: string) => void;
}

/** Asks for a reason before an action on a user's money. */
export const ReasonDialog = ({ title, text, confirm, isBusy, onClose, onConfirm }: ReasonDialogProps) => {
  const { t } = useTranslation();
  const [reason, setReason] = useState("");
  const [isChecked, setChecked] = useState(false);
  return (
    <Dialog isOpen onClose={onClose} title={title}>
      <form
        noValidate
        className="flex flex-col gap-4"
        onSubmit={(event) => {
          event.preventDefault();
          setChecked(true);
          if (reason.trim() !== "") onConfirm(reason.trim());
        }}
      >
        <p className="text-ink-2">{text}</p>
        <TextField
          label={t("order.reason")}
          isRequired
          maxLength={MAX_ORDER_REASON}
          autoComplete="off"
          value={reason}
          {...(isChecked && reason.trim() === "" ? { error: t("order.reasonMissing") } : {})}
          onChange={(event) => setReason(event.target.value)}
        />
        <DialogActions>
          <Button type="submit" variant="primary" isBusy={isBusy}>
            {confirm}
          </Button>
        </DialogActions>
      </form>
    </Dialog>
  );
};
