import type { CommissionWire, PayoutWire } from "@tollgate/contract/api/invitations";
import { HandCoins, Wallet } from "lucide-react";
import { type ReactNode, useState } from "react";
import { useTranslation } from "react-i18next";
import type { Column } from "../../components/data-table";
import { EmptyState } from "../../components/empty-state";
import { ListPage } from "../../components/list-page";
import { numberColumn, timeColumn } from "../../components/plain-columns";
import { RecordLink } from "../../components/record-link";
import { exactPoints, exactQuota } from "../../lib/exact-quota";
import type { ListSearch } from "../../lib/list-search";
import { useList } from "../../lib/use-list";
import { commissionPages, payoutPages, queriedCommissions, queriedPayouts } from "./invitation-queries";
import { usePayoutColumns } from "./payout-columns";
import { PayoutDecision } from "./payout-decision";

const Person = ({ id, name }: { id: number; name: string }) =>
  name === "" ? (
    <span className="text-ink-3">#{id}</span>
  ) : (
    <RecordLink kind="user" id={id} className="wrap-anywhere">
      {name}
    </RecordLink>
  );

/** /invitation/manage: payout requests of inviters, and their commissions. */
export const ManageInvitationsPage = () => (
  <div className="flex flex-col gap-8">
    <Payouts>
      <Commissions />
    </Payouts>
  </div>
);

/** @param children shown below the list, once it has loaded. */
const Payouts = ({ children }: { children: ReactNode }) => {
  const { t } = useTranslation();
  const [search, setSearch] = useState<ListSearch>({});
  const [time, ...shared] = usePayoutColumns();
  const columns: Column<PayoutWire>[] = [
    ...(time ? [time] : []),
    {
      id: "username",
      label: t("field.user"),
      cell: (payout) => <Person id={payout.user_id} name={payout.username} />,
      sortBy: (payout) => payout.username,
    },
    ...shared,
    {
      id: "missing",
      label: t("invitation.owed"),
      cell: (payout) => (payout.missing > 0 ? exactPoints(payout.missing) : ""),
      sortBy: (payout) => payout.missing,
      isNumber: true,
    },
    {
      id: "decision",
      label: t("field.actions"),
      cell: (payout) => <PayoutDecision payout={payout} />,
      className: "max-wide:col-span-2",
    },
  ];
  const list = useList({ pages: payoutPages(false), queried: queriedPayouts(false), search, columns });
  return (
    <>
      <ListPage
        title={t("invitation.manageTitle")}
        label={t("invitation.manageTitle")}
        description={t("invitation.manageDescription")}
        list={list}
        columns={columns}
        rowKey={(payout) => payout.id}
        search={search}
        onSearch={(next) => setSearch((now) => ({ ...now, ...next }))}
        empty={
          <EmptyState
            icon={<Wallet />}
            title={t("invitation.noPayouts")}
            text={t("invitation.noPayoutsText")}
          />
        }
      />
      {(list.rows !== undefined || list.error) && children}
    </>
  );
};

const Commissions = () => {
  const { t } = useTranslation();
  const [search, setSearch] = useState<ListSearch>({});
  const columns: Column<CommissionWire>[] = [
    timeColumn("created_time", t("field.time"), (commission) => commission.created_time, { card: "head" }),
    {
      id: "inviter",
      label: t("invitation.inviter"),
      cell: (commission) => <Person id={commission.inviter_id} name={commission.inviter} />,
      sortBy: (commission) => commission.inviter,
    },
    {
      id: "username",
      label: t("invitation.payer"),
      cell: (commission) => <Person id={commission.user_id} name={commission.username} />,
      sortBy: (commission) => commission.username,
    },
    numberColumn("base", t("invitation.base"), (commission) => commission.base, exactPoints),
    {
      id: "basis_points",
      label: t("invitation.percent"),
      cell: (commission) => `${(commission.basis_points / 100).toFixed(2)}%`,
      sortBy: (commission) => commission.basis_points,
      isNumber: true,
    },
    numberColumn("amount", t("invitation.commission"), (commission) => commission.amount, exactPoints, {
      card: "side",
    }),
    {
      id: "taken_back",
      label: t("invitation.takenBack"),
      cell: (commission) =>
        commission.missing > 0
          ? t("invitation.missing", {
              amount: exactQuota(commission.taken_back),
              missing: exactQuota(commission.missing),
            })
          : commission.taken_back > 0
            ? exactPoints(commission.taken_back)
            : "",
      sortBy: (commission) => commission.taken_back,
      isNumber: true,
    },
  ];
  const list = useList({ pages: commissionPages, queried: queriedCommissions, search, columns });
  return (
    <ListPage
      isPart
      title={t("invitation.commissions")}
      label={t("invitation.commissions")}
      list={list}
      columns={columns}
      rowKey={(commission) => commission.id}
      search={search}
      onSearch={(next) => setSearch((now) => ({ ...now, ...next }))}
      empty={
        <EmptyState
          icon={<HandCoins />}
          title={t("invitation.noCommissions")}
          text={t("invitation.noCommissionsText")}
        />
      }
    />
  );
};
