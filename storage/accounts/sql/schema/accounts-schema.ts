import type { SchemaPart } from "../../../sql/schema-part";
import { API_KEYS } from "./api-keys";
import { CHANGE_TRIGGERS } from "./change-triggers";
import { CHANNELS } from "./channels";
import { COMMISSIONS } from "./commissions";
import { LEDGER } from "./ledger";
import { MOVES } from "./moves";
import { NODES, QUOTA_DOMAIN } from "./nodes";
import { NOTICES } from "./notices";
import { ORDERS } from "./orders";
import { OUTBOX } from "./outbox";
import { PLANS } from "./plans";
import { REDEMPTIONS } from "./redemptions";
import { SITE } from "./site";
import { USERS } from "./users";

/** The schema that the first migration creates, in an order in which each part finds the tables it refers to. */
export const ACCOUNTS_SCHEMA: readonly SchemaPart[] = [
  QUOTA_DOMAIN,
  USERS,
  API_KEYS,
  CHANNELS,
  SITE,
  OUTBOX,
  REDEMPTIONS,
  COMMISSIONS,
  NOTICES,
  LEDGER,
  ORDERS,
  PLANS,
  NODES,
  MOVES,
  CHANGE_TRIGGERS,
];
