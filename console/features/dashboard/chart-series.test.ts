import { beforeEach, expect, it, vi } from "vitest";
import { NO_USAGE, type UsageGroup } from "../../lib/usage/usage-sum";

let chartSeries: typeof import("./chart-series").chartSeries;
let rankGroups: typeof import("./chart-series").rankGroups;
let rankUsage: typeof import("./chart-series").rankUsage;

beforeEach(async () => {
  // Colours are kept from chart to chart.
  vi.resetModules();
  ({ chartSeries, rankGroups, rankUsage } = await import("./chart-series"));
});

const NAMES = {
  metric: "metric",
  answered: "answered",
  failed: "failed",
  prompt: "prompt",
  completion: "completion",
  other: "other",
  group: ({ name }: UsageGroup) => name,
};

const group = (key: string, requests: number, durationMs = 0): UsageGroup => {
  const sum = { ...NO_USAGE, requests, durationMs, errors: 1 };
  return { key, name: key, total: sum, spans: [sum, NO_USAGE] };
};

const usageOf = (groups: UsageGroup[]) => {
  const total = { ...NO_USAGE, requests: 9, errors: 2, promptTokens: 5, completionTokens: 3 };
  return {
    times: [0, 1],
    groups,
    all: { key: "", name: "", total, spans: [total, NO_USAGE] },
    isLastOpen: false,
  };
};

it("stacks the six largest groups and puts the rest together, so that the stack is the whole", () => {
  const groups = Array.from({ length: 9 }, (_, index) => group(`model-${index}`, index));
  const series = chartSeries(usageOf(groups), "model", "requests", NAMES);
  expect(series.map(({ label }) => label)).toEqual([
    "model-8",
    "model-7",
    "model-6",
    "model-5",
    "model-4",
    "model-3",
    "other",
  ]);
  const stack = series.reduce((sum, { values }) => sum + (values[0] ?? 0), 0);
  expect(stack).toBe(groups.reduce((sum, { total }) => sum + total.requests + total.errors, 0));
});

it("adds the server's others to the rest", () => {
  const groups = [group("large", 8), group("small", 1)];
  const others = { count: 40, group: group("", 70) };
  const named = chartSeries({ ...usageOf(groups), others }, "model", "requests", NAMES);
  expect(named.map(({ label, values }) => [label, values[0]])).toEqual([
    ["large", 9],
    ["small", 2],
    ["other", 71],
  ]);
  expect(chartSeries({ ...usageOf(groups), others }, "model", "duration", NAMES)).toHaveLength(2);
});

it("gives a model the same colour whatever its rank and its company", () => {
  const colorOf = (names: readonly string[], name: string) =>
    chartSeries(usageOf(names.map((each, rank) => group(each, 100 - rank))), "model", "requests", NAMES).find(
      ({ key }) => key === name,
    )?.color;
  const names = ["gpt-4o", "claude-sonnet-4", "deepseek-chat", "a/b:c", "qwen-max", "__proto__"];
  const alone = new Map(names.map((name) => [name, colorOf([name], name)]));
  expect(new Set(alone.values()).size).toBe(names.length);
  for (const name of names)
    for (const other of names.filter((each) => each !== name)) {
      expect(colorOf([name, other], name)).toBe(alone.get(name));
      expect(colorOf([other, name], name)).toBe(alone.get(name));
    }
});

it("gives the larger of two models their common colour, and the smaller a free one on every page", () => {
  const colorsOf = (names: readonly string[]) =>
    chartSeries(usageOf(names.map((each, rank) => group(each, 100 - rank))), "model", "requests", NAMES);
  const names = Array.from({ length: 7 }, (_, index) => `crowd-${index}`);
  const colors = names.map((name) => colorsOf([name])[0]?.color);
  const [one = "", two = ""] = names.filter(
    (_, index) => colors.indexOf(colors[index]) !== colors.lastIndexOf(colors[index]),
  );
  expect(colorsOf([two, one]).map(({ color }) => color === colors[names.indexOf(two)])).toEqual([
    true,
    false,
  ]);
  const [, moved] = colorsOf([two, one]);
  expect(colorsOf([one])[0]?.color).toBe(moved?.color);
  expect(colorsOf([one, two]).map(({ color }) => color)).toEqual([moved?.color, colors[names.indexOf(two)]]);
});

it("gives every series a colour of its own", () => {
  const groups = Array.from({ length: 9 }, (_, index) => group(`model-${index}`, index));
  const colors = chartSeries(usageOf(groups), "model", "requests", NAMES).map(({ color }) => color);
  expect(new Set(colors).size).toBe(7);
});

it("ranks means by how many requests they stand on, and leaves a gap where there was none", () => {
  const groups = [group("slow", 1, 9000), group("busy", 8, 80)];
  expect(rankGroups(groups, "duration").map(({ key }) => key)).toEqual(["busy", "slow"]);
  expect(chartSeries(usageOf(groups), "model", "duration", NAMES)[0]?.values).toEqual([10, undefined]);
});

it("splits totals into the parts they have by themselves", () => {
  const parts = (metric: "requests" | "tokens" | "errors") =>
    chartSeries(usageOf([]), "none", metric, NAMES).map(({ label, values }) => [label, values[0]]);
  expect(parts("requests")).toEqual([
    ["answered", 9],
    ["failed", 2],
  ]);
  expect(parts("tokens")).toEqual([
    ["prompt", 5],
    ["completion", 3],
  ]);
  expect(parts("errors")).toEqual([["metric", 2]]);
});

it("splits the ranked groups at a limit, and counts the server's others", () => {
  const groups = [group("b", 2), group("c", 1), group("a", 3)];
  const others = { count: 40, group: group("", 70) };
  const split = (limit: number, usage: Parameters<typeof rankUsage>[0]) => {
    const { top, rest, count } = rankUsage(usage, "requests", limit);
    return [top.map(({ key }) => key), rest.map(({ key }) => key), count];
  };
  expect(split(2, { groups })).toEqual([["a", "b"], ["c"], 3]);
  expect(split(2, { groups, others })).toEqual([["a", "b"], ["c", ""], 43]);
  expect(split(9, { groups })).toEqual([["a", "b", "c"], [], 3]);
  expect(split(9, { groups: [] })).toEqual([[], [], 0]);
});
