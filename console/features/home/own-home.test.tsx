// @vitest-environment happy-dom

import { expect, it } from "vitest";
import { screen, within } from "../../testing/draw";
import { openConsole } from "../../testing/open-console";

const SELF = { id: 1, username: "me", role: 1, status: 1, quota: 1_000_000 };

const key = (id: number, name: string, accessed: number) => ({
  ...{ id, name, status: 1, used_quota: 5, remain_quota: 10, created_time: 1, accessed_time: accessed },
  ...(name === "ci" && { daily_quota: 500_000 }),
});

const open = (isOwnServer: boolean, self: object = SELF) =>
  openConsole(
    "/",
    {
      "GET /api/status": {
        version: "v0.5.9-alpha",
        quota_per_unit: 500_000,
        display_in_currency: true,
        ...(isOwnServer && { list_queries: true }),
      },
      "GET /api/home_page_content": "",
      "GET /api/user/self": self,
      "GET /api/usage/self": [],
      "GET /api/token/": [key(1, "old", 10), key(2, "ci", 20)],
      "GET /api/user/self/limits": [
        { scope: "user", group: "", limit: "daily_quota", max: 2_500_000, used: 0 },
        { scope: "group", group: "default", limit: "monthly_quota", max: 1 },
      ],
    },
    1,
  );

const numbers = async () => within(await screen.findByRole("region", { name: "余额与消费" }));

it("shows the budget that a group sets for each user, and the budgets of keys", async () => {
  await open(true);
  expect(await (await numbers()).findByText("分组预算 $5.00")).toBeTruthy();
  // A limit on a group's total spending is not this user's budget.
  expect((await numbers()).getByText("没有预算上限")).toBeTruthy();
  const keys = within(screen.getByRole("region", { name: "我的令牌" }));
  expect((await keys.findAllByRole("link")).map(({ textContent }) => textContent).slice(-2)).toEqual([
    "ci",
    "old",
  ]);
  expect(keys.getByText(/每日预算 \$1\.00$/)).toBeTruthy();
});

it("shows the person's own budget in place of the group's", async () => {
  await open(true, { ...SELF, daily_quota: 1_000_000 });
  expect(await (await numbers()).findByText("预算 $2.00")).toBeTruthy();
});

it.each([
  { server: "this server", isOwnServer: true, keys: "GET /api/token/?p=0&sort=-accessed_time" },
  { server: "a server of the contract", isOwnServer: false, keys: "GET /api/token/?p=0" },
])("asks $server for keys and limits as it offers them", async ({ isOwnServer, keys }) => {
  const { calls } = await open(isOwnServer);
  await (await numbers()).findAllByText("没有预算上限");
  const asked = calls.map(({ call }) => call);
  expect(asked).toContain(keys);
  expect(asked.includes("GET /api/user/self/limits")).toBe(isOwnServer);
});
