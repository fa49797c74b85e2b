import * as z from "zod/mini";
import type { PermissionArea } from "../management/permission-areas";
import { endpoint } from "../resource/endpoint";
import { listOf, plain } from "../resource/resource";

/*
 * Matters that wait for an administrator: GET /api/attention. Not part of the one-api contract; another server answers
 * the call with 404.
 */

/** Kinds of matters that wait for a person, the costliest to leave alone first. */
export const MATTERS = [
  /** The newest backup failed. */
  "backup-failed",
  /** A node was not heard of, and takes no requests. */
  "nodes-silent",
  /** Channels that the gateway switched off because of their upstreams. */
  "channels-disabled",
  /** Channels of which at least half of the latest requests failed. */
  "channels-failing",
  /** Channels with keys that the gateway took out of use; their other keys go on. */
  "keys-disabled",
  "upstream-balance-low",
  /** Models that a channel in use sells below their buying price. */
  "sold-at-loss",
  /** Offered models that requests are refused for, because they have no price. */
  "models-unpriced",
  /** Refunds that a person has to send or settle. */
  "refunds-open",
  /** Issued invoices that have to be reversed, because money of their orders went back. */
  "invoices-to-reverse",
  /** Callbacks of payments that were refused within a day. */
  "payments-refused",
  /** Orders that are neither paid nor ended, long after they were placed. */
  "orders-open",
  /** Applications for invoices that wait for a decision. */
  "invoices-open",
  /** Tickets that wait for an answer; only root sees those of administrators. */
  "tickets-waiting",
  /** Commissions that are to be paid out. */
  "payouts-asked",
  /** Drafts of prices that could not be published, or cannot be. */
  "drafts-refused",
  /** Drafts of prices that are published within a day. */
  "drafts-due",
] as const;
export type MatterKind = (typeof MATTERS)[number];

/** The area whose rights show a matter; undefined for those that only root sees. */
export const AREA_OF_MATTER: Readonly<Record<MatterKind, PermissionArea | undefined>> = {
  "backup-failed": undefined,
  "nodes-silent": undefined,
  "channels-disabled": "channels",
  "channels-failing": "channels",
  "keys-disabled": "channels",
  "upstream-balance-low": "channels",
  "sold-at-loss": "profit",
  "models-unpriced": "prices",
  "refunds-open": "orders",
  "invoices-to-reverse": "invoices",
  "payments-refused": "orders",
  "orders-open": "orders",
  "invoices-open": "invoices",
  "tickets-waiting": "tickets",
  "payouts-asked": "balances",
  "drafts-refused": "prices",
  "drafts-due": "prices",
};

/** Areas of which any matter is shown. */
const MATTER_AREAS = [...new Set(Object.values(AREA_OF_MATTER))].filter((area) => area !== undefined);

/** How many of a matter are named. */
export const MAX_NAMED = 5;

const matterSchema = z.object({
  kind: z.string(),
  /** How many there are; where this is `limit`, there may be more. */
  count: z.int(),
  limit: z.optional(z.int()),
  /** The first of them, by the names that people know them by. */
  names: z.array(z.string()),
  /** The ids of the first channels, the named ones before others (MAX_FILTER_IDS); absent for other matters. */
  ids: z.optional(z.array(z.int())),
});
export type Matter = z.infer<typeof matterSchema>;

export const listMatters = endpoint({
  method: "GET",
  path: "/api/attention",
  guard: "admin",
  // Each matter is shown to administrators whose set includes its own area.
  area: MATTER_AREAS,
  summary:
    "Matters that wait for an administrator, the costliest first: failing and disabled channels, losses, open refunds and orders, and others; only root sees the matters that only root can settle",
  data: listOf(plain(matterSchema)),
  reads: "attention",
});
