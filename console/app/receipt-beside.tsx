import { LazyBoundary } from "../components/lazy-boundary";
import { loadTexts } from "../lib/i18n";

const loadPanel = async () => {
  const [panel] = await Promise.all([import("../features/receipts/receipt-panel"), loadTexts(["receipts"])]);
  return panel;
};

interface ReceiptBesideProps {
  requestId: string;
  /** Undefined without neighbours, and at the ends of the list. */
  onPrevious?: (() => void) | undefined;
  onNext?: (() => void) | undefined;
  onClose: () => void;
}

/** The receipt of a request beside a page. */
export const ReceiptBeside = (receipt: ReceiptBesideProps) => (
  <LazyBoundary load={loadPanel} with={receipt} onMissing={receipt.onClose} />
);
