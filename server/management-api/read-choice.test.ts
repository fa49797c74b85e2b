import { expect, it } from "vitest";
import { readOwnLedgerFilter } from "./money/ledger-filter";
import { readOrderFilter } from "./money/order.routes";
import { readChoice, readMaybeChoice } from "./read-choice";

it("reads a word of a query, and refuses one that it does not know", () => {
  expect(readMaybeChoice(["a", "b"], "b")).toBe("b");
  expect([readMaybeChoice(["a"], undefined), readMaybeChoice(["a"], "")]).toEqual([undefined, undefined]);
  expect(readChoice(["a", "b"], "", "a")).toBe("a");
  for (const text of ["c", "A", "__proto__", "toString"])
    expect(() => readMaybeChoice(["a"], text)).toThrow("invalid-parameter");
});

it.each([
  ["orders by state", () => readOrderFilter({ state: "payed" })],
  ["orders by refund", () => readOrderFilter({ refund: "closed" })],
  ["orders by provider", () => readOrderFilter({ provider: "paypal" })],
  ["entries by cause", () => readOwnLedgerFilter({ cause: "gift" }, 1)],
  ["entries by account", () => readOwnLedgerFilter({ account: "purse" }, 1)],
])("rejects %s instead of selecting all rows", (_, read) => {
  expect(read).toThrow("invalid-parameter");
});
