import { Link } from "@tanstack/react-router";
import type { Ticket } from "@tollgate/contract/api/tickets";
import { TICKET_CATEGORIES, TICKET_STATES } from "@tollgate/contract/records/ticket-record";
import { ReceiptText } from "lucide-react";
import { useTranslation } from "react-i18next";
import { StateMark, type Tone } from "../../components/badge";
import type { Column } from "../../components/data-table";
import { numberColumn, timeColumn } from "../../components/plain-columns";

interface TicketTexts {
  state: (state: string) => string;
  category: (category: string) => string;
}

/** Names of states and categories. @param isOwn for the ticket's own user. */
export const useTicketTexts = (isOwn: boolean): TicketTexts => {
  const { t } = useTranslation();
  return {
    state: (state) => {
      const known = TICKET_STATES.find((each) => each === state);
      return known ? t(isOwn ? `ticket.ownState.${known}` : `ticket.state.${known}`) : state;
    },
    category: (category) => {
      const known = TICKET_CATEGORIES.find((each) => each === category);
      return known ? t(`ticket.categories.${known}`) : category;
    },
  };
};

/** The side that has to act sees the state in yellow. */
const toneOf = (state: string, isOwn: boolean): Tone => {
  if (state === "closed") return "grey";
  return state === (isOwn ? "waiting-for-customer" : "waiting-for-support") ? "yellow" : "green";
};

interface TicketStateProps {
  state: string;
  isOwn: boolean;
}

export const TicketState = ({ state, isOwn }: TicketStateProps) => {
  const texts = useTicketTexts(isOwn);
  return <StateMark tone={toneOf(state, isOwn)}>{texts.state(state)}</StateMark>;
};

const SubjectCell = ({ ticket, isOwn }: { ticket: Ticket; isOwn: boolean }) => {
  const { t } = useTranslation();
  return (
    <span className="flex flex-wrap items-center gap-x-2">
      <Link
        to={isOwn ? "/ticket/$id" : "/ticket/manage/$id"}
        params={{ id: String(ticket.id) }}
        className="touch wrap-anywhere font-medium underline-offset-2 hover:text-accent hover:underline"
      >
        {ticket.subject}
      </Link>
      <span className="text-ink-3 text-sm">#{ticket.id}</span>
      {ticket.requestId !== "" && (
        <ReceiptText aria-label={t("ticket.hasReceipt")} className="size-4 text-ink-3" />
      )}
    </span>
  );
};

/** The columns of both lists. */
export const useTicketColumns = (isOwn: boolean): Column<Ticket>[] => {
  const { t } = useTranslation();
  const texts = useTicketTexts(isOwn);
  return [
    {
      id: "subject",
      label: t("ticket.subject"),
      cell: (ticket) => <SubjectCell ticket={ticket} isOwn={isOwn} />,
      sortBy: ({ subject }) => subject,
      card: "head",
      className: "min-w-48 max-w-96",
    },
    {
      id: "state",
      label: t("field.status"),
      cell: ({ state }) => <TicketState state={state} isOwn={isOwn} />,
      sortBy: ({ state }) => state,
      card: "side",
    },
    {
      id: "category",
      label: t("ticket.category"),
      cell: ({ category }) => texts.category(category),
      sortBy: ({ category }) => category,
    },
    numberColumn("message_count", t("ticket.messages"), ({ messageCount }) => messageCount, String),
    timeColumn("changed_time", t("ticket.changed"), ({ changedAt }) => changedAt),
    timeColumn("created_time", t("ticket.created"), ({ createdAt }) => createdAt),
  ];
};

/** The filters of both lists. */
export const useTicketFilters = (isOwn: boolean) => {
  const { t } = useTranslation();
  const texts = useTicketTexts(isOwn);
  return [
    {
      column: "state",
      label: t("field.status"),
      choices: TICKET_STATES.map((state) => [state, texts.state(state)] as const),
    },
    {
      column: "category",
      label: t("ticket.category"),
      choices: TICKET_CATEGORIES.map((category) => [category, texts.category(category)] as const),
    },
  ];
};
