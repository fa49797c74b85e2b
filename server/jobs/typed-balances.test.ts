import { channelOf } from "@tollgate/testkit/channel-of";
import { expect, it } from "vitest";
import { watchingTypedBalances } from "./typed-balances";

it("tells of balances that were typed in and are low", async () => {
  const told: unknown[] = [];
  const job = watchingTypedBalances(
    {
      typed: async () => [
        channelOf({ id: 1, typedBalance: 10, spentSinceTyped: 500_000_000 }),
        channelOf({ id: 2, typedBalance: 10, spentSinceTyped: 4_500_000_000 }),
        channelOf({ id: 3, typedBalance: 10, spentSinceTyped: 5_000_000_000 }),
      ],
    },
    { number: (key) => (key === "QuotaPerUnit" ? 500_000 : 2) },
    { raise: ({ subject, params }) => void told.push([subject, params.balance]) },
  );
  await job.run(() => false);
  expect(told).toEqual([
    [2, 1],
    [3, 0],
  ]);
});
