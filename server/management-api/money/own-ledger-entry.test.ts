import type { LedgerEntry } from "@tollgate/contract/api/ledger";
import { expect, it } from "vitest";
import { ownLedgerEntry } from "./own-ledger-entry";

const ENTRY: LedgerEntry = {
  id: 1,
  createdAt: 1_800_000_000,
  userId: 7,
  username: "alice",
  account: "balance",
  keyId: 0,
  keyName: "",
  amount: 500,
  cause: "payment",
  reference: "3",
  orderNumber: "",
  requestId: "",
  planFault: "",
  actorId: 2,
  actorName: "admin",
  reason: "looks like a stolen card",
};

it("hides from a user the administrator and the administrator's note on an order", () => {
  for (const cause of ["payment", "payment-refund"] as const)
    expect(ownLedgerEntry({ ...ENTRY, cause })).toEqual({
      ...ENTRY,
      cause,
      actorId: 0,
      actorName: "",
      reason: "",
    });
});

it("tells a user the plan that it was for, why a payout was declined, and all that the user did", () => {
  for (const cause of ["plan-grant", "payout-declined"] as const)
    expect(ownLedgerEntry({ ...ENTRY, cause })).toMatchObject({ actorId: 0, reason: ENTRY.reason });
  const own = { ...ENTRY, actorId: 7, actorName: "alice" };
  expect(ownLedgerEntry(own)).toEqual(own);
});
