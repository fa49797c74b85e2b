import {
  LEDGER_ACCOUNTS,
  LEDGER_CAUSES,
  type LedgerAccount,
  type LedgerCause,
} from "../records/ledger-entry";
import { endpoint, PAGE_PARAMETER, SORT_PARAMETER } from "../resource/endpoint";
import { type FieldValues, int, text } from "../resource/fields";
import { CLOCK_PARAMETERS } from "../resource/file-parameters";
import { listOf, resource, type ValueOf } from "../resource/resource";

const ledgerFields = {
  id: int("id"),
  createdAt: int("created_at"),
  userId: int("user_id"),
  /** As the user is called now; "" for one that was deleted. */
  username: text("username"),
  account: text("account"),
  /** 0 but for a key's own limit. */
  keyId: int("token_id"),
  keyName: text("token_name"),
  /** Less than 0 for a deduction. */
  amount: int("amount"),
  cause: text("cause"),
  /** "" for none. */
  reference: text("reference"),
  /** The number of the order that it belongs to; "" for none. */
  orderNumber: text("order_number"),
  /** The id of the refunded request; "" for none. */
  requestId: text("request_id"),
  /** Of a payment, why the plan that was ordered did not begin; "" otherwise. */
  planFault: text("plan_fault"),
  /** 0 for the gateway itself. */
  actorId: int("actor_id"),
  actorName: text("actor_name"),
  /** The reason that a person gave. */
  reason: text("reason"),
};

/** A movement of money that is no charge, as people see it. */
export interface LedgerEntry extends FieldValues<typeof ledgerFields> {
  account: LedgerAccount;
  cause: LedgerCause;
}

/** Which entries are asked for; all where nothing is said. */
export interface LedgerFilter {
  userId?: number | undefined;
  account?: LedgerAccount | undefined;
  cause?: LedgerCause | undefined;
  /** Only of this key's own limit. */
  keyId?: number | undefined;
  /** Only of the order with this number. */
  orderNumber?: string | undefined;
  /** Unix seconds, inclusive. */
  from?: number | undefined;
  /** Unix seconds, inclusive. */
  to?: number | undefined;
}

/** An entry as answers have it: causes and accounts may be others than this version knows. */
export const ledgerEntry = resource(ledgerFields);
export type ReadLedgerEntry = ValueOf<typeof ledgerEntry>;

/** Sortable columns of the ledger, without names, which are current and stored in other tables. */
export const LEDGER_SORTS = ["created_at", "cause", "account", "amount"] as const;
export type LedgerSort = (typeof LEDGER_SORTS)[number];

export const LEDGER_PARAMETERS = {
  account: `Only of one kind of account: ${LEDGER_ACCOUNTS.map((name) => `\`${name}\``).join(", ")}.`,
  cause: `Only of one cause: ${LEDGER_CAUSES.map((name) => `\`${name}\``).join(", ")}.`,
  token_id: "Only entries of the limit of the key with this id.",
  order: "Only entries of the order with this number.",
  start_timestamp: "Unix seconds, inclusive.",
  end_timestamp: "Unix seconds, inclusive.",
} as const;

export const ALL_LEDGER_PARAMETERS = {
  username: "Only entries of the user with this name now.",
  user_id: "Only entries of the user with this id, also of a deleted one.",
} as const;

export const listLedger = endpoint({
  method: "GET",
  path: "/api/ledger",
  guard: "admin",
  area: "balances",
  summary: "A page of the ledger: movements of money other than charges, the newest first",
  query: { ...PAGE_PARAMETER, ...SORT_PARAMETER, ...LEDGER_PARAMETERS, ...ALL_LEDGER_PARAMETERS },
  sorts: LEDGER_SORTS,
  data: listOf(ledgerEntry),
  reads: "ledger",
});

export const listOwnLedger = endpoint({
  method: "GET",
  path: "/api/ledger/self",
  guard: "user",
  summary: "A page of one's own entries in the ledger, the newest first",
  query: { ...PAGE_PARAMETER, ...SORT_PARAMETER, ...LEDGER_PARAMETERS },
  sorts: LEDGER_SORTS,
  data: listOf(ledgerEntry),
  reads: "ledger",
});

export const exportLedger = endpoint({
  method: "GET",
  path: "/api/ledger/export",
  guard: "admin",
  area: "balances",
  summary: "All entries of the ledger that match a filter, as a file, the newest first",
  query: { ...CLOCK_PARAMETERS, ...LEDGER_PARAMETERS, ...ALL_LEDGER_PARAMETERS },
  isFile: true,
});

export const exportOwnLedger = endpoint({
  method: "GET",
  path: "/api/ledger/self/export",
  guard: "user",
  summary: "All of one's own entries in the ledger that match a filter, as a file, the newest first",
  query: { ...CLOCK_PARAMETERS, ...LEDGER_PARAMETERS },
  isFile: true,
});
