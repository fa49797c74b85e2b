/* Areas of the administrators' calls, and the rights that a set or a management key gives (docs/guides/permissions.md). */

/** The areas, in the order in which people see them. */
export const PERMISSION_AREAS = [
  /** Users, their keys and sessions. */
  "users",
  /** Lines of the log, and receipts. */
  "logs",
  /** Sums over the log, latencies, and served models. */
  "usage",
  "tickets",
  "announcements",
  /** Channels with their keys, models and buying prices. */
  "channels",
  /** Price lists, price rules, and drafts of prices. */
  "prices",
  /** Plans and their subscribers. */
  "plans",
  /** Orders, payments and their refunds. */
  "orders",
  "invoices",
  /** Quota of users: the ledger, statements, commissions, refunds of requests, and every change of a balance by hand. */
  "balances",
  /** Profit, losses and reconciliations. */
  "profit",
  "redemptions",
  "promotions",
  /** The site's settings, with the tables of prices among them. */
  "options",
] as const;
export type PermissionArea = (typeof PERMISSION_AREAS)[number];

export const PERMISSION_KINDS = ["read", "change"] as const;
export type PermissionKind = (typeof PERMISSION_KINDS)[number];

/** A right: "users:read". One to change includes the one to read. */
export type Permission = `${PermissionArea}:${PermissionKind}`;

/** All rights, area by area. */
export const PERMISSIONS: readonly Permission[] = PERMISSION_AREAS.flatMap((area) =>
  PERMISSION_KINDS.map((kind): Permission => `${area}:${kind}`),
);

export const isPermission = (text: string): text is Permission =>
  (PERMISSIONS as readonly string[]).includes(text);

/** Rights of a caller; undefined for all that the role gives. */
export type Permissions = ReadonlySet<string> | undefined;

/** Whether rights include this one. */
export const permits = (permissions: Permissions, area: PermissionArea, kind: PermissionKind): boolean =>
  permissions === undefined ||
  permissions.has(`${area}:change`) ||
  (kind === "read" && permissions.has(`${area}:read`));

/** The part of a call's declaration that decides which right it needs. */
export interface GuardedCall {
  readonly method: string;
  readonly guard: string;
  readonly changesState?: boolean;
  readonly area?: PermissionArea | readonly PermissionArea[];
}

/** Whether a call only reads: a GET, unless the contract lets it change something. */
export const kindOf = ({ method, changesState }: GuardedCall): PermissionKind =>
  method === "GET" && changesState !== true ? "read" : "change";

/** The areas of a call, one of which suffices; none for a call without. */
export const areasOf = ({ area }: GuardedCall): readonly PermissionArea[] =>
  area === undefined ? [] : typeof area === "string" ? [area] : area;

/** Whether rights include an administrator's call. Other calls need none. */
export const permitsCall = (permissions: Permissions, call: GuardedCall): boolean =>
  call.guard !== "admin" ||
  permissions === undefined ||
  areasOf(call).some((area) => permits(permissions, area, kindOf(call)));
