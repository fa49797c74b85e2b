import { useQuery } from "@tanstack/react-query";
import type { LimitUse } from "@tollgate/contract/api/limit-uses";
import type { KeyUsage } from "@tollgate/contract/relay/key-usage";
import { useTranslation } from "react-i18next";
import { StateMark, type Tone } from "../../components/badge";
import { type Fact, Facts } from "../../components/detail-page";
import { LimitUses, useLimitTexts } from "../../components/limit-uses";
import { formatQuota, formatTime } from "../../lib/format";
import { keyModelsQuery, type Visit } from "./key-calls";
import { KeyRequests } from "./key-requests";
import { KeyUse } from "./key-use";

const TONES: Readonly<Record<KeyUsage["status"], Tone>> = {
  enabled: "green",
  expired: "red",
  exhausted: "red",
  account_exhausted: "yellow",
};

/** A limit, as calls of an account answer it. */
const toLimitUse = ({
  group = "",
  used,
  resets_at: resetsAt,
  soft: isSoft,
  of_plan: isOfPlan,
  ...limit
}: KeyUsage["limits"][number]): LimitUse => ({ ...limit, group, used, resetsAt, isSoft, isOfPlan });

interface FiguresProps {
  visit: Visit;
  usage: KeyUsage;
}

/** What a key may see of itself. */
const KeyFigures = ({ visit, usage }: FiguresProps) => {
  const { t } = useTranslation();
  const toShown = useLimitTexts();
  const { key, account, status } = usage;
  const facts: readonly Fact[] = [
    [t("field.name"), key.name],
    [t("field.status"), <KeyState key="status" status={status} />],
    [
      t("field.remainQuota"),
      key.remaining_quota === undefined ? t("value.unlimited") : formatQuota(key.remaining_quota),
    ],
    [t("field.usedQuota"), formatQuota(key.used_quota)],
    [t("field.expiredTime"), key.expires_at === undefined ? t("value.never") : formatTime(key.expires_at)],
    key.group === undefined ? undefined : [t("field.group"), key.group],
    account && [t("keyPage.accountRest"), formatQuota(account.remaining_quota)],
    usage.limits.length === 0 ? [t("limit.uses"), t("limit.noneTitle")] : undefined,
    ...(account?.plans ?? []).map(
      ({ title, remaining_quota: rest, granted_quota: granted }): Fact => [
        title,
        `${formatQuota(rest)} / ${formatQuota(granted)}`,
      ],
    ),
  ];
  return (
    <>
      {status !== "enabled" && (
        <p role="alert" className="rounded-md bg-yellow-soft px-3 py-2 text-sm text-yellow">
          {t(`keyPage.stateText.${status}`)}
        </p>
      )}
      <Facts title={t("keyPage.facts")} facts={facts} />
      <KeyUse visit={visit} />
      {usage.limits.length > 0 && (
        <LimitUses
          limits={usage.limits.map((limit) => toShown(toLimitUse(limit)))}
          error={null}
          onRetry={() => undefined}
          note={t("limit.note")}
        />
      )}
      <Models visit={visit} />
      <KeyRequests visit={visit} />
    </>
  );
};

const KeyState = ({ status }: Pick<KeyUsage, "status">) => {
  const { t } = useTranslation();
  return <StateMark tone={TONES[status]}>{t(`keyPage.state.${status}`)}</StateMark>;
};

/** The models that the key may use; an expired key may not ask for them. */
const Models = ({ visit }: { visit: Visit }) => {
  const { t } = useTranslation();
  const { data } = useQuery(keyModelsQuery(visit));
  if (!data) return null;
  return (
    <section
      aria-label={t("keyPage.models", { count: data.length })}
      className="rounded-lg border border-line bg-surface px-4 py-3"
    >
      <h2 className="mb-3 font-semibold text-base">{t("keyPage.models", { count: data.length })}</h2>
      <p className="flex max-h-40 flex-wrap gap-x-4 gap-y-1 overflow-y-auto text-sm">
        {data.length === 0 && t("value.none")}
        {data.map((name) => (
          <span key={name} className="break-all">
            {name}
          </span>
        ))}
      </p>
    </section>
  );
};

export default KeyFigures;
