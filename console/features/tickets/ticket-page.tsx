import { useQuery } from "@tanstack/react-query";
import { Link } from "@tanstack/react-router";
import {
  assignTicket,
  closeOwnTicket,
  closeTicket,
  type TicketPage as TicketWithEntries,
} from "@tollgate/contract/api/tickets";
import { ArrowLeft, ReceiptText } from "lucide-react";
import { type MouseEvent, type ReactNode, useState } from "react";
import { useTranslation } from "react-i18next";
import { Button, buttonVariants } from "../../components/button";
import { ConfirmButton } from "../../components/confirm-button";
import { Loaded } from "../../components/form-page";
import { PageFrame } from "../../components/page-frame";
import { RecordLink } from "../../components/record-link";
import { formatTime } from "../../lib/format";
import { useSession } from "../../lib/session";
import { useIdInAddress } from "../../lib/use-address";
import { useEndpoint } from "../../lib/use-endpoint";
import { useNarrow } from "../../lib/use-narrow";
import { Conversation } from "./conversation";
import { ReplyForm } from "./reply-form";
import { TicketState, useTicketTexts } from "./ticket-cells";
import { ticketQuery } from "./ticket-queries";

/** Renders the receipt of a request beside the page. */
export type ReceiptBeside = (requestId: string, onClose: () => void) => ReactNode;

interface TicketPageProps {
  /** As the ticket's own user sees it. */
  isOwn: boolean;
  receipt: ReceiptBeside;
}

/** /ticket/{id} and /ticket/manage/{id}: a ticket as a conversation. */
export const TicketPage = ({ isOwn, receipt }: TicketPageProps) => {
  const { t } = useTranslation();
  const id = useIdInAddress();
  const query = useQuery(ticketQuery(id, isOwn));
  return (
    <Loaded title={t("ticket.numbered", { id })} query={query}>
      {(ticket) => <Shown key={id} ticket={ticket} isOwn={isOwn} receipt={receipt} />}
    </Loaded>
  );
};

interface ShownProps extends TicketPageProps {
  ticket: TicketWithEntries;
}

const Shown = ({ ticket, isOwn, receipt }: ShownProps) => {
  const { t } = useTranslation();
  const [hasReceipt, setReceipt] = useState(false);
  return (
    <div className="mx-auto w-full max-w-document">
      <PageFrame
        title={<span className="wrap-anywhere">{ticket.subject}</span>}
        aside={
          <div className="flex flex-wrap gap-2">
            <Link to={isOwn ? "/ticket" : "/ticket/manage"} className={buttonVariants({ variant: "quiet" })}>
              <ArrowLeft aria-hidden className="size-3.5" />
              {t("ticket.toList")}
            </Link>
            {!isOwn && <AssignButton ticket={ticket} />}
            {ticket.state !== "closed" && <CloseButton ticket={ticket} isOwn={isOwn} />}
          </div>
        }
      >
        <TicketFacts ticket={ticket} isOwn={isOwn} onReceipt={() => setReceipt(true)} />
        <Conversation entries={ticket.entries} isOwn={isOwn} />
        <ReplyForm ticket={ticket} isOwn={isOwn} />
      </PageFrame>
      {hasReceipt && receipt(ticket.requestId, () => setReceipt(false))}
    </div>
  );
};

const CloseButton = ({ ticket: { id }, isOwn }: Omit<ShownProps, "receipt">) => {
  const { t } = useTranslation();
  const closeOwn = useEndpoint(closeOwnTicket, { repeatsAlways: true });
  const close = useEndpoint(closeTicket, { repeatsAlways: true });
  const call = { params: { id } };
  return (
    <ConfirmButton
      question={t("ticket.closeQuestion")}
      consequence={t(isOwn ? "ticket.closeOwnConsequence" : "ticket.closeConsequence")}
      confirm={t("ticket.close")}
      isHarmless
      onConfirm={() => (isOwn ? closeOwn.mutateAsync(call) : close.mutateAsync(call))}
    >
      {t("ticket.close")}
    </ConfirmButton>
  );
};

const AssignButton = ({ ticket: { id, assigneeId } }: Pick<ShownProps, "ticket">) => {
  const { t } = useTranslation();
  const { user } = useSession();
  const assign = useEndpoint(assignTicket, { repeatsAlways: true });
  const isMine = assigneeId === user?.id;
  return (
    <Button
      isBusy={assign.isPending}
      onClick={() => assign.mutate({ params: { id }, body: { is_mine: !isMine } })}
    >
      {t(isMine ? "ticket.release" : "ticket.take")}
    </Button>
  );
};

interface TicketFactsProps extends Omit<ShownProps, "receipt"> {
  onReceipt: () => void;
}

/** What the head of the page says of a ticket. */
const TicketFacts = ({ ticket, isOwn, onReceipt }: TicketFactsProps) => {
  const { t } = useTranslation();
  const texts = useTicketTexts(isOwn);
  const { id, userId, username, requestId, assigneeName, createdAt, closesAt, state, category } = ticket;
  return (
    <dl className="grid grid-cols-2 gap-x-6 gap-y-3 rounded-lg border border-line bg-surface px-4 py-3 text-sm wide:grid-cols-[repeat(auto-fill,minmax(9rem,1fr))]">
      <Fact name={t("field.status")}>
        <TicketState state={state} isOwn={isOwn} />
      </Fact>
      <Fact name={t("ticket.number")}>#{id}</Fact>
      <Fact name={t("ticket.category")}>{texts.category(category)}</Fact>
      {!isOwn && (
        <Fact name={t("field.user")}>
          <RecordLink kind="user" id={userId}>
            {username}
          </RecordLink>
        </Fact>
      )}
      {!isOwn && <Fact name={t("ticket.assignee")}>{assigneeName || t("ticket.unassigned")}</Fact>}
      <Fact name={t("ticket.created")}>{formatTime(createdAt)}</Fact>
      {closesAt > 0 && <Fact name={t("ticket.closes")}>{formatTime(closesAt)}</Fact>}
      {requestId !== "" && (
        <Fact name={t("ticket.receipt")}>
          <ReceiptLink requestId={requestId} onReceipt={onReceipt} />
        </Fact>
      )}
    </dl>
  );
};

const Fact = ({ name, children }: { name: string; children: ReactNode }) => (
  <div className="min-w-0">
    <dt className="text-ink-2 text-xs">{name}</dt>
    <dd className="wrap-anywhere mt-0.5 tabular-nums">{children}</dd>
  </div>
);

interface ReceiptLinkProps {
  requestId: string;
  onReceipt: () => void;
}

/** Leads to the receipt, which a wide screen shows beside the conversation. */
const ReceiptLink = ({ requestId, onReceipt }: ReceiptLinkProps) => {
  const { t } = useTranslation();
  const isNarrow = useNarrow();
  const open = (event: MouseEvent): void => {
    // The browser opens the link itself, possibly in a new tab.
    if (isNarrow || event.ctrlKey || event.metaKey || event.shiftKey) return;
    event.preventDefault();
    onReceipt();
  };
  return (
    <Link
      to="/log/receipt/$requestId"
      params={{ requestId }}
      title={requestId}
      onClick={open}
      className="touch inline-flex items-center gap-1.5 text-accent underline-offset-2 hover:underline"
    >
      <ReceiptText aria-hidden className="size-4" />
      {t("ticket.showReceipt")}
    </Link>
  );
};
