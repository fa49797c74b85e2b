import { useQuery } from "@tanstack/react-query";
import type {
  getApiKeyLimits,
  getApiKeySummaryLimits,
  getUserLimits,
  LimitUse,
} from "@tollgate/contract/api/limit-uses";
import { LIMITS } from "@tollgate/contract/management/limits";
import { extraLeft } from "@tollgate/contract/values/extra-left";
import { clsx } from "clsx";
import { Gauge } from "lucide-react";
import type { ReactNode } from "react";
import { useTranslation } from "react-i18next";
import { endpointQuery } from "../lib/endpoint-query";
import { formatQuota, formatTime, inThousands } from "../lib/format";
import { EmptyState } from "./empty-state";
import { FailedState } from "./failed-state";
import { type SmallColumn, SmallTable } from "./small-table";

/** One limit, with its current usage. */
export interface ShownLimit {
  id: string;
  name: string;
  /** The limited amount. */
  of: string;
  max: number;
  /** Undefined if hidden from the user. */
  used: number | undefined;
  isMoney?: boolean;
  /** Quota beyond a budget, for requests that another model or group answers. */
  extra?: number | undefined;
  /** When it is counted from 0 again, and whether it refuses nothing. */
  renewal?: string;
}

/** Whose requests a limit counts. */
const useScopeText = () => {
  const { t } = useTranslation();
  return ({ scope, group, isOfPlan }: LimitUse): string => {
    if (scope === "group") return t("limit.of.group", { name: group });
    return t(scope === "key" ? "limit.of.key" : isOfPlan ? "limit.of.plan" : "limit.of.user");
  };
};

/** Length of a time to the minute. */
const MINUTE_LENGTH = "YYYY-MM-DD HH:mm".length;

/** Limits of an amount of quota. */
const isBudget = (name: string): boolean => name.endsWith("_quota");

/** The texts of a limit. */
export const useLimitTexts = () => {
  const { t } = useTranslation();
  const scopeText = useScopeText();
  const named = Object.entries(LIMITS) as [keyof typeof LIMITS, { name: string }][];
  const renewalOf = ({ hours, resetsAt, isSoft }: LimitUse): string | undefined => {
    const isClosed = hours !== undefined && resetsAt === undefined;
    const renewal = isClosed
      ? t("limit.renewsFirst")
      : resetsAt && t("limit.renewsAt", { time: formatTime(resetsAt).slice(0, MINUTE_LENGTH) });
    return [renewal, isSoft && t("limit.soft")].filter(Boolean).join(" · ") || undefined;
  };
  return (use: LimitUse): ShownLimit => {
    const { scope, group, limit, max, used, extra, hours } = use;
    const known = named.find(([, { name }]) => name === limit)?.[0];
    const name = known ? t(`limit.${known}`) : limit;
    return {
      id: `${scope} ${group} ${limit}`,
      name: hours === undefined ? name : t("limit.windowOf", { hours }),
      of: scopeText(use),
      max,
      used,
      isMoney: isBudget(limit),
      extra,
      renewal: renewalOf(use),
    };
  };
};

interface LimitUsesProps {
  /** Undefined while they load. */
  limits: readonly ShownLimit[] | undefined;
  error: Error | null;
  onRetry: () => void;
  /** Link to set a first limit. */
  setUp?: ReactNode;
  note?: ReactNode;
}

/** Share from which a limit counts as nearly used up. */
const NEAR = 0.8;

/** The current limits of a record, the fullest first. */
export const LimitUses = ({ limits, error, onRetry, setUp, note }: LimitUsesProps) => {
  const { t } = useTranslation();
  const title = t("limit.uses");
  const shareOf = ({ used = 0, max }: ShownLimit) => used / max;
  const columns: SmallColumn<ShownLimit>[] = [
    { id: "name", label: t("limit.name"), cell: ({ name }) => name, className: "min-w-20" },
    {
      id: "of",
      label: t("limit.scope"),
      cell: ({ of }) => of,
      className: "min-w-16 break-words text-ink-2",
    },
    {
      id: "used",
      label: t("limit.used"),
      cell: (limit) => <Use limit={limit} share={shareOf(limit)} />,
      className: "wide:w-2/5",
    },
  ];
  return (
    <section aria-label={title} aria-busy={!limits} className="rounded-lg border border-line bg-surface">
      {error && !limits && <FailedState error={error} onRetry={onRetry} />}
      {limits?.length === 0 && (
        <EmptyState icon={<Gauge />} title={t("limit.noneTitle")} text={t("limit.noneText")}>
          {setUp}
        </EmptyState>
      )}
      {!limits && !error && <div className="skeleton h-64 w-full" />}
      {limits && limits.length > 0 && (
        <>
          <SmallTable
            label={title}
            columns={columns}
            rows={limits.toSorted((a, b) => shareOf(b) - shareOf(a))}
            rowKey={({ id }) => id}
          />
          {note && <p className="border-line border-t px-4 py-3 text-xs text-ink-2">{note}</p>}
        </>
      )}
    </section>
  );
};

/** Interval for reading the usage of visible limits. */
const LOOK_MS = 5000;

interface AccountLimitsProps {
  endpoint: typeof getApiKeyLimits | typeof getApiKeySummaryLimits | typeof getUserLimits;
  /** Of the key or the user. */
  id: number;
  setUp?: ReactNode;
}

/** The limits that apply to requests of a key or a user, including those of their groups. */
export const AccountLimits = ({ endpoint, id, setUp }: AccountLimitsProps) => {
  const { t } = useTranslation();
  const toShown = useLimitTexts();
  const { data, error, refetch } = useQuery({
    ...endpointQuery(endpoint, { params: { id } }),
    refetchInterval: LOOK_MS,
    meta: { isExtra: true },
  });
  return (
    <LimitUses
      limits={data?.map(toShown)}
      error={error}
      onRetry={() => void refetch()}
      setUp={setUp}
      note={t("limit.note")}
    />
  );
};

const Use = ({ limit, share }: { limit: ShownLimit; share: number }) => {
  const { max, used, isMoney = false, extra, renewal } = limit;
  const { t } = useTranslation();
  const format = isMoney ? formatQuota : inThousands;
  if (used === undefined) {
    const only = t("limit.maxOnly", { max: format(max) });
    return extra === undefined ? only : `${only} · ${t("limit.extraOnly", { extra: format(extra) })}`;
  }
  const left = t("limit.left", { amount: format(Math.max(0, max - used)) });
  const extraText =
    extra !== undefined &&
    t("limit.extraLeft", { amount: format(extraLeft(extra, { max, used })), extra: format(extra) });
  return (
    <span className="flex flex-wrap items-center gap-x-3">
      <span className="whitespace-nowrap">
        {format(used)} / {format(max)}
      </span>
      <span aria-hidden className="h-1 w-24 flex-1 overflow-hidden rounded-full bg-sunken">
        <span
          className={clsx("block h-full rounded-full", share >= NEAR ? "bg-red" : "bg-accent")}
          style={{ width: `${Math.min(1, share) * 100}%` }}
        />
      </span>
      {renewal && (
        <span className="basis-full text-ink-2 text-xs">
          {[left, extraText, renewal].filter(Boolean).join(" · ")}
        </span>
      )}
    </span>
  );
};
