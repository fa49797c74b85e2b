import { useQuery } from "@tanstack/react-query";
import { useTranslation } from "react-i18next";
import { Dialog } from "../../components/dialog";
import { FailedState } from "../../components/failed-state";
import { formatCount, formatQuota } from "../../lib/format";
import { formatDuration } from "../../lib/format-measure";
import { formatIsoTime } from "./format-iso-time";
import { keyRequestQuery, type Visit } from "./key-calls";

interface ReceiptProps {
  visit: Visit;
  id: string;
  onClose: () => void;
}

const ENDS = ["complete", "client-left", "interrupted", "failed"] as const;

/** One request of the key: its course and the arithmetic of its charge. */
const KeyReceipt = ({ visit, id, onClose }: ReceiptProps) => {
  const { t } = useTranslation();
  const { data, error, refetch } = useQuery(keyRequestQuery(visit, id));
  const end = ENDS.find((each) => each === data?.end);
  const facts: readonly (readonly [string, string | undefined])[] = data
    ? [
        [t("keyPage.requestId"), data.id],
        [t("keyPage.time"), formatIsoTime(data.created_at)],
        [t("field.model"), data.model],
        [t("field.group"), data.group],
        [t("keyPage.end"), end ? t(`keyPage.ends.${end}`) : data.end],
        [t("keyPage.duration"), formatDuration(data.latency)],
        [
          t("keyPage.firstByte"),
          data.first_byte_ms === undefined ? undefined : formatDuration(data.first_byte_ms),
        ],
        [t("keyPage.promptTokens"), formatCount(data.tokens_prompt)],
        [
          t("keyPage.cachedTokens"),
          data.native_tokens_cached === undefined ? undefined : formatCount(data.native_tokens_cached),
        ],
        [t("keyPage.completionTokens"), formatCount(data.tokens_completion)],
        [
          t("keyPage.reasoningTokens"),
          data.native_tokens_reasoning === undefined ? undefined : formatCount(data.native_tokens_reasoning),
        ],
        [t("keyPage.cost"), formatQuota(data.quota, 6)],
        [t("keyPage.formula"), data.formula],
        [
          t("keyPage.refund"),
          data.refund &&
            [formatQuota(data.refund.quota, 6), formatIsoTime(data.refund.created_at), data.refund.reason]
              .filter(Boolean)
              .join(" · "),
        ],
        [t("keyPage.error"), data.error?.message],
      ]
    : [];
  return (
    <Dialog isOpen isWide onClose={onClose} title={t("keyPage.receipt")}>
      {error && <FailedState error={error} onRetry={() => void refetch()} />}
      {!data && !error && <div className="skeleton h-64 w-full" />}
      <dl className="flex flex-col divide-y divide-line text-sm">
        {facts.map(
          ([name, value]) =>
            value && (
              <div key={name} className="grid gap-x-4 py-1.5 wide:grid-cols-[9rem_1fr]">
                <dt className="text-ink-2">{name}</dt>
                <dd className="whitespace-pre-line break-words tabular-nums">{value}</dd>
              </div>
            ),
        )}
      </dl>
    </Dialog>
  );
};

export default KeyReceipt;
