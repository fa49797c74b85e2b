import { Link } from "@tanstack/react-router";
import { ChevronDown, ChevronUp, Maximize2, X } from "lucide-react";
import { useTranslation } from "react-i18next";
import { Button, buttonVariants } from "../../components/button";
import { usePanel } from "../../lib/use-panel";
import { ReceiptOf } from "./receipt-page";

interface ReceiptPanelProps {
  requestId: string;
  /** Undefined at the ends of the list. */
  onPrevious?: (() => void) | undefined;
  onNext?: (() => void) | undefined;
  onClose: () => void;
}

/** The receipt of a request beside its list. */
const ReceiptPanel = ({ requestId, onPrevious, onNext, onClose }: ReceiptPanelProps) => {
  const { t } = useTranslation();
  const panel = usePanel<HTMLElement>(onClose);
  return (
    <aside
      ref={panel}
      tabIndex={-1}
      aria-label={t("receipt.title")}
      className="fixed inset-y-0 end-0 z-30 flex w-[560px] max-w-[60vw] flex-col border-line border-s bg-canvas shadow-float outline-none"
    >
      <header className="flex items-center justify-between gap-2 border-line border-b bg-surface px-4 py-2">
        <h2 className="font-semibold text-lg">{t("receipt.title")}</h2>
        <div className="flex items-center gap-1">
          <Button
            variant="quiet"
            size="smallIcon"
            aria-label={t("receipt.previous")}
            title={t("receipt.previous")}
            disabled={!onPrevious}
            onClick={onPrevious}
          >
            <ChevronUp aria-hidden className="size-4" />
          </Button>
          <Button
            variant="quiet"
            size="smallIcon"
            aria-label={t("receipt.next")}
            title={t("receipt.next")}
            disabled={!onNext}
            onClick={onNext}
          >
            <ChevronDown aria-hidden className="size-4" />
          </Button>
          <Link
            to="/log/receipt/$requestId"
            params={{ requestId }}
            aria-label={t("receipt.wholePage")}
            title={t("receipt.wholePage")}
            className={buttonVariants({ variant: "quiet", size: "smallIcon" })}
          >
            <Maximize2 aria-hidden className="size-4" />
          </Link>
          <Button variant="quiet" size="smallIcon" aria-label={t("action.close")} onClick={onClose}>
            <X aria-hidden className="size-4" />
          </Button>
        </div>
      </header>
      <div className="flex flex-1 flex-col gap-4 overflow-y-auto p-4">
        <ReceiptOf key={requestId} requestId={requestId} />
      </div>
    </aside>
  );
};

export default ReceiptPanel;
