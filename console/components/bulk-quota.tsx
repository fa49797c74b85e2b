import { MAX_BATCH_REASON } from "@tollgate/contract/management/batch";
import { MAX_QUOTA } from "@tollgate/contract/values/quota";
import { useRef, useState } from "react";
import { useTranslation } from "react-i18next";
import { createOperationId } from "../lib/operation-id";
import { useMistakes } from "../lib/use-mistakes";
import { BulkWindow } from "./bulk-fields";
import { QuotaField } from "./quota-field";
import { Segmented } from "./segmented";
import { TextField } from "./text-field";

export const QUOTA_ACTIONS = ["add-quota", "take-quota", "set-quota"] as const;
export type QuotaAction = (typeof QUOTA_ACTIONS)[number];

export interface QuotaChange {
  action: QuotaAction;
  quota: number;
  reason: string | undefined;
  operation: string;
}

interface BulkQuotaProps {
  isOpen: boolean;
  /** Number of changed records. */
  count: number;
  /** Offers adding alone, without a reason: the quota is the owner's own limit. */
  isOwn?: boolean;
  onClose: () => void;
  onSave: (change: QuotaChange) => Promise<void>;
}

/** Adds quota to many records, takes it, or sets it. A repeated try after a failure moves nothing again. */
const BulkQuota = ({ isOpen, count, isOwn = false, onClose, onSave }: BulkQuotaProps) => {
  const { t } = useTranslation();
  const [action, setAction] = useState<QuotaAction>("add-quota");
  const [points, setPoints] = useState("");
  const [reason, setReason] = useState("");
  const mistakes = useMistakes();
  /** The operation of a try that failed, as long as the same is tried again. */
  const tried = useRef<{ what: string; operation: string }>(undefined);
  const quota = /^\d+$/.test(points.trim()) ? Number(points) : Number.NaN;
  const least = action === "set-quota" ? 0 : 1;
  const canSave = quota >= least && quota <= MAX_QUOTA && (isOwn || reason.trim() !== "");
  const save = async () => {
    const what = `${action} ${quota}`;
    if (tried.current?.what !== what) tried.current = { what, operation: createOperationId() };
    await onSave({
      action,
      quota,
      reason: isOwn ? undefined : reason.trim(),
      operation: tried.current.operation,
    });
  };
  return (
    <BulkWindow
      isOpen={isOpen}
      title={t("batch.quota.title", { count })}
      canSave={canSave}
      mistakes={mistakes}
      onClose={onClose}
      onSave={save}
      onSaved={() => {
        tried.current = undefined;
        setPoints("");
        setReason("");
      }}
    >
      {!isOwn && (
        <Segmented
          label={t("batch.quota.action")}
          value={action}
          segments={QUOTA_ACTIONS.map((value) => ({ value, label: t(`batch.quota.${value}`) }))}
          onChange={setAction}
        />
      )}
      <QuotaField
        label={t("batch.quota.amount")}
        hint={t(`batch.quota.${isOwn ? "own" : action}-hint`)}
        min={least}
        value={points}
        error={mistakes.of("quota")}
        onChange={setPoints}
      />
      {!isOwn && (
        <TextField
          label={t("batch.quota.reason")}
          hint={t("batch.quota.reasonHint")}
          isRequired
          autoComplete="off"
          maxLength={MAX_BATCH_REASON}
          value={reason}
          error={mistakes.of("reason")}
          onChange={({ target }) => setReason(target.value)}
        />
      )}
    </BulkWindow>
  );
};

export default BulkQuota;
