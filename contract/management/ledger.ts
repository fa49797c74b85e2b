import * as z from "zod/mini";
import type { LedgerAccount, LedgerCause } from "../records/ledger-entry";
import { codecOf, int, schemasOf, text, toWireNames } from "../resource/fields";
import { looseList } from "./wire";

/** A movement of money that is no charge, as people see it. */
export interface LedgerEntry {
  id: number;
  createdAt: number;
  userId: number;
  /** As the user is called now; "" for one that was deleted. */
  username: string;
  account: LedgerAccount;
  /** 0 but for a key's own limit. */
  keyId: number;
  keyName: string;
  /** Less than 0 for what was taken. */
  amount: number;
  cause: LedgerCause;
  /** "" for none. */
  reference: string;
  /** The number of the order that it belongs to; "" for none. */
  orderNumber: string;
  /** Of a payment, why the plan that was ordered did not begin; "" otherwise. */
  planFault: string;
  /** 0 for the gateway itself. */
  actorId: number;
  actorName: string;
  /** What a person gave as the reason. */
  reason: string;
}

/** Which entries are asked for; all where nothing is said. */
export interface LedgerFilter {
  userId?: number | undefined;
  account?: LedgerAccount | undefined;
  cause?: LedgerCause | undefined;
  /** Unix seconds, inclusive. */
  from?: number | undefined;
  /** Unix seconds, inclusive. */
  to?: number | undefined;
}

const ledgerFields = {
  id: int("id"),
  createdAt: int("created_at"),
  userId: int("user_id"),
  username: text("username"),
  account: text("account"),
  keyId: int("token_id"),
  keyName: text("token_name"),
  amount: int("amount"),
  cause: text("cause"),
  reference: text("reference"),
  orderNumber: text("order_number"),
  planFault: text("plan_fault"),
  actorId: int("actor_id"),
  actorName: text("actor_name"),
  reason: text("reason"),
};

const looseCodec = codecOf(ledgerFields, schemasOf(ledgerFields, "loose"));

/** An entry as it travels. */
export const ledgerEntryWireSchema = z.object(toWireNames(ledgerFields, schemasOf(ledgerFields, "strict")));
export type LedgerEntryWire = z.infer<typeof ledgerEntryWireSchema>;

export const encodeLedgerEntry = (entry: LedgerEntry): LedgerEntryWire => toWireNames(ledgerFields, entry);

/** An entry as any server may answer it: causes and accounts may be others than this version knows. */
export type ReadLedgerEntry = z.output<typeof looseCodec>;

/** Reads entries from any server's answer; what is none is left out. */
export const readLedgerEntries = looseList((value): ReadLedgerEntry | undefined => {
  const parsed = looseCodec.safeParse(value);
  return parsed.success ? parsed.data : undefined;
});
