import { Link } from "@tanstack/react-router";
import type { Log } from "@tollgate/contract/api/logs";
import { ReceiptText } from "lucide-react";
import { useTranslation } from "react-i18next";
import { ClampedText } from "../../components/clamped-text";

/** What a line says in words, and the way to the receipt where the server gives one. */
export const LogDetail = ({ log }: { log: Log }) => {
  const { t } = useTranslation();
  if (log.requestId === "") return <ClampedText text={log.content} />;
  const label = t("log.receipt", { requestId: log.requestId });
  return (
    <div className="flex min-w-0 items-center justify-between gap-2">
      <div className="min-w-0">
        <ClampedText text={log.content} />
      </div>
      <Link
        to="/log/receipt/$requestId"
        params={{ requestId: log.requestId }}
        aria-label={label}
        title={label}
        className="grid size-7 shrink-0 place-items-center rounded-sm text-ink-3 hover:bg-hover hover:text-ink"
      >
        <ReceiptText aria-hidden className="size-4" />
      </Link>
    </div>
  );
};
