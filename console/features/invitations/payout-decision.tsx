import { declinePayout, markPayoutPaid, type PayoutWire } from "@tollgate/contract/api/invitations";
import { useState } from "react";
import { useTranslation } from "react-i18next";
import { Button } from "../../components/button";
import { notify } from "../../lib/notify";
import { useEndpoint } from "../../lib/use-endpoint";

/** Marks a request as paid by hand, or declines it with a reason. */
export const PayoutDecision = ({ payout }: { payout: PayoutWire }) => {
  const { t } = useTranslation();
  const pay = useEndpoint(markPayoutPaid);
  const decline = useEndpoint(declinePayout);
  const isPending = pay.isPending || decline.isPending;
  const [reason, setReason] = useState("");
  if (payout.state !== "asked")
    return payout.actor_name === "" ? null : (
      <span className="text-ink-3">{t("invitation.decidedBy", { name: payout.actor_name })}</span>
    );
  const send = (decision: typeof pay | typeof decline) =>
    decision.mutate(
      { params: { id: payout.id }, body: { reason } },
      { onSuccess: () => notify.success(t("action.done")) },
    );
  return (
    <div className="flex min-w-64 flex-wrap items-center gap-2">
      <input
        className="control min-w-32 flex-1"
        aria-label={t("invitation.reasonOf", { name: payout.username })}
        placeholder={t("invitation.reason")}
        maxLength={500}
        value={reason}
        onChange={({ target }) => setReason(target.value)}
      />
      <Button size="small" variant="primary" isBusy={isPending} onClick={() => send(pay)}>
        {t("invitation.markPaid")}
      </Button>
      <Button size="small" disabled={reason.trim() === "" || isPending} onClick={() => send(decline)}>
        {t("invitation.decline")}
      </Button>
    </div>
  );
};
