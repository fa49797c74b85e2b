import { declinePayout, markPayoutPaid, type PayoutWire } from "@tollgate/contract/api/invitations";
import { useId, useRef, useState } from "react";
import { useTranslation } from "react-i18next";
import { Button } from "../../components/button";
import { notify } from "../../lib/notify";
import { useEndpoint } from "../../lib/use-endpoint";
import { useMistakes } from "../../lib/use-mistakes";

/** Marks a request as paid by hand, or declines it with a reason. */
export const PayoutDecision = ({ payout }: { payout: PayoutWire }) => {
  const { t } = useTranslation();
  const refused = useMistakes();
  const pay = useEndpoint(markPayoutPaid, refused);
  const decline = useEndpoint(declinePayout, refused);
  const noteId = useId();
  const form = useRef<HTMLFormElement>(null);
  const isPending = pay.isPending || decline.isPending;
  const [reason, setReason] = useState("");
  const [isMissing, setMissing] = useState(false);
  if (payout.state !== "asked")
    return payout.actor_name === "" ? null : (
      <span className="text-ink-3">{t("invitation.decidedBy", { name: payout.actor_name })}</span>
    );
  const send = (decision: typeof pay | typeof decline) => {
    if (form.current) refused.begin(form.current);
    const isMissingNow = decision === decline && reason.trim() === "";
    setMissing(isMissingNow);
    if (isMissingNow) return;
    decision.mutate(
      { params: { id: payout.id }, body: { reason } },
      { onSuccess: () => notify.success(t("action.done")) },
    );
  };
  const wrong = refused.of("reason") ?? (isMissing ? t("invitation.reasonMissing") : undefined);
  return (
    <form
      noValidate
      className="flex min-w-64 flex-wrap items-center gap-2"
      ref={form}
      // Enter must not decide about money.
      onSubmit={(event) => event.preventDefault()}
    >
      <input
        className="control min-w-32 flex-1"
        aria-label={t("invitation.reasonOf", { name: payout.username })}
        aria-invalid={wrong !== undefined || undefined}
        aria-describedby={wrong && noteId}
        placeholder={t("invitation.reason")}
        maxLength={500}
        value={reason}
        onChange={({ target }) => {
          setReason(target.value);
          setMissing(false);
        }}
      />
      <Button size="small" variant="primary" isBusy={isPending} onClick={() => send(pay)}>
        {t("invitation.markPaid")}
      </Button>
      <Button size="small" disabled={isPending} onClick={() => send(decline)}>
        {t("invitation.decline")}
      </Button>
      {wrong && (
        <p id={noteId} role="alert" className="w-full text-red text-xs">
          {wrong}
        </p>
      )}
    </form>
  );
};
