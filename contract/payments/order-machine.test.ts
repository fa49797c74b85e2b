import { createRandom } from "@tollgate/testkit/random";
import { describe, expect, it } from "vitest";
import { moneyBack, moneyFor, type OrderMoney, type OrderStep, stepOrder } from "./order-machine";

const order = (more: Partial<OrderMoney> = {}): OrderMoney => ({
  state: "pending",
  provider: "stripe",
  amount: 1000,
  currency: "CNY",
  quota: 700_001,
  payment: "",
  refunded: 0,
  disputed: 0,
  taken: 0,
  isLate: false,
  ...more,
});

const paid = (more: Partial<Extract<OrderStep, { kind: "paid" }>> = {}): OrderStep => ({
  kind: "paid",
  provider: "stripe",
  amount: 1000,
  currency: "CNY",
  payment: "pi_1",
  ...more,
});

describe("an order", () => {
  it.each(["pending", "expired", "cancelled", "failed"] as const)(
    "that is %s and paid gives its quota",
    (state) => {
      const result = stepOrder(order({ state }), paid());
      expect(result).toMatchObject({
        kind: "changed",
        grant: 700_001,
        order: { state: "paid", isLate: state !== "pending" },
      });
    },
  );

  it.each([
    [{ provider: "epay" }, "other-provider"],
    [{ amount: 999 }, "wrong-amount"],
    [{ amount: 1001 }, "wrong-amount"],
    [{ amount: -1 }, "wrong-amount"],
    [{ currency: "USD" }, "wrong-currency"],
  ] as const)("refuses a payment with %j", (more, fault) => {
    for (const state of ["pending", "expired", "paid"] as const)
      expect(stepOrder(order({ state, payment: state === "paid" ? "pi_1" : "" }), paid(more))).toEqual({
        kind: "refused",
        fault,
      });
  });

  it("that is paid knows its payment again, and no other", () => {
    const known = order({ state: "paid", payment: "pi_1" });
    expect(stepOrder(known, paid())).toEqual({ kind: "same" });
    expect(stepOrder(known, paid({ payment: "pi_2" }))).toEqual({ kind: "refused", fault: "paid-twice" });
  });

  it("that was completed by hand takes the provider's number over and gives nothing more", () => {
    const result = stepOrder(order({ state: "paid" }), paid());
    expect(result).toMatchObject({ kind: "changed", grant: 0, order: { payment: "pi_1" } });
  });

  it("keeps the value of a bank's claim when a refund is refused for it", () => {
    const asked = order({ state: "partly-refunded", payment: "pi_1", refunded: 400, taken: 280_001 });
    const claimed = stepOrder(asked, { kind: "disputed", amount: 1000 });
    if (claimed.kind !== "changed") throw new Error(claimed.kind);
    const after = { ...claimed.order, taken: claimed.order.taken + claimed.take };
    expect(stepOrder(after, { kind: "refund-undone", amount: 400, taken: 280_001 })).toMatchObject({
      grant: 0,
      order: { state: "refunded", refunded: 0, disputed: 1000, taken: 700_001 },
    });
  });

  it("is not refunded before it is paid", () => {
    for (const step of [
      { kind: "refunded", total: 1 },
      { kind: "disputed", amount: 1 },
      { kind: "refund-begun", amount: 1, taken: 1 },
    ] as const)
      expect(stepOrder(order(), step)).toEqual({ kind: "refused", fault: "not-paid" });
  });
});

describe("any sequence of steps", () => {
  const SEEDS = Array.from({ length: 300 }, (_, seed) => seed + 1);

  it.each(SEEDS)(
    "gives an order's quota at most once, and takes back at most the given amount (seed %i)",
    (seed) => {
      const random = createRandom(seed);
      const below = (most: number): number => Math.floor(random() * most);
      let now = order({ amount: 1 + below(3000), quota: 1 + below(5_000_000) });
      const { amount, quota } = now;
      let balance = 0;
      let grants = 0;
      const begun: { amount: number; taken: number }[] = [];
      const drawn = (): OrderStep => {
        switch (below(9)) {
          case 0:
            return { kind: "completed" };
          case 1:
            return { kind: "failed" };
          case 2:
            return { kind: "expired" };
          case 3:
            return { kind: "cancelled" };
          case 4:
            return { kind: "refunded", total: below(amount + 2) };
          case 5:
            return { kind: "disputed", amount: 1 + below(amount) };
          case 6: {
            const taken = Math.min(balance, now.quota - now.taken);
            return {
              kind: "refund-begun",
              taken,
              amount: Math.max(0, moneyFor(now, now.taken + taken) - moneyBack(now)),
            };
          }
          case 7: {
            const undone = begun.pop();
            return undone ? { kind: "refund-undone", ...undone } : { kind: "expired" };
          }
          default:
            return paid({ amount: amount + below(2), payment: `pi_${below(2)}` });
        }
      };
      for (let count = 0; count < 40; count += 1) {
        const step = drawn();
        const result = stepOrder(now, step);
        if (step.kind === "refund-undone" && result.kind !== "changed")
          throw new Error("an undone refund is lost");
        if (result.kind !== "changed") continue;
        balance += result.grant;
        if (step.kind === "paid" || step.kind === "completed") grants += result.grant;
        if (step.kind === "refund-begun") {
          balance -= step.taken;
          begun.push(step);
        }
        const spent = below(2) === 0 ? 0 : below(balance + 1);
        const taken = Math.min(result.take, balance);
        balance -= taken;
        now = { ...result.order, taken: result.order.taken + taken };
        balance -= Math.min(spent, balance);
        expect(grants === 0 || grants === quota).toBe(true);
        expect(now.taken).toBeLessThanOrEqual(quota);
        expect(now.taken).toBeGreaterThanOrEqual(0);
        expect(balance).toBeGreaterThanOrEqual(0);
        expect(now.refunded).toBeLessThanOrEqual(amount);
        if (step.kind === "refund-undone")
          expect(result.grant === 0 || moneyFor(now, now.taken) >= moneyBack(now)).toBe(true);
        if (grants === 0) expect([now.refunded, now.disputed, now.taken]).toEqual([0, 0, 0]);
      }
    },
  );
});

it("money for quota is exact next to the largest numbers", () => {
  const large = order({ amount: 99_999_999, quota: Number.MAX_SAFE_INTEGER - 1 });
  expect(moneyFor(large, large.quota)).toBe(99_999_999);
  expect(moneyFor(large, large.quota - 1)).toBe(99_999_998);
});
