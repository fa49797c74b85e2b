import type { PayoutWire } from "@tollgate/contract/api/invitations";
import { useTranslation } from "react-i18next";
import { StateMark } from "../../components/badge";
import type { Column } from "../../components/data-table";
import { numberColumn, timeColumn } from "../../components/plain-columns";
import { exactPoints } from "../../lib/exact-quota";

const PayoutState = ({ state }: { state: string }) => {
  const { t } = useTranslation();
  switch (state) {
    case "asked":
      return <StateMark tone="yellow">{t("invitation.state.asked")}</StateMark>;
    case "paid":
      return <StateMark tone="green">{t("invitation.state.paid")}</StateMark>;
    case "declined":
      return <StateMark tone="red">{t("invitation.state.declined")}</StateMark>;
    default:
      return <StateMark tone="grey">{state}</StateMark>;
  }
};

/** The columns of payout requests, of one's own or of all users'. */
export const usePayoutColumns = (): Column<PayoutWire>[] => {
  const { t } = useTranslation();
  return [
    timeColumn("created_time", t("field.time"), (payout) => payout.created_time, { card: "head" }),
    {
      id: "state",
      label: t("field.status"),
      cell: (payout) => <PayoutState state={payout.state} />,
      sortBy: (payout) => payout.state,
      card: "side",
    },
    {
      id: "note",
      label: t("invitation.note"),
      cell: (payout) => payout.note,
      className: "max-w-72 wrap-anywhere max-wide:col-span-2",
    },
    {
      id: "reason",
      label: t("invitation.reason"),
      cell: (payout) => payout.reason,
      className: "max-w-72 wrap-anywhere max-wide:col-span-2",
    },
    numberColumn("amount", t("field.quota"), (payout) => payout.amount, exactPoints),
  ];
};
