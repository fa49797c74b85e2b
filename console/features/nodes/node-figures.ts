import type { Node } from "@tollgate/contract/api/nodes";
import { currentLanguage } from "../../lib/i18n";

/** Shown for a missing value. */
export const UNTOLD = "–";

/** A formatted figure; a missing value is not 0. */
export const shown = (value: number | undefined, write: (value: number) => string = String): string =>
  value === undefined ? UNTOLD : write(value);

/** Requests that a node began per second; undefined until it has counted for some time. */
export const requestRate = ({ recent_requests: requests, recent_ms: ms }: Node): number | undefined =>
  requests === undefined || !ms ? undefined : (requests * 1000) / ms;

/** 0/s, 2.4/s, 128/s */
export const formatRate = (rate: number): string =>
  `${rate === 0 || rate >= 99.95 ? Math.round(rate) : rate.toFixed(1)}/s`;

const MIB = 1024 ** 2;

/** 182 MiB, 1.4 GiB */
export const formatMemory = (bytes: number): string =>
  bytes < 1024 * MIB ? `${Math.round(bytes / MIB)} MiB` : `${(bytes / (1024 * MIB)).toFixed(1)} GiB`;

const UNITS = [
  ["day", 86_400],
  ["hour", 3600],
  ["minute", 60],
  ["second", 1],
] as const;

/** Elapsed time in one unit, in the page's language. */
export const formatAgo = (elapsedMs: number): string => {
  const seconds = Math.max(0, Math.round(elapsedMs / 1000));
  const [unit, size] = UNITS.find(([, each]) => seconds >= each) ?? UNITS[3];
  // "Now", but never "the day before yesterday".
  const numeric = seconds === 0 ? "auto" : "always";
  return new Intl.RelativeTimeFormat(currentLanguage(), { numeric, style: "short" }).format(
    -Math.floor(seconds / size),
    unit,
  );
};

/** Time since a node's start, by the clock that recorded its last sign of life; undefined if not reported. */
export const sinceStart = ({
  started_at: started,
  heard_at: heard,
  silent_ms: silentMs = 0,
}: Node): number | undefined =>
  started === undefined || heard === undefined ? undefined : (heard - started) * 1000 + silentMs;

/** Number of users and keys whose quota a node leases. */
export const leaseCount = ({ leased_users: users, leased_keys: keys }: Node): number | undefined =>
  users === undefined && keys === undefined ? undefined : (users ?? 0) + (keys ?? 0);

/** The nodes' sum; undefined if no node reports a value. */
export const sumOf = (
  nodes: readonly Node[],
  figure: (node: Node) => number | undefined,
): number | undefined => {
  const told = nodes.map(figure).filter((value) => value !== undefined);
  return told.length === 0 ? undefined : told.reduce((sum, value) => sum + value, 0);
};
