import { LazyBoundary } from "../components/lazy-boundary";
import { LogListPage } from "../features/logs/log-list-page";
import { loadTexts } from "../lib/i18n";

const loadPanel = async () => {
  const [panel] = await Promise.all([import("../features/receipts/receipt-panel"), loadTexts(["receipts"])]);
  return panel;
};

/** /log, with the receipt of a line beside the list. */
export const LogPage = () => (
  <LogListPage
    receipt={(requestId, steps, onClose) => (
      <LazyBoundary load={loadPanel} with={{ requestId, ...steps, onClose }} onMissing={onClose} />
    )}
  />
);
