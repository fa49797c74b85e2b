import { useQuery } from "@tanstack/react-query";
import {
  askPayout,
  type InvitationWire,
  type InvitedWire,
  transferCommission,
} from "@tollgate/contract/api/invitations";
import { COMMISSION_SOURCES } from "@tollgate/contract/records/commission-record";
import { Copy, Users } from "lucide-react";
import { useState } from "react";
import { useTranslation } from "react-i18next";
import { Button } from "../../components/button";
import type { Column } from "../../components/data-table";
import { EmptyState } from "../../components/empty-state";
import { FailedState } from "../../components/failed-state";
import { ListPage } from "../../components/list-page";
import { PageFrame, Panel } from "../../components/page-frame";
import { numberColumn } from "../../components/plain-columns";
import { QuotaField } from "../../components/quota-field";
import { TextField } from "../../components/text-field";
import { copyOrShow } from "../../lib/copy";
import { exactPoints, exactQuota } from "../../lib/exact-quota";
import { formatTime } from "../../lib/format";
import type { ListSearch } from "../../lib/list-search";
import { notify } from "../../lib/notify";
import { useEndpoint } from "../../lib/use-endpoint";
import { useList } from "../../lib/use-list";
import { useMistakes } from "../../lib/use-mistakes";
import {
  invitationQuery,
  invitedPages,
  payoutPages,
  queriedInvited,
  queriedPayouts,
} from "./invitation-queries";
import { usePayoutColumns } from "./payout-columns";

/** /invitation: the user's invite link, invited users, commissions, and their payout. */
export const InvitationPage = () => {
  const { t } = useTranslation();
  const { data, error, refetch } = useQuery(invitationQuery);
  return (
    <div className="mx-auto flex w-full max-w-document flex-col gap-8">
      <PageFrame title={t("invitation.title")} description={t("invitation.description")}>
        {error ? (
          <Panel>
            <FailedState error={error} onRetry={() => void refetch()} />
          </Panel>
        ) : data === undefined ? (
          <div
            role="status"
            aria-label={t("page.loading")}
            className="skeleton rounded-lg"
            style={{ height: 260 }}
          />
        ) : (
          <>
            <InviteLink code={data.code} />
            {data.invitation && <Earnings invitation={data.invitation} />}
          </>
        )}
      </PageFrame>
      {data?.invitation && (
        <>
          <InvitedList />
          <OwnPayouts />
        </>
      )}
    </div>
  );
};

const InviteLink = ({ code }: { code: string }) => {
  const { t } = useTranslation();
  const link = `${window.location.origin}/register?aff=${encodeURIComponent(code)}`;
  return (
    <Panel>
      <p className="text-sm text-ink-2">{t("invitation.link")}</p>
      <div className="mt-1 flex flex-wrap items-center justify-between gap-3">
        <p className="wrap-anywhere min-w-0 font-mono text-base">{link}</p>
        <Button onClick={() => void copyOrShow(link, () => undefined)}>
          <Copy aria-hidden className="size-3.5" />
          {t("action.copy")}
        </Button>
      </div>
    </Panel>
  );
};

const Figure = ({ label, value }: { label: string; value: string }) => (
  <div className="min-w-0">
    <dt className="text-sm text-ink-2">{label}</dt>
    <dd className="wrap-anywhere font-semibold text-xl tabular-nums leading-7">{value}</dd>
  </div>
);

/** The rule by which payments of invited users earn commission. */
const Rule = ({ invitation }: { invitation: InvitationWire }) => {
  const { t } = useTranslation();
  const rule =
    invitation.basis_points === 0
      ? t("invitation.ruleNone")
      : t(invitation.is_of_each ? "invitation.ruleEach" : "invitation.ruleFirst", {
          percent: invitation.basis_points / 100,
        });
  const sources = COMMISSION_SOURCES.filter((source) => invitation.sources?.includes(source)).map((source) =>
    t(`invitation.source.${source}`),
  );
  return (
    <p className="mt-4 text-sm text-ink-2">
      {rule}
      {sources.length > 0 && ` ${t("invitation.sources", { sources: sources.join(" · ") })}`}
    </p>
  );
};

