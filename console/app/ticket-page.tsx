import { TicketPage } from "../features/tickets/ticket-page";
import { ReceiptBeside } from "./receipt-beside";

const receipt = (requestId: string, onClose: () => void) => (
  <ReceiptBeside requestId={requestId} onClose={onClose} />
);

/** /ticket/{id}, with the attached receipt beside it. */
export const OwnTicketPage = () => <TicketPage isOwn receipt={receipt} />;

/** /ticket/manage/{id}: the ticket of any user, whose request is refunded in the receipt beside it. */
export const ManagedTicketPage = () => <TicketPage isOwn={false} receipt={receipt} />;
