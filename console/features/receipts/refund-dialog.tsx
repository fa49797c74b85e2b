import { MAX_REFUND_REASON, type Receipt, refundRequest } from "@tollgate/contract/api/receipts";
import { useState } from "react";
import { useTranslation } from "react-i18next";
import { Button } from "../../components/button";
import { Dialog, DialogActions } from "../../components/dialog";
import { QuotaField } from "../../components/quota-field";
import { TextField } from "../../components/text-field";
import { exactQuota } from "../../lib/exact-quota";
import { notify } from "../../lib/notify";
import { useEndpoint } from "../../lib/use-endpoint";
import { useMistakes } from "../../lib/use-mistakes";

interface RefundDialogProps {
  receipt: Receipt;
  onClose: () => void;
}

/** Asks how much of a charge is refunded, and why. */
const RefundDialog = ({ receipt, onClose }: RefundDialogProps) => {
  const { t } = useTranslation();
  const [amount, setAmount] = useState(String(receipt.quota));
  const [reason, setReason] = useState("");
  const [isChecked, setChecked] = useState(false);
  const refused = useMistakes();
  const refund = useEndpoint(refundRequest, { atField: refused.atField, repeatsAlways: true });
  const quota = Number(amount);
  const isAmount = Number.isInteger(quota) && quota >= 1 && quota <= receipt.quota;
  const isMissing = isChecked && reason.trim() === "";
  const send = () =>
    refund.mutate(
      { body: { request_id: receipt.request_id, quota, reason: reason.trim() } },
      {
        onSuccess: () => {
          notify.success(t("receipt.refund.done", { amount: exactQuota(quota) }));
          onClose();
        },
      },
    );
  return (
    <Dialog isOpen onClose={onClose} title={t("receipt.refund.title")}>
      <form
        noValidate
        className="flex flex-col gap-4"
        onSubmit={(event) => {
          event.preventDefault();
          refused.begin(event.currentTarget);
          setChecked(true);
          if (isAmount && reason.trim() !== "") send();
        }}
      >
        <p className="text-ink-2">{t("receipt.refund.text", { user: receipt.username })}</p>
        <QuotaField
          label={t("receipt.refund.amount")}
          name="quota"
          min={1}
          max={receipt.quota}
          value={amount}
          {...(refused.of("quota") !== undefined || (isChecked && !isAmount)
            ? { error: refused.of("quota") ?? t("receipt.refund.amountWrong") }
            : {})}
          onChange={setAmount}
        />
        <TextField
          label={t("receipt.refund.reason")}
          name="reason"
          isRequired
          maxLength={MAX_REFUND_REASON}
          autoComplete="off"
          value={reason}
          {...(isMissing ? { error: t("receipt.refund.reasonMissing") } : {})}
          onChange={(event) => setReason(event.target.value)}
        />
        <DialogActions>
          <Button type="submit" variant="primary" isBusy={refund.isPending}>
            {t("receipt.refund.confirm")}
          </Button>
        </DialogActions>
      </form>
    </Dialog>
  );
};

export default RefundDialog;
