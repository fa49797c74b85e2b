import type { Node } from "@tollgate/contract/api/nodes";
import { clsx } from "clsx";
import type { TFunction } from "i18next";
import { type ReactNode, useMemo } from "react";
import { useTranslation } from "react-i18next";
import { Badge, TONE_TEXT, type Tone } from "../../components/badge";
import type { Column } from "../../components/data-table";
import { formatCount, formatQuota, formatTime } from "../../lib/format";
import { formatDuration } from "../../lib/format-measure";
import {
  formatAgo,
  formatMemory,
  formatRate,
  leaseCount,
  requestRate,
  shown,
  sinceStart,
  UNTOLD,
} from "./node-figures";
import { NodeStateMark } from "./node-state";

interface FigureProps {
  children: ReactNode;
  note?: string | undefined;
  title?: string | undefined;
  /** Highlights the figure or its note. */
  tone?: Tone | undefined;
  noteTone?: Tone | undefined;
}

/** A figure with a note below it. */
const Figure = ({ children, note, title, tone, noteTone = "grey" }: FigureProps) => (
  <span title={title} className="whitespace-nowrap">
    <span className={clsx(tone && TONE_TEXT[tone])}>{children}</span>
    {note && <span className={clsx("block text-xs", TONE_TEXT[noteTone])}>{note}</span>}
  </span>
);

/** A change must apply on all nodes within a second. */
const lagTone = (ms = 0): Tone | undefined => (ms > 1000 ? "red" : undefined);

/** Event loop delays of this size become visible in streamed answers. */
const delayTone = (ms = 0): Tone | undefined => {
  if (ms > 1000) return "red";
  return ms > 200 ? "yellow" : undefined;
};

/** Sorts missing values first. */
const least = (value: number | undefined): number => value ?? Number.NEGATIVE_INFINITY;

/** The node's identity and start. */
const identityColumns = (t: TFunction): Column<Node>[] => [
  {
    id: "name",
    label: t("node.name"),
    cell: (node) => (
      <>
        <span className="flex flex-wrap items-center gap-x-2">
          <span className="break-all">{node.name ?? node.address ?? UNTOLD}</span>
          {node.is_this && <Badge>{t("node.this")}</Badge>}
        </span>
        {node.name !== undefined && node.address !== undefined && (
          <span className="block break-all font-normal text-xs text-ink-2">{node.address}</span>
        )}
      </>
    ),
    sortBy: (node) => node.name ?? "",
    card: "head",
    className: "min-w-40 max-w-72 font-medium",
  },
  {
    id: "state",
    label: t("field.status"),
    cell: (node) => (
      <Figure
        note={node.silent_ms === undefined ? undefined : t("node.heard", { ago: formatAgo(node.silent_ms) })}
        title={node.heard_at === undefined ? undefined : formatTime(node.heard_at)}
      >
        <NodeStateMark state={node.state} />
      </Figure>
    ),
    sortBy: (node) => node.state,
    card: "side",
  },
  {
    id: "version",
    label: t("node.version"),
    cell: (node) => node.version ?? UNTOLD,
    sortBy: (node) => node.version ?? "",
  },
  {
    id: "started",
    label: t("node.started"),
    cell: (node) => {
      const elapsed = sinceStart(node);
      return (
        <Figure note={elapsed === undefined ? undefined : formatAgo(elapsed)}>
          {shown(node.started_at, formatTime)}
        </Figure>
      );
    },
    sortBy: (node) => least(node.started_at),
  },
];

/** The node's requests and leased quota. */
const workColumns = (t: TFunction): Column<Node>[] => [
  {
    id: "requests",
    label: t("node.requests"),
    cell: (node) => (
      <Figure
        note={
          node.active_requests === undefined ? undefined : t("node.active", { count: node.active_requests })
        }
      >
        {shown(requestRate(node), formatRate)}
      </Figure>
    ),
    sortBy: (node) => least(requestRate(node)),
    isNumber: true,
  },
  {
    id: "leased",
    label: t("node.leased"),
    cell: (node) => (
      <Figure
        note={
          leaseCount(node) === undefined
            ? undefined
            : t("node.leasesOf", {
                users: formatCount(node.leased_users ?? 0),
                keys: formatCount(node.leased_keys ?? 0),
              })
        }
      >
        {shown(node.leased_quota, formatQuota)}
      </Figure>
    ),
    sortBy: (node) => least(node.leased_quota),
    isNumber: true,
  },
];

/** The node's connections and machine. */
const healthColumns = (t: TFunction): Column<Node>[] => [
  {
    id: "lag",
    label: t("node.lag"),
    cell: (node) => (
      <Figure tone={lagTone(node.feed_lag_ms)}>{shown(node.feed_lag_ms, formatDuration)}</Figure>
    ),
    sortBy: (node) => least(node.feed_lag_ms),
    isNumber: true,
  },
  {
    id: "database",
    label: t("node.database"),
    cell: (node) => (
      <Figure
        note={node.database_waiting ? t("node.waiting", { count: node.database_waiting }) : undefined}
        noteTone="yellow"
      >
        {shown(node.database_connections)}
      </Figure>
    ),
    sortBy: (node) => least(node.database_connections),
    isNumber: true,
  },
  {
    id: "redis",
    label: t("node.redis"),
    cell: (node) =>
      node.redis_connections === 0 ? (
        <Figure tone="red">{t("node.redisGone")}</Figure>
      ) : (
        shown(node.redis_connections)
      ),
    sortBy: (node) => least(node.redis_connections),
    isNumber: true,
  },
  {
    id: "delay",
    label: t("node.delay"),
    cell: (node) => (
      <Figure tone={delayTone(node.event_loop_delay_ms)}>
        {shown(node.event_loop_delay_ms, formatDuration)}
      </Figure>
    ),
    sortBy: (node) => least(node.event_loop_delay_ms),
    isNumber: true,
  },
  {
    id: "memory",
    label: t("node.memory"),
    cell: (node) => <Figure>{shown(node.memory_bytes, formatMemory)}</Figure>,
    sortBy: (node) => least(node.memory_bytes),
    isNumber: true,
  },
];

/** The columns of the nodes, without those for which no node reports a value. */
export const useNodeColumns = (nodes: readonly Node[]): Column<Node>[] => {
  const { t } = useTranslation();
  const isReported = (figure: (node: Node) => number | undefined) =>
    nodes.some((node) => figure(node) !== undefined);
  const has = {
    leased: isReported((node) => node.leased_quota),
    lag: isReported((node) => node.feed_lag_ms),
    database: isReported((node) => node.database_connections),
    redis: isReported((node) => node.redis_connections),
  };
  const isColumn = (id: string): boolean => !(id in has) || has[id as keyof typeof has];
  const columns = useMemo(() => [...identityColumns(t), ...workColumns(t), ...healthColumns(t)], [t]);
  return columns.filter(({ id }) => isColumn(id));
};
