// @vitest-environment happy-dom

import { expect, it } from "vitest";
import { formatTime } from "../../lib/format";
import { screen, within } from "../../testing/draw";
import { openConsole } from "../../testing/open-console";

const bars = (count: number, last: number | "few" | null) => [...Array<null>(count - 1).fill(null), last];

const STATUS = {
  "GET /api/status": { version: "v0.5.9-alpha", model_status: "signed-in" },
  "GET /api/model-status": {
    updated_at: 1_800_000_000,
    models: [
      {
        model: "gpt-x",
        day: { success: 0.998, first_byte_ms: 640 },
        week: { success: 0.95, first_byte_ms: 700 },
        month: { success: 0.5 },
        hours: bars(24, 0.998),
        days: bars(30, 0.95),
      },
      {
        model: "rare",
        day: { success: "few" },
        week: { success: "few" },
        month: { success: 1 },
        hours: bars(24, "few"),
        days: bars(30, "few"),
      },
      { model: "quiet", day: {}, week: {}, month: {}, hours: bars(24, null), days: bars(30, null) },
    ],
  },
};

const row = (name: string) => within(screen.getByText(name).closest("li") ?? document.body);

it("shows of each model how often it answered and how soon, in the span that is chosen", async () => {
  const stage = await openConsole("/status", STATUS, 1);
  expect(row("gpt-x").getByText("99.8%")).toBeTruthy();
  expect(row("gpt-x").getByText("0.64 秒")).toBeTruthy();
  expect(row("gpt-x").getByRole("img").children).toHaveLength(24);
  expect(screen.getByText("正常 1")).toBeTruthy();
  await stage.person.click(screen.getByRole("radio", { name: "30 天" }));
  expect(row("gpt-x").getByText("50.0%")).toBeTruthy();
  expect(row("gpt-x").getByText("—")).toBeTruthy();
  expect(row("gpt-x").getByRole("img").children).toHaveLength(30);
});

it("tells few requests from none in words, shows no share of either, and counts such models apart", async () => {
  const stage = await openConsole("/status", STATUS, 1);
  expect(row("rare").getByText("请求过少")).toBeTruthy();
  expect(row("quiet").getByText("无请求")).toBeTruthy();
  expect(row("rare").queryByText(/%/)).toBeNull();
  expect(row("quiet").queryByText(/%/)).toBeNull();
  const cells = row("rare").getByRole("img");
  const [none, few] = [cells.children[0], cells.children[23]];
  expect([none, few].map((cell) => cell?.getAttribute("title"))).toEqual([
    "23 小时前: 没有请求",
    "0 小时前（未完成）: 请求过少",
  ]);
  expect(few?.className).not.toBe(none?.className);
  expect(cells.getAttribute("aria-label")).toMatch(/没有请求, 请求过少$/);
  expect(screen.getByText("数据不足 2")).toBeTruthy();
  expect(screen.getByText("请求过少（不足 10 次）")).toBeTruthy();
  await stage.person.click(screen.getByRole("radio", { name: "30 天" }));
  expect(row("rare").getByText("100.0%")).toBeTruthy();
  expect(screen.getByText("数据不足 1")).toBeTruthy();
});

it("draws the hour or day that has not ended as unfinished", async () => {
  const stage = await openConsole("/status", STATUS, 1);
  const looks = () => [...row("gpt-x").getByRole("img").children].map(({ className }) => className);
  const isHatched = (look: string | undefined) => look?.includes("repeating-linear-gradient");
  expect(looks().map(isHatched)).toEqual([...Array(23).fill(false), true]);
  await stage.person.click(screen.getByRole("radio", { name: "30 天" }));
  expect(looks().map(isHatched)).toEqual([...Array(29).fill(false), true]);
  expect(screen.getByText("当前一小时或一天，未完成")).toBeTruthy();
});

it("asks guests to sign in where it is not public, and asks the server nothing", async () => {
  const stage = await openConsole("/status", STATUS, 0);
  expect(await screen.findByText("登录后可以查看模型状态")).toBeTruthy();
  expect(stage.calls.map(({ call }) => call)).not.toContain("GET /api/model-status");
});

it("leads administrators from a bar to its requests: to the failures where there were any", async () => {
  const hours = [...bars(21, null), 1, 0.9, "few"];
  const models = [{ model: "m", day: {}, week: {}, month: {}, hours, days: bars(30, 0.95) }];
  const stage = await openConsole(
    "/status",
    { ...STATUS, "GET /api/model-status": { updated_at: 1_800_000_000, models } },
    10,
  );
  const links = () =>
    row("m")
      .getAllByRole("link")
      .filter((link) => link.getAttribute("href")?.startsWith("/log?"));
  const shown = () =>
    links().map((link) => Object.fromEntries(new URLSearchParams(link.getAttribute("href")?.split("?")[1])));
  const hour = (begin: number) => ({ model: "m", from: formatTime(begin), to: formatTime(begin + 3599) });
  expect(shown()).toEqual([
    { ...hour(1_800_000_000 - 2 * 3600), type: "2" },
    { ...hour(1_800_000_000 - 3600), type: "5" },
    hour(1_800_000_000),
  ]);
  // One stop for the Tab key, the newest bar; arrows move between the others.
  expect(links().map((link) => link.tabIndex)).toEqual([-1, -1, 0]);
  links()[2]?.focus();
  await stage.person.keyboard("{ArrowLeft}");
  expect(document.activeElement).toBe(links()[1]);
  expect(links().map((link) => link.tabIndex)).toEqual([-1, 0, -1]);
  await stage.person.click(screen.getByRole("radio", { name: "30 天" }));
  const midnight = 1_800_000_000 - (1_800_000_000 % 86_400);
  expect(shown()).toEqual([
    { model: "m", from: formatTime(midnight), to: formatTime(midnight + 86_399), type: "5" },
  ]);
});

it("removes a search that finds no model", async () => {
  const stage = await openConsole("/status", STATUS, 1);
  await stage.person.type(screen.getByRole("searchbox"), "zzz{Enter}");
  const title = await screen.findByText(/zzz/);
  expect(screen.queryByText("gpt-x")).toBeNull();
  const [, clear] = screen.getAllByRole("button", { name: "清除搜索" });
  expect(title).toBeTruthy();
  if (clear) await stage.person.click(clear);
  expect(await screen.findByText("gpt-x")).toBeTruthy();
});
