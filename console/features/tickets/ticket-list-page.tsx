import { OWN_TICKET_FILTERS } from "@tollgate/contract/api/tickets";
import { MessageSquareText } from "lucide-react";
import { useTranslation } from "react-i18next";
import { AddLink } from "../../components/add-link";
import { EmptyState } from "../../components/empty-state";
import { ListPage } from "../../components/list-page";
import { useNarrowedList } from "../../lib/use-narrowed-list";
import { useTicketColumns, useTicketFilters } from "./ticket-cells";
import { ownTicketPages, queriedOwnTickets } from "./ticket-queries";

/** /ticket: the user's own tickets. */
export const TicketListPage = () => {
  const { t } = useTranslation();
  const columns = useTicketColumns(true);
  const filters = useTicketFilters(true);
  const page = useNarrowedList({
    pages: ownTicketPages,
    queried: queriedOwnTickets,
    columns,
    kinds: OWN_TICKET_FILTERS,
  });
  return (
    <ListPage
      {...page}
      title={t("ticket.own")}
      label={t("ticket.own")}
      description={t("ticket.ownText")}
      filters={filters}
      columns={columns}
      rowKey={({ id }) => id}
      isFaint={({ state }) => state === "closed"}
      primary={<AddLink to="/ticket/add">{t("ticket.add")}</AddLink>}
      empty={
        <EmptyState icon={<MessageSquareText />} title={t("ticket.empty")} text={t("ticket.emptyText")} />
      }
    />
  );
};
