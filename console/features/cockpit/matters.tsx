import { useQuery } from "@tanstack/react-query";
import { Link } from "@tanstack/react-router";
import { listMatters, MATTERS, type Matter, type MatterKind } from "@tollgate/contract/api/attention";
import { ChevronRight, CircleCheck } from "lucide-react";
import { Fragment } from "react";
import { useTranslation } from "react-i18next";
import { StateMark } from "../../components/badge";
import { FailedState } from "../../components/failed-state";
import { RecordLink } from "../../components/record-link";
import { isUnknownCall } from "../../lib/api-client";
import { endpointQuery } from "../../lib/endpoint-query";
import { formatOrderNumber } from "../../lib/format";
import { failedLines, matterLooks } from "./matter-links";

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

type KnownMatter = Matter & { kind: MatterKind };

/** The affected channels, orders and so on, with links to those with a page or lines. */
const Names = ({ kind, names, ids }: KnownMatter) => {
  const { t } = useTranslation();
  return names.map((name, index) => {
    const id = ids?.[index];
    return (
      // biome-ignore lint/suspicious/noArrayIndexKey: names need not be unique, and their order is the server's.
      <Fragment key={index}>
        {index > 0 && t("cockpit.matters.between")}
        {kind === "channels-failing" && id !== undefined ? (
          <Link
            {...failedLines(id, Date.now())}
            className="underline-offset-2 hover:text-accent hover:underline"
          >
            {name}
          </Link>
        ) : ORDER_MATTERS.has(kind) ? (
          <RecordLink kind="order" id={name} title={name}>
            {formatOrderNumber(name)}
          </RecordLink>
        ) : (
          <RecordLink kind="channel" id={id}>
            {name}
          </RecordLink>
        )}
      </Fragment>
    );
  });
};

const MatterRow = ({ matter }: { matter: KnownMatter }) => {
  const { t } = useTranslation();
  const { kind, count, limit, names } = matter;
  const { tone, to, action = kind } = matterLooks(matter)[kind];
  const more = count - names.length;
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
        {names.length > 0 && (
          <span className="block break-words ps-[13px] text-ink-2">
            <Names {...matter} />
            {more > 0 && t("cockpit.matters.more", { more })}
          </span>
        )}
      </span>
      {to ? (
        <Link
          {...to}
          className="flex min-h-control-small shrink-0 items-center gap-0.5 text-accent underline-offset-2 hover:underline"
        >
          {t(`cockpit.action.${action}`)}
          <ChevronRight aria-hidden className="size-3.5" />
        </Link>
      ) : (
        <span className="min-w-0 break-words text-ink-2">{t(`cockpit.action.${action}`)}</span>
      )}
    </li>
  );
};
