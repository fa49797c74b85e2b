import type { User } from "@tollgate/contract/api/user";
import { useTranslation } from "react-i18next";
import type { DetailTab } from "../components/detail-page";
import { UserPage as OneUser } from "../features/users/user-page";
import { useSession } from "../lib/session";
import { offersTickets, queriesLists } from "../lib/status";
import { Audit, below, Ledger, Log, Profit, part } from "./page-parts";

const Statement = part(
  async () => (await import("../features/statements/statement-page")).StatementPage,
  "statements",
  "ledger",
);
const Orders = part(async () => (await import("../features/orders/all-orders")).AllOrders, "orders");
const Keys = part(async () => (await import("../features/api-keys/user-api-keys")).UserApiKeys, "tokens");

const Tickets = part(
  async () => (await import("../features/tickets/manage-page")).ManageTicketsPage,
  "tickets",
);

/** /user/{id} with the keys, requests, money and changes of that user. */
export const UserPage = () => {
  const { t } = useTranslation();
  const { isRoot, may } = useSession();
  const tabsOf = ({ id, username }: User): DetailTab[] => [
    ...(queriesLists()
      ? [{ id: "keys", label: t("nav.token"), content: below({}, <Keys userId={id} />) }]
      : []),
    ...(may("logs") ? [{ id: "log", label: t("nav.log"), content: below({ username }, <Log />) }] : []),
    ...(may("balances")
      ? [{ id: "ledger", label: t("nav.ledger"), content: below({ username }, <Ledger />) }]
      : []),
    ...(may("balances")
      ? [{ id: "statement", label: t("nav.statement"), content: below({ username }, <Statement />) }]
      : []),
    ...(may("orders")
      ? [{ id: "orders", label: t("nav.orders"), content: below({ q: username }, <Orders />) }]
      : []),
    ...(offersTickets() && may("tickets")
      ? [{ id: "tickets", label: t("nav.ticket"), content: below({ user_id: id }, <Tickets />) }]
      : []),
    ...(may("profit")
      ? [{ id: "profit", label: t("nav.profit"), content: below({ username }, <Profit />) }]
      : []),
    ...(isRoot
      ? [{ id: "audit", label: t("nav.audit"), content: below({ beneficiary: username }, <Audit />) }]
      : []),
  ];
  return <OneUser tabsOf={tabsOf} />;
};
