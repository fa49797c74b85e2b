import { LogListPage } from "../features/logs/log-list-page";
import { ReceiptBeside } from "./receipt-beside";

/** /log, with the receipt of a line beside the list. */
export const LogPage = () => (
  <LogListPage
    receipt={(requestId, steps, onClose) => (
      <ReceiptBeside requestId={requestId} {...steps} onClose={onClose} />
    )}
  />
);
