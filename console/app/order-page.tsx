import type { Order } from "@tollgate/contract/api/orders";
import { useTranslation } from "react-i18next";
import type { DetailTab } from "../components/detail-page";
import { OrderPage as OneOrder } from "../features/orders/order-page";
import { useSession } from "../lib/session";
import { Audit, below, Ledger } from "./page-parts";

/** /order/{number} with the movements of its money and its changes. */
export const OrderPage = () => {
  const { t } = useTranslation();
  const { isRoot } = useSession();
  const tabsOf = ({ number }: Order): DetailTab[] => [
    { id: "ledger", label: t("nav.ledger"), content: below({ order: number }, <Ledger />) },
    ...(isRoot
      ? [
          {
            id: "audit",
            label: t("nav.audit"),
            content: below({ action: "order", target: number }, <Audit />),
          },
        ]
      : []),
  ];
  return <OneOrder tabsOf={tabsOf} />;
};
