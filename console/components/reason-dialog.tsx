import { useState } from "react";
import { useTranslation } from "react-i18next";
import type { Mistakes } from "../lib/use-mistakes";
import { Button } from "./button";
import { Dialog, DialogActions } from "./dialog";
import { TextField } from "./text-field";

interface ReasonDialogProps {
  title: string;
  /** The effect. */
  text: string;
  confirm: string;
  isBusy: boolean;
  /** Refused fields of the call. */
  refused: Mistakes;
  onClose: () => void;
  onConfirm: (reason: string) => void;
}

/** Maximum length of a reason: that of orders and invoices. */
const MAX_REASON = 200;

/** Asks for a reason before an action on a user's money. The caller closes it after a success: a refused reason stays. */
export const ReasonDialog = ({
  title,
  text,
  confirm,
  isBusy,
  refused,
  onClose,
  onConfirm,
}: ReasonDialogProps) => {
  const { t } = useTranslation();
  const [reason, setReason] = useState("");
  const [isChecked, setChecked] = useState(false);
  const missing = isChecked && reason.trim() === "" ? t("reason.missing") : undefined;
  return (
    <Dialog isOpen onClose={onClose} title={title}>
      <form
        noValidate
        className="flex flex-col gap-4"
        onSubmit={(event) => {
          event.preventDefault();
          refused.begin(event.currentTarget);
          setChecked(true);
          if (reason.trim() !== "") onConfirm(reason.trim());
        }}
      >
        <p className="text-ink-2">{text}</p>
        <TextField
          label={t("reason.label")}
          isRequired
          maxLength={MAX_REASON}
          autoComplete="off"
          value={reason}
          error={refused.of("reason") ?? missing}
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
