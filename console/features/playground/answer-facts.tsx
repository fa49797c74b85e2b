import { useQuery } from "@tanstack/react-query";
import { Link } from "@tanstack/react-router";
import { type ReactNode, useState } from "react";
import { useTranslation } from "react-i18next";
import { Button } from "../../components/button";
import { LazyBoundary } from "../../components/lazy-boundary";
import { formatQuota, inThousands } from "../../lib/format";
import { ownReceiptQuery } from "./receipt-query";
import type { Raw } from "./run-answer";

// Loaded with the first look.
const loadRawWindow = () => import("./raw-window");

interface AnswerFactsProps {
  /** "" for a request that did not reach the gateway. */
  requestId: string;
  /** Undefined for an answer of an earlier visit. */
  raw: Raw | undefined;
  children?: ReactNode;
}

/** The tokens and the cost of an answer, its receipt, and what went over the wire. */
export const AnswerFacts = ({ requestId, raw, children }: AnswerFactsProps) => {
  const { t } = useTranslation();
  const [isOpen, setOpen] = useState(false);
  const { data: receipt } = useQuery(ownReceiptQuery(requestId));
  return (
    <footer className="flex min-h-control-small flex-wrap items-center gap-x-3 gap-y-1 text-ink-2 text-sm tabular-nums">
      {receipt && (
        <>
          <span>
            {t("playground.tokens", {
              prompt: inThousands(receipt.prompt_tokens),
              completion: inThousands(receipt.completion_tokens),
            })}
          </span>
          <span>{t("playground.cost", { cost: formatQuota(receipt.quota, 6) })}</span>
          <Link
            to="/log/receipt/$requestId"
            params={{ requestId }}
            className="touch text-accent underline-offset-2 hover:underline"
          >
            {t("playground.receipt")}
          </Link>
        </>
      )}
      {children}
      {raw && (
        <Button variant="quiet" size="small" aria-haspopup="dialog" onClick={() => setOpen(true)}>
          {t("playground.raw")}
        </Button>
      )}
      {raw && isOpen && (
        <LazyBoundary
          load={loadRawWindow}
          with={{ raw, onClose: () => setOpen(false) }}
          onMissing={() => setOpen(false)}
        />
      )}
    </footer>
  );
};
