// @vitest-environment happy-dom

import { expect, it } from "vitest";
import { formatTime } from "../../lib/format";
import { cleanup, screen, within } from "../../testing/draw";
import { openConsole } from "../../testing/open-console";

const latency = (p95: number, requests: number) => [
  { time: 0, key: "", name: "", first_byte: { requests, p50_ms: 100, p95_ms: p95 } },
];

/** Whether a call is about the week before. */
const isBefore = (call: string): boolean => {
  const from = Number(/start_timestamp=(\d+)/.exec(call)?.[1]);
  return from < Date.now() / 1000 - 6 * 86_400;
};

const open = (requestsBefore: number) =>
  openConsole("/cockpit", {
    "GET /api/usage/latency": (_: unknown, call: string) =>
      isBefore(call) ? latency(1000, requestsBefore) : latency(1500, 200),
  });

const tile = async () => {
  const today = within(await screen.findByRole("region", { name: "今天" }));
  return (await today.findByText("首字节 p95")).parentElement as HTMLElement;
};

it("compares the first byte's p95 of today with that of the same weekday before", async () => {
  await open(200);
  const shown = within(await tile());
  const value = await shown.findByRole("link", { name: "1.50 s" });
  expect(value.getAttribute("href")).toBe("/dashboard?range=today&metric=firstByte");
  expect(shown.getByText("上周同期 1.00 s")).toBeTruthy();
  expect(shown.getByText("50.0%").className).toContain("text-red");
});

it("takes the p95 of few requests for noise", async () => {
  await open(5);
  expect((await within(await tile()).findByText("50.0%")).className).not.toMatch(/text-(red|green)/);
});

const links = (region: HTMLElement) =>
  within(region)
    .getAllByRole("link")
    .map((link) => {
      const url = new URL(link.getAttribute("href") ?? "", "http://console");
      const search = Object.fromEntries([...url.searchParams].filter(([name]) => name !== "to"));
      return [link.textContent, url.pathname, search];
    });

it("leads from each matter, and from each of its names, to exactly its lines", async () => {
  const matter = (kind: string, names: string[], ids?: number[]) => ({
    kind,
    count: names.length,
    names,
    ids,
  });
  await openConsole("/cockpit", {
    "GET /api/attention": [
      matter("channels-disabled", ["a", "b"], [1, 2]),
      matter("channels-failing", ["c"], [3]),
      matter("keys-disabled", ["d"], [4]),
      matter("refunds-open", ["0123456789", "abcdef0123"]),
    ],
  });
  const hour = 3600;
  const now = Math.floor(Date.now() / 1000);
  const failed = { type: "5", from: formatTime(now - (now % hour) - hour), channel: "3" };
  await screen.findByRole("link", { name: "处理退款" });
  expect(links(screen.getByRole("region", { name: "需要处理" }))).toEqual([
    ["a", "/channel/1", {}],
    ["b", "/channel/2", {}],
    ["查看渠道", "/channel", { status: "3" }],
    ["c", "/log", failed],
    ["查看失败的请求", "/log", failed],
    ["d", "/channel/4", {}],
    ["查看渠道", "/channel/4", {}],
    ["01234567", "/order/0123456789", {}],
    ["abcdef01", "/order/abcdef0123", {}],
    ["处理退款", "/order", { refund: "open" }],
  ]);
});

it("leads to several channels by their ids, where the server can filter by them", async () => {
  const several = (kind: string, ids: number[]) => ({ kind, count: ids.length, names: ["a", "b"], ids });
  const matters = [several("channels-failing", [3, 4]), several("keys-disabled", [5, 6, 7])];
  const shown = async (status: object) => {
    await openConsole("/cockpit", { "GET /api/status": status, "GET /api/attention": matters });
    await screen.findAllByRole("link", { name: "查看渠道" });
    const all = links(screen.getByRole("region", { name: "需要处理" }));
    cleanup();
    return all.filter(([text]) => text === "查看渠道");
  };
  expect(await shown({ list_queries: true, list_extras: "channel-ids" })).toEqual([
    ["查看渠道", "/channel", { ids: "3,4" }],
    ["查看渠道", "/channel", { ids: "5,6,7" }],
  ]);
  expect(await shown({ list_queries: true })).toEqual([
    ["查看渠道", "/channel", {}],
    ["查看渠道", "/channel", {}],
  ]);
});

const used = (key: string, name: string, quota: number, errors: number) => ({
  ...{ time: 0, key, name, requests: 1, errors, prompt_tokens: 0, completion_tokens: 0, quota },
  ...{ duration_ms: 0, first_byte_ms: 0, streams: 0 },
});

it("names who fails, with the failed lines, and writes one column of money with the same decimals", async () => {
  await openConsole("/cockpit", {
    "GET /api/status": { version: "v0.5.9-alpha", display_in_currency: true, quota_per_unit: 500_000 },
    "GET /api/usage": (_: unknown, call: string) => {
      if (call.includes("by=user"))
        return isBefore(call)
          ? [used("7", "li", 0, 1)]
          : [used("7", "li", 60_900, 4), used("8", "wang", 686, 0)];
      return call.includes("by=token") && !isBefore(call) ? [used("9", "laptop", 0, 3)] : [];
    },
  });
  const rows = async (name: string) => {
    const region = await screen.findByRole("region", { name });
    const items = await within(region).findAllByRole("listitem");
    return items.map((item) => item.textContent);
  };
  expect(await rows("用户的失败请求")).toEqual(["li1→ 4比之前增加3"]);
  expect(await rows("令牌的失败请求")).toEqual(["laptop0→ 3比之前增加3"]);
  const [, lines] = links(screen.getByRole("region", { name: "用户的失败请求" }));
  expect(lines).toMatchObject(["1→ 4", "/log", { type: "5", username: "li" }]);
  const [key, keyLines] = links(screen.getByRole("region", { name: "令牌的失败请求" }));
  expect(key).toMatchObject(["laptop", "/token/9", {}]);
  expect(keyLines).toMatchObject(["0→ 3", "/log", { type: "5", token: "laptop" }]);
  const decimals = (await rows("用户消费变化")).flatMap(
    (row) => row?.match(/\d\.(\d+)/g)?.map((amount) => amount.length - 2) ?? [],
  );
  expect(new Set(decimals).size).toBe(1);
  expect(decimals).toHaveLength(6);
});
