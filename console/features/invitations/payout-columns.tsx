import type { PayoutWire } from "@tollgate/contract/api/invitations";
import { useTranslation } from "react-i18next";
import { StateMark } from "../../components/badge";
import type { Column } from "../../components/data-table";
import { exactQuota } from "../../lib/exact-quota";
import { formatTime } from "../../lib/format";

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
    {
      id: "created_time",
      label: t("field.time"),
      cell: (payout) => formatTime(payout.created_time),
      sortBy: (payout) => payout.created_time,
      card: "head",
      className: "wide:whitespace-nowrap",
    },
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
    {
      id: "amount",
      label: t("field.quota"),
      cell: (payout) => exactQuota(payout.amount, "point"),
      sortBy: (payout) => payout.amount,
      isNumber: true,
    },
  ];
};
