import { useQuery } from "@tanstack/react-query";
import { Link } from "@tanstack/react-router";
import type { Receipt } from "@tollgate/contract/api/receipts";
import { useEffect, useRef, useState } from "react";
import { useTranslation } from "react-i18next";
import { ConfirmButton } from "../../components/confirm-button";
import { FailedState } from "../../components/failed-state";
import { TextField } from "../../components/text-field";
import { failureText } from "../../lib/failure-text";
import { formatQuota } from "../../lib/format";
import { useSession } from "../../lib/session";
import { findOwnKey, type SentAgain, sendAgain } from "./send-again";
import type { WholeRequest } from "./whole-request";

interface SendAgainProps {
  receipt: Receipt;
  whole: WholeRequest;
}

/** Sends a stored request again with the reader's own key, after a question; administrators may name a channel. */
export const SendAgain = ({ receipt, whole }: SendAgainProps) => {
  const { t } = useTranslation();
  const { user, isAdmin } = useSession();
  const [channel, setChannel] = useState("");
  const [sent, setSent] = useState<SentAgain | string>();
  const leaving = useRef(new AbortController());
  useEffect(() => {
    const controller = new AbortController();
    leaving.current = controller;
    return () => controller.abort();
  }, []);
  const {
    data: own,
    error,
    refetch,
  } = useQuery({
    queryKey: ["receipts", "own-key", receipt.request_id],
    queryFn: ({ signal }) => findOwnKey(receipt, user?.id, signal),
    staleTime: 60_000,
  });
  if (error) return <FailedState error={error} onRetry={() => void refetch()} />;
  if (own === undefined)
    return <div role="status" aria-label={t("page.loading")} className="skeleton mt-3 h-16 rounded-md" />;
  if (own === null)
    return (
      <p className="mt-3 text-ink-2">
        {t("why.noKey")}{" "}
        <Link to="/token/add" className="text-accent underline-offset-2 hover:underline">
          {t("why.addKey")}
        </Link>
      </p>
    );
  const isChannel = /^\d{0,9}$/.test(channel);
  const send = async () => {
    setSent(undefined);
    try {
      setSent(await sendAgain(whole, own, channel, leaving.current.signal));
    } catch (failure) {
      if (leaving.current.signal.aborted) return;
      setSent(failureText(failure as Error));
    }
  };
  return (
    <div className="mt-3 flex flex-col items-start gap-3">
      <p className="text-sm text-ink-2">{t("why.againText", { key: own.name })}</p>
      {isAdmin && (
        <TextField
          label={t("why.channel")}
          hint={t("why.channelHint")}
          inputMode="numeric"
          autoComplete="off"
          value={channel}
          {...(isChannel ? {} : { error: t("why.channelWrong") })}
          onChange={(event) => setChannel(event.target.value.trim())}
        />
      )}
      <ConfirmButton
        question={t("why.againQuestion")}
        consequence={t("why.againCost", { amount: formatQuota(receipt.quota, 6), key: own.name })}
        confirm={t("why.againConfirm")}
        isHarmless
        disabled={!isChannel}
        onConfirm={send}
      >
        {t("why.again")}
      </ConfirmButton>
      <div role="status" className="min-w-0 break-words empty:hidden">
        {sent !== undefined && <Outcome sent={sent} />}
      </div>
    </div>
  );
};

/** What became of it, with the way to its receipt. */
const Outcome = ({ sent }: { sent: SentAgain | string }) => {
  const { t } = useTranslation();
  if (typeof sent === "string") return <p className="text-red">{sent}</p>;
  const { status, requestId, message } = sent;
  const isOk = status < 400;
  return (
    <p className={isOk ? "" : "text-red"}>
      {isOk ? t("why.againDone") : t("why.againFailed", { status, message })}{" "}
      {requestId !== undefined && (
        <Link
          to="/log/receipt/$requestId"
          params={{ requestId }}
          className="text-accent underline underline-offset-2"
        >
          {t("why.newReceipt")}
        </Link>
      )}
    </p>
  );
};
