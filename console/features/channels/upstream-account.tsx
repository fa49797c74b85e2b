import {
  type AccountLimit,
  readUpstreamAccount,
  type UpstreamAccount,
} from "@tollgate/contract/api/channel-upstream";
import type { Channel } from "@tollgate/contract/api/channels";
import { LIMITS } from "@tollgate/contract/management/limits";
import { useTranslation } from "react-i18next";
import { Button } from "../../components/button";
import { FailedState } from "../../components/failed-state";
import { type SmallColumn, SmallTable } from "../../components/small-table";
import { formatCount, formatTime } from "../../lib/format";
import { useEndpoint } from "../../lib/use-endpoint";
import { balanceText, formatBalance } from "./balance-text";

/** The account behind a channel's key, read from its upstream on request. */
export const UpstreamAccountCard = ({ channel }: { channel: Channel }) => {
  const { t } = useTranslation();
  const { mutate, data, error, isPending } = useEndpoint(readUpstreamAccount, { isSilent: true });
  if (balanceText(channel) === undefined) return null;
  const title = t("upstreamAccount.title");
  const ask = () => mutate({ params: { id: channel.id } });
  return (
    <section aria-label={title} aria-busy={isPending} className="rounded-lg border border-line bg-surface">
      <div className="flex flex-wrap items-center justify-between gap-x-4 gap-y-2 px-4 py-3">
        <div className="min-w-0">
          <h2 className="font-semibold text-base">{title}</h2>
          <p className="text-xs text-ink-2">{t("upstreamAccount.text")}</p>
        </div>
        <Button onClick={ask} disabled={isPending}>
          {t(data ? "action.refresh" : "upstreamAccount.read")}
        </Button>
      </div>
      {error && !isPending && <FailedState error={error} onRetry={ask} />}
      {data && !error && <Account account={data} />}
    </section>
  );
};

const Account = ({ account }: { account: UpstreamAccount }) => {
  const { t } = useTranslation();
  const { unit, balance, plan, group, expires_at: expiresAt, limits } = account;
  const facts = [
    [
      t("field.balance"),
      balance === undefined ? t("upstreamAccount.unlimited") : formatBalance(unit, balance),
    ],
    [t("upstreamAccount.plan"), plan],
    [t("field.group"), group],
    [t("upstreamAccount.expiresAt"), expiresAt && formatTime(expiresAt)],
  ];
  return (
    <>
      <dl className="grid grid-cols-2 gap-x-6 gap-y-3 border-line border-t px-4 py-3 text-sm wide:grid-cols-4">
        {facts.map(([name, value]) => (
          <div key={name} className="min-w-0">
            <dt className="text-xs text-ink-2">{name}</dt>
            <dd className="mt-0.5 break-words tabular-nums">{value ?? t("value.none")}</dd>
          </div>
        ))}
      </dl>
      {limits.length > 0 && <Limits unit={unit} limits={limits} />}
    </>
  );
};

const SCOPES = ["key", "user", "group"] as const;

const useLimitTexts = (unit: UpstreamAccount["unit"]) => {
  const { t } = useTranslation();
  return ({ name, scope, max, used, is_money: isMoney }: AccountLimit) => {
    const known = (Object.keys(LIMITS) as (keyof typeof LIMITS)[]).find((key) => LIMITS[key].name === name);
    const knownScope = SCOPES.find((each) => each === scope);
    const format = (count: number) => (isMoney ? formatBalance(unit, count) : formatCount(count));
    return {
      name: known ? t(`limit.${known}`) : name,
      scope: knownScope ? t(`upstreamAccount.scope.${knownScope}`) : scope,
      use: used === undefined ? t("limit.maxOnly", { max: format(max) }) : `${format(used)} / ${format(max)}`,
    };
  };
};

const Limits = ({ unit, limits }: Pick<UpstreamAccount, "unit" | "limits">) => {
  const { t } = useTranslation();
  const textsOf = useLimitTexts(unit);
  const columns: SmallColumn<AccountLimit>[] = [
    { id: "name", label: t("limit.name"), cell: (limit) => textsOf(limit).name },
    { id: "scope", label: t("limit.scope"), cell: (limit) => textsOf(limit).scope, className: "text-ink-2" },
    {
      id: "used",
      label: t("limit.used"),
      cell: (limit) => textsOf(limit).use,
      className: "whitespace-nowrap",
    },
    {
      id: "resets",
      label: t("upstreamAccount.resetsAt"),
      cell: ({ resets_at: at }) => (at === undefined ? t("value.none") : formatTime(at)),
      className: "whitespace-nowrap text-ink-2",
    },
  ];
  return (
    <div className="border-line border-t">
      <SmallTable
        label={t("upstreamAccount.limits")}
        columns={columns}
        rows={limits}
        rowKey={({ scope, name }) => `${scope} ${name}`}
      />
    </div>
  );
};
