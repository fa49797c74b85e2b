import { useQuery } from "@tanstack/react-query";
import { Link } from "@tanstack/react-router";
import { listMatters, MATTERS, type Matter, type MatterKind } from "@tollgate/contract/api/attention";
import { ChevronRight, CircleCheck } from "lucide-react";
import { useTranslation } from "react-i18next";
import { StateMark } from "../../components/badge";
import { FailedState } from "../../components/failed-state";
import { isUnknownCall } from "../../lib/api-client";
import { endpointQuery } from "../../lib/endpoint-query";
import { formatOrderNumber } from "../../lib/format";
import { matterLooks } from "./matter-links";

/** Polling interval of the matters. */
const EVERY_MS = 30_000;

/** Matters whose names are order numbers. */
const ORDER_MATTERS: ReadonlySet<MatterKind> = new Set(["refunds-open", "orders-open"]);

/** The open matters, polled while the page is open. */
export const mattersQuery = {
  ...endpointQuery(listMatters, {}),
  refetchInterval: EVERY_MS,
  refetchOnMount: "always",
  meta: { silent: true },
} as const;

/** Leaves out further matters of a newer server, for which this page has no texts. */
const isKnown = (matter: Matter): matter is Matter & { kind: MatterKind } =>
  (MATTERS as readonly string[]).includes(matter.kind);

/** The open matters, each with a link to the page that resolves it. */
export const Matters = () => {
  const { t } = useTranslation();
  const query = useQuery(mattersQuery);
  const matters = query.data?.filter(isKnown);
  // Other servers of the contract have no such call.
  if (isUnknownCall(query.error)) return null;
  return (
    <section
      aria-label={t("cockpit.matters.title")}
      aria-busy={query.isPending}
      className="rounded-lg border border-line bg-surface"
    >
      <h2 className="flex h-11 items-center gap-2 px-4 font-semibold text-base">
        {t("cockpit.matters.title")}
        {matters && matters.length > 0 && (
          <span className="rounded-full bg-sunken px-2 font-medium text-xs text-ink-2 tabular-nums">
            {matters.length}
          </span>
        )}
      </h2>
      {query.error && !matters && <FailedState error={query.error} onRetry={() => void query.refetch()} />}
      {query.isPending && (
        <div className="flex flex-col gap-3 border-line border-t px-4 py-3">
          <div className="skeleton h-4 w-64 max-w-full" />
          <div className="skeleton h-4 w-48 max-w-full" />
        </div>
      )}
      {matters?.length === 0 && (
        <p className="flex items-center gap-2 border-line border-t px-4 py-3 text-sm text-ink-2">
          <CircleCheck aria-hidden className="size-4 shrink-0 text-green" />
          {t("cockpit.matters.none")}
        </p>
      )}
      {matters && matters.length > 0 && (
        <ul className="divide-y divide-line border-line border-t">
          {matters.map((matter) => (
            <MatterRow key={matter.kind} matter={matter} />
          ))}
        </ul>
      )}
    </section>
  );
};

const MatterRow = ({ matter: { kind, count, limit, names } }: { matter: Matter & { kind: MatterKind } }) => {
  const { t } = useTranslation();
  const { tone, to } = matterLooks(names)[kind];
  const more = count - names.length;
  const shown = ORDER_MATTERS.has(kind) ? names.map(formatOrderNumber) : names;
  const named = shown.join(t("cockpit.matters.between"));
  return (
    <li className="flex flex-wrap items-center gap-x-4 gap-y-1 px-4 py-2.5 text-sm">
      <span className="min-w-0 flex-1 basis-64">
        <span className="font-medium">
          <StateMark tone={tone}>
            <span className="whitespace-normal">
              {t(`cockpit.matter.${kind}`, { count: limit ?? count, bound: limit === undefined ? "" : "≥ " })}
            </span>
          </StateMark>
        </span>
        {named !== "" && (
          <span className="block break-words ps-[13px] text-ink-2">
            {more > 0 ? t("cockpit.matters.more", { named, more }) : named}
          </span>
        )}
      </span>
      {to ? (
        <Link
          {...to}
          className="flex min-h-control-small shrink-0 items-center gap-0.5 text-accent underline-offset-2 hover:underline"
        >
          {t(`cockpit.action.${kind}`)}
          <ChevronRight aria-hidden className="size-3.5" />
        </Link>
      ) : (
        <span className="shrink-0 text-ink-2">{t(`cockpit.action.${kind}`)}</span>
      )}
    </li>
  );
};
