// @vitest-environment happy-dom

import { describe, expect, it } from "vitest";
import { screen, waitFor } from "../../testing/draw";
import { openConsole } from "../../testing/open-console";

const HOUR = 3600;
const NOW = Math.floor(Date.now() / 1000);

const point = (time: number) => ({
  time,
  key: "m",
  name: "m",
  requests: 30,
  errors: 0,
  prompt_tokens: 1,
  completion_tokens: 1,
  quota: 5,
  duration_ms: 30_000,
  first_byte_ms: 3000,
  streams: 30,
});

const quantiles = { requests: 30, p50_ms: 410, p95_ms: 4100 };

const ANSWERS = {
  "GET /api/status": { version: "v0.5.9-alpha", list_queries: true },
  "GET /api/usage/self": (_: unknown, call: string) => (call.includes("by=none") ? [] : [point(NOW - HOUR)]),
  "GET /api/usage": [point(NOW - HOUR)],
  "GET /api/usage/self/latency": {
    points: [{ time: NOW - HOUR, key: "", name: "", duration: quantiles, first_byte: quantiles }],
    since: NOW - HOUR,
  },
};

const callsOf = ({ calls }: Awaited<ReturnType<typeof openConsole>>): string[] =>
  calls.map(({ call }) => call).filter((call) => call.includes("latency"));

describe("p50 and p95", () => {
  it("are drawn over time with a metric of time, of the reader's own requests, and say which ones", async () => {
    const stage = await openConsole("/dashboard?range=24h&metric=firstByte&token=laptop", ANSWERS, 1);
    const table = await screen.findByRole("table", { name: "耗时 p50 / p95" });
    expect(table.textContent).toContain("4.10 s410 ms");
    expect(screen.getByRole("table", { name: "首字节 p50 / p95" })).toBeTruthy();
    expect(screen.getAllByText(/^仅统计最近 10000 次请求/)).toHaveLength(2);
    await waitFor(() => expect(callsOf(stage).some((call) => call.includes("step=hour"))).toBe(true));
    for (const call of callsOf(stage)) {
      expect(call).toContain("GET /api/usage/self/latency?");
      expect(call).toContain("token_name=laptop");
    }
  });

  it("are asked of no server that does not offer them, and the page says so", async () => {
    const other = { ...ANSWERS, "GET /api/status": { version: "v0.5.9-alpha" } };
    expect(callsOf(await openConsole("/dashboard?metric=firstByte", other, 1))).toEqual([]);
    await screen.findByRole("table", { name: "平均首字节 · 模型" });
    expect(screen.getByText("此服务器不提供 p50 和 p95。")).toBeTruthy();
  });

  it.each(["username=alice", "token=laptop"])(
    "are shown to an administrator who filters by %s",
    async (filter) => {
      const answers = { ...ANSWERS, "GET /api/usage/user/latency": ANSWERS["GET /api/usage/self/latency"] };
      const stage = await openConsole(`/dashboard?range=24h&metric=firstByte&${filter}`, answers, 100);
      const table = await screen.findByRole("table", { name: "首字节 p50 / p95" });
      expect(table.textContent).toContain("4.10 s410 ms");
      for (const call of callsOf(stage)) {
        expect(call).toContain("GET /api/usage/user/latency?");
        expect(call).toContain(filter.replace("token=", "token_name="));
      }
    },
  );

  it("are replaced by the reason where several users have a key of the name", async () => {
    const answers = { ...ANSWERS, "GET /api/usage/user/latency": { points: [], is_shared: true } };
    await openConsole("/dashboard?metric=firstByte&token=laptop", answers, 100);
    expect(await screen.findByText(/^多个用户有同名令牌。/)).toBeTruthy();
    expect(screen.queryByRole("table", { name: "首字节 p50 / p95" })).toBeNull();
  });
});

it("says since when there are data, where the time before had none", async () => {
  await openConsole("/dashboard?range=24h", ANSWERS, 1);
  expect(await screen.findByText(/^数据自 \d{4}-\d\d-\d\d \d\d:00 起$/)).toBeTruthy();
});

it("names requests without a model or a channel, which have neither a page nor a filter", async () => {
  const refused = { ...point(NOW - HOUR), requests: 0, errors: 4, quota: 0 };
  const answer = (_: unknown, call: string) => {
    if (call.includes("by=channel")) return [{ ...refused, key: "0", name: "" }];
    return [point(NOW - HOUR), { ...refused, key: "", name: "" }];
  };
  await openConsole("/dashboard?range=24h&scope=all", { ...ANSWERS, "GET /api/usage": answer }, 100);
  for (const [ranking, name] of [
    ["模型", "未提供的模型"],
    ["渠道", "未到达渠道"],
  ] as const) {
    const row = (await screen.findByRole("rowheader", { name: new RegExp(name) })).closest("tr");
    expect(row?.closest("table")?.getAttribute("aria-label")).toContain(ranking);
    expect(row?.querySelectorAll("a, button")).toHaveLength(0);
  }
  expect(screen.queryByText("–", { selector: "th *" })).toBeNull();
  expect(screen.queryByText("#0")).toBeNull();
});