const Earnings = ({ invitation }: { invitation: InvitationWire }) => {
  const { t } = useTranslation();
  const refused = useMistakes();
  const transfer = useEndpoint(transferCommission, refused);
  const ask = useEndpoint(askPayout, refused);
  const isMoving = transfer.isPending || ask.isPending;
  const [amount, setAmount] = useState("");
  const [note, setNote] = useState("");
  const quota = Number(amount);
  const least = Math.max(1, invitation.minimum);
  const isFit = Number.isSafeInteger(quota) && quota >= least && quota <= invitation.commission;
  const onSuccess = () => {
    notify.success(t("action.done"));
    setAmount("");
    setNote("");
  };
  return (
    <Panel>
      <dl className="grid grid-cols-2 gap-x-6 gap-y-4 wide:grid-cols-5">
        <Figure label={t("invitation.invited")} value={String(invitation.invited)} />
        <Figure label={t("invitation.gifts")} value={exactQuota(invitation.gifts)} />
        <Figure label={t("invitation.earned")} value={exactQuota(invitation.earned)} />
        <Figure label={t("invitation.available")} value={exactQuota(invitation.commission)} />
        <Figure label={t("invitation.pending")} value={exactQuota(invitation.payout)} />
        {invitation.missing > 0 && (
          <Figure label={t("invitation.owed")} value={exactQuota(invitation.missing)} />
        )}
      </dl>
      {invitation.missing > 0 && <p className="mt-4 text-sm">{t("invitation.owedText")}</p>}
      <Rule invitation={invitation} />
      {invitation.commission > 0 && (
        <form
          className="mt-5 grid items-start gap-3 border-line border-t pt-5 wide:grid-cols-2"
          onSubmit={(event) => event.preventDefault()}
        >
          <QuotaField
            label={t("invitation.amount")}
            min={least}
            max={invitation.commission}
            value={amount}
            error={refused.of("quota")}
            hint={amount === "" && t("invitation.minimum", { amount: exactQuota(least) })}
            aside={
              <button
                type="button"
                className="text-sm text-accent underline-offset-4 hover:underline"
                onClick={() => setAmount(String(invitation.commission))}
              >
                {t("invitation.all")}
              </button>
            }
            onChange={setAmount}
          />
          <TextField
            label={t("invitation.note")}
            value={note}
            error={refused.of("note")}
            maxLength={500}
            autoComplete="off"
            placeholder={t("invitation.notePlaceholder")}
            onChange={({ target }) => setNote(target.value)}
          />
          <div className="flex flex-wrap gap-2 wide:col-span-2">
            <Button
              variant="primary"
              disabled={!isFit}
              isBusy={isMoving}
              onClick={({ currentTarget: { form } }) => {
                if (form) refused.begin(form);
                transfer.mutate({ body: { quota } }, { onSuccess });
              }}
            >
              {t("invitation.transfer")}
            </Button>
            <Button
              disabled={!isFit || isMoving}
              onClick={({ currentTarget: { form } }) => {
                if (form) refused.begin(form);
                ask.mutate({ body: { quota, note } }, { onSuccess });
              }}
            >
              {t("invitation.ask")}
            </Button>
          </div>
        </form>
      )}
    </Panel>
  );
};

const InvitedList = () => {
  const { t } = useTranslation();
  const [search, setSearch] = useState<ListSearch>({});
  const columns: Column<InvitedWire>[] = [
    { id: "name", label: t("field.user"), cell: ({ name }) => name, card: "head" },
    {
      id: "created_time",
      label: t("invitation.since"),
      cell: (invited) => formatTime(invited.created_time),
      sortBy: (invited) => invited.created_time,
    },
    numberColumn("earned", t("invitation.earned"), (invited) => invited.earned, exactPoints, {
      card: "side",
    }),
  ];
  const list = useList({ pages: invitedPages, queried: queriedInvited, search, columns });
  return (
    <ListPage
      isPart
      title={t("invitation.people")}
      label={t("invitation.people")}
      list={list}
      columns={columns}
      rowKey={(invited) => invited.id}
      search={search}
      onSearch={(next) => setSearch((now) => ({ ...now, ...next }))}
      empty={<EmptyState icon={<Users />} title={t("invitation.nobody")} text={t("invitation.nobodyText")} />}
    />
  );
};

const OwnPayouts = () => {
  const { t } = useTranslation();
  const [search, setSearch] = useState<ListSearch>({});
  const columns = usePayoutColumns();
  const list = useList({ pages: payoutPages(true), queried: queriedPayouts(true), search, columns });
  if (list.rows?.length === 0) return null;
  return (
    <ListPage
      isPart
      title={t("invitation.payouts")}
      label={t("invitation.payouts")}
      list={list}
      columns={columns}
      rowKey={(payout) => payout.id}
      search={search}
      onSearch={(next) => setSearch((now) => ({ ...now, ...next }))}
      empty={null}
    />
  );
};
