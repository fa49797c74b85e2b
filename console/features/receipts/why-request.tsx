import { useQuery } from "@tanstack/react-query";
import type { Receipt } from "@tollgate/contract/api/receipts";
import { UNTRANSLATED_REASONS } from "@tollgate/contract/api/translations";
import { curlCommand } from "@tollgate/contract/values/curl-command";
import { useTranslation } from "react-i18next";
import { Button } from "../../components/button";
import { CodeBlock } from "../../components/code-block";
import { FailedState } from "../../components/failed-state";
import { copyOrShow } from "../../lib/copy";
import { useSession } from "../../lib/session";
import { serverAddress, useStatus } from "../../lib/status";
import { FieldTable } from "./field-table";
import { FoldedPart } from "./folded-part";
import { bodyQuery, translationQuery } from "./receipt-queries";
import { SendAgain } from "./send-again-part";
import { wholeRequestOf } from "./whole-request";

/** What can be learned from the stored content of a request. Each part is loaded when it is opened. */
const WhyRequest = ({ receipt }: { receipt: Receipt }) => {
  const { t } = useTranslation();
  const { request_id: requestId } = receipt;
  return (
    <div className="mt-4 flex flex-col gap-4 border-line border-t pt-4">
      <FoldedPart title={t("why.translation")}>{() => <Translation requestId={requestId} />}</FoldedPart>
      <FoldedPart title={t("why.curl")}>{() => <Curl requestId={requestId} />}</FoldedPart>
      <FoldedPart title={t("why.again")}>{() => <Again receipt={receipt} />}</FoldedPart>
    </div>
  );
};

export default WhyRequest;

const Waiting = () => {
  const { t } = useTranslation();
  return <div role="status" aria-label={t("page.loading")} className="skeleton mt-3 h-24 rounded-md" />;
};

const Translation = ({ requestId }: { requestId: string }) => {
  const { t } = useTranslation();
  const { isRoot } = useSession();
  const { data, error, refetch } = useQuery(translationQuery(requestId, isRoot));
  if (error) return <FailedState error={error} onRetry={() => void refetch()} />;
  if (!data) return <Waiting />;
  const { reason, rows, row_count: rowCount } = data;
  const known = UNTRANSLATED_REASONS.find((each) => each === reason);
  if (reason !== undefined) return <p className="mt-3 text-ink-2">{t(`why.reason.${known ?? "no-chat"}`)}</p>;
  return (
    <div className="mt-3 flex flex-col gap-3">
      <p className="text-sm text-ink-2">{t(isRoot ? "why.remade" : "why.remadeOwn")}</p>
      {rows.length === 0 ? (
        <p>{t("why.same")}</p>
      ) : (
        <FieldTable
          label={t("why.translation")}
          sides={[t("why.client"), t("why.upstream")]}
          hasBoth={isRoot}
          rows={rows}
        />
      )}
      {rowCount > rows.length && (
        <p className="text-sm text-ink-2">{t("why.more", { count: rowCount - rows.length })}</p>
      )}
    </div>
  );
};

/** The whole stored request; null for one that is not stored whole. */
const useWholeRequest = (requestId: string) => {
  const { isRoot } = useSession();
  const { data, error, refetch } = useQuery(bodyQuery(requestId, isRoot));
  const whole = data && ((data.body && wholeRequestOf(data.body)) ?? null);
  return { whole, error, refetch };
};

const Curl = ({ requestId }: { requestId: string }) => {
  const { t } = useTranslation();
  const address = serverAddress(useStatus());
  const { whole, error, refetch } = useWholeRequest(requestId);
  if (error) return <FailedState error={error} onRetry={() => void refetch()} />;
  if (whole === undefined) return <Waiting />;
  const command = whole ? curlCommand(address, whole.path, whole.text) : undefined;
  if (command === undefined) return <p className="mt-3 text-ink-2">{t("why.notWhole")}</p>;
  return (
    <div className="mt-3 flex flex-col gap-2">
      <div className="flex flex-wrap items-center justify-between gap-2">
        <p className="text-sm text-ink-2">{t("why.curlText")}</p>
        <Button size="small" onClick={() => void copyOrShow(command, () => undefined)}>
          {t("action.copy")}
        </Button>
      </div>
      <CodeBlock
        label={t("why.curl")}
        text={command}
        className="max-h-80 overflow-y-auto rounded-md bg-sunken p-3"
      />
    </div>
  );
};

const Again = ({ receipt }: { receipt: Receipt }) => {
  const { t } = useTranslation();
  const { whole, error, refetch } = useWholeRequest(receipt.request_id);
  if (error) return <FailedState error={error} onRetry={() => void refetch()} />;
  if (whole === undefined) return <Waiting />;
  if (whole === null) return <p className="mt-3 text-ink-2">{t("why.notWhole")}</p>;
  return <SendAgain receipt={receipt} whole={whole} />;
};
