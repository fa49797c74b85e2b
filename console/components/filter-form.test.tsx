// @vitest-environment happy-dom

import { describe, expect, it, vi } from "vitest";
import { formatTime } from "../lib/format";
import { presetRange } from "../lib/usage/usage-presets";
import { screen, waitFor, within } from "../testing/draw";
import { openConsole } from "../testing/open-console";

/** The lists with a range in their filters. */
const LISTS = [
  { path: "/log", call: "GET /api/log/?" },
  { path: "/ledger", call: "GET /api/ledger?" },
  { path: "/audit", call: "GET /api/audit?" },
];

const open = async (address: string, call: string) => {
  const stage = await openConsole(address, {});
  const presets = within(await screen.findByRole("group", { name: "时间范围" }));
  return {
    ...stage,
    preset: (name: string) => presets.getByRole<HTMLInputElement>("radio", { name }),
    time: (name: string) => screen.getByLabelText<HTMLInputElement>(name),
    /** The newest range that was asked for. */
    asked: () => {
      const newest = stage.calls.map(({ call: each }) => each).filter((each) => each.startsWith(call));
      const query = new URLSearchParams(newest.at(-1)?.split("?")[1]);
      return [Number(query.get("start_timestamp")), Number(query.get("end_timestamp"))];
    },
    address: () => stage.router.state.location.searchStr,
  };
};

describe.each(LISTS)("the range of $path", ({ path, call }) => {
  it("is a preset of the address, which replaces typed ends", async () => {
    const stage = await open(`${path}?from=2026-01-01&page=1`, call);
    expect([stage.preset("不限时间").checked, stage.preset("昨天").checked]).toEqual([false, false]);
    await stage.person.click(stage.preset("昨天"));
    const { from, to } = presetRange("yesterday", new Date());
    await waitFor(() => expect(stage.asked()).toEqual([from, to]));
    expect(stage.address()).toBe("?range=yesterday");
    expect(stage.preset("昨天").checked).toBe(true);
  });

  it("is chosen with the keyboard", async () => {
    const stage = await open(path, call);
    expect(stage.preset("不限时间").checked).toBe(true);
    stage.preset("不限时间").focus();
    await stage.person.keyboard("{ArrowRight}");
    await waitFor(() => expect(stage.address()).toBe("?range=today"));
    expect(stage.asked()[0]).toBe(presetRange("today", new Date()).from);
    await stage.person.keyboard("{ArrowLeft}");
    await waitFor(() => expect(stage.address()).toBe(""));
  });

  it("shows the ends of a preset, to be changed from there", async () => {
    const { from, to } = presetRange("lastMonth", new Date());
    const stage = await open(`${path}?range=lastMonth`, call);
    expect([stage.time("起始时间").value, stage.time("结束时间").value]).toEqual([
      formatTime(from),
      formatTime(to),
    ]);
    await stage.person.clear(stage.time("结束时间"));
    await stage.person.type(stage.time("结束时间"), `${formatTime(from).slice(0, 10)}{Enter}`);
    const begin = new Date(from * 1000);
    const next = new Date(begin.getFullYear(), begin.getMonth(), 2).getTime() / 1000;
    await waitFor(() => expect(stage.asked()).toEqual([from, next - 1]));
    expect(stage.address()).not.toContain("range");
    expect(stage.preset("上月").checked).toBe(false);
  });
});

it("a folded form names the preset, and removes it", async () => {
  vi.stubGlobal("matchMedia", (query: string) => ({
    matches: query.includes("max-width: 600px"),
    addEventListener: () => undefined,
    removeEventListener: () => undefined,
  }));
  const stage = await openConsole("/audit?range=7d", {});
  await stage.person.click(await screen.findByRole("button", { name: "移除 时间范围: 近 7 天" }));
  await waitFor(() => expect(stage.router.state.location.searchStr).toBe(""));
});
