// @vitest-environment happy-dom

import { expect, it } from "vitest";
import { screen, within } from "../testing/draw";
import { openConsole } from "../testing/open-console";

const used = (key: string, quota: number, errors = 0) => ({
  ...{ time: 0, key, name: key, requests: 1, errors, prompt_tokens: 0, completion_tokens: 0, quota },
  ...{ duration_ms: 0, first_byte_ms: 0, streams: 0 },
});

it("writes the money of all tables of a page with the same decimals, and names requests without a model", async () => {
  await openConsole("/model/gpt-x", {
    "GET /api/status": {
      version: "v0.5.9-alpha",
      list_queries: true,
      display_in_currency: true,
      quota_per_unit: 500_000,
    },
    "GET /api/usage": (_: unknown, call: string) =>
      call.includes("by=channel")
        ? [used("7", 5_000_000), { ...used("0", 0, 3), name: "", requests: 0 }]
        : [used("9", 12)],
  });
  const cost = async (table: string, name: string) => {
    const rows = within(await screen.findByRole("table", { name: new RegExp(table) }));
    const row = (await rows.findByText(name)).closest("tr");
    return [row?.lastElementChild?.textContent, row?.querySelectorAll("a").length];
  };
  expect(await cost("渠道", "7")).toEqual(["$10.000000", 2]);
  expect(await cost("渠道", "未到达渠道")).toEqual(["$0.000000", 0]);
  expect(await cost("用户", "9")).toEqual(["$0.000024", 2]);
});
