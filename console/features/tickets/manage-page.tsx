import { TICKET_FILTERS, type Ticket } from "@tollgate/contract/api/tickets";
import { MessageSquareText } from "lucide-react";
import { useTranslation } from "react-i18next";
import type { Column } from "../../components/data-table";
import { EmptyState } from "../../components/empty-state";
import { ListPage } from "../../components/list-page";
import { textColumn } from "../../components/plain-columns";
import { RecordLink } from "../../components/record-link";
import { useSession } from "../../lib/session";
import { useChosenColumns } from "../../lib/use-chosen-columns";
import { useNarrowedList } from "../../lib/use-narrowed-list";
import { useTicketColumns, useTicketFilters } from "./ticket-cells";
import { queriedTickets, ticketPages } from "./ticket-queries";

/** /ticket/manage: the tickets of all users. */
export const ManageTicketsPage = () => {
  const { t } = useTranslation();
  const { user } = useSession();
  const [subject, ...others] = useTicketColumns(false);
  const filters = useTicketFilters(false);
  const columns: Column<Ticket>[] = [
    ...(subject ? [subject] : []),
    {
      id: "username",
      label: t("field.user"),
      cell: ({ userId, username }) => (
        <RecordLink kind="user" id={userId} className="wrap-anywhere">
          {username}
        </RecordLink>
      ),
      sortBy: ({ username }) => username,
    },
    ...others,
    textColumn("assignee_name", t("ticket.assignee"), ({ assigneeName }) => assigneeName),
  ];
  const { shown, choices } = useChosenColumns("ticket", columns);
  const page = useNarrowedList({
    pages: ticketPages,
    queried: queriedTickets,
    columns,
    kinds: TICKET_FILTERS,
  });
  return (
    <ListPage
      {...page}
      title={t("ticket.all")}
      label={t("ticket.all")}
      description={t("ticket.allText")}
      searchPlaceholder={t("ticket.search")}
      filters={[
        ...filters,
        {
          column: "assignee_id",
          label: t("ticket.assignee"),
          choices: [
            [user?.id ?? 0, t("ticket.mine")],
            [0, t("ticket.unassigned")],
          ],
        },
      ]}
      columns={shown}
      columnChoices={choices}
      rowKey={({ id }) => id}
      isFaint={({ state }) => state === "closed"}
      empty={
        <EmptyState icon={<MessageSquareText />} title={t("ticket.empty")} text={t("ticket.allEmptyText")} />
      }
    />
  );
};
