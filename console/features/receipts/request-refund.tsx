import type { Receipt, RequestRefundWire } from "@tollgate/contract/api/receipts";
import { useState } from "react";
import { useTranslation } from "react-i18next";
import { Button } from "../../components/button";
import { LazyBoundary } from "../../components/lazy-boundary";
import { formatQuota, formatTime } from "../../lib/format";
import { loadTexts } from "../../lib/i18n";
import { useSession } from "../../lib/session";

/** The dialog with the texts of its field of quota, which receipts do without. */
const loadDialog = async () => {
  const [dialog] = await Promise.all([import("./refund-dialog"), loadTexts(["limits"])]);
  return dialog;
};

/** The refund of a charge: how much, when and why. */
const Refunded = ({ refund }: { refund: RequestRefundWire }) => {
  const { t } = useTranslation();
  const time = formatTime(refund.created_at);
  const parts = [
    ...((refund.plan_quota ?? 0) > 0
      ? [t("receipt.refund.ofPlan", { amount: formatQuota(refund.plan_quota ?? 0, 6) })]
      : []),
    ...((refund.key_quota ?? 0) > 0
      ? [t("receipt.refund.ofKey", { amount: formatQuota(refund.key_quota ?? 0, 6) })]
      : []),
  ];
  return (
    <div className="rounded-md bg-green-soft px-4 py-3">
      <p className="flex flex-wrap items-baseline justify-between gap-x-4">
        <span className="font-medium text-green">{t("receipt.refund.made")}</span>
        <span className="font-semibold text-lg tabular-nums">{formatQuota(refund.quota, 6)}</span>
      </p>
      <p className="mt-1 break-words">{refund.reason}</p>
      <p className="mt-1 text-sm text-ink-2">
        {refund.actor_name === undefined
          ? time
          : t("receipt.refund.byName", { name: refund.actor_name, time })}
      </p>
      {parts.map((part) => (
        <p key={part} className="mt-1 text-sm text-ink-2">
          {part}
        </p>
      ))}
    </div>
  );
};

/** The refund of a charged request. Administrators make it here, once. */
export const RequestRefund = ({ receipt }: { receipt: Receipt }) => {
  const { t } = useTranslation();
  const { isRoot, user, may } = useSession();
  const [isOpen, setOpen] = useState(false);
  if (receipt.refund) return <Refunded refund={receipt.refund} />;
  // Root alone decides about the money of administrators.
  const isOwn = receipt.user_id === undefined || receipt.user_id === user?.id;
  if (!may("balances", "change") || receipt.quota <= 0 || (isOwn && !isRoot)) return null;
  return (
    <div className="flex justify-end">
      <Button size="small" aria-haspopup="dialog" onClick={() => setOpen(true)}>
        {t("receipt.refund.open")}
      </Button>
      {isOpen && (
        <LazyBoundary
          load={loadDialog}
          with={{ receipt, onClose: () => setOpen(false) }}
          onMissing={() => setOpen(false)}
        />
      )}
    </div>
  );
};
