import type { ModelHealth } from "@tollgate/storage/log/ports";
import { expect, it } from "vitest";
import { ModelStatuses } from "./model-status";

const HOUR = 3600;
const DAY = 86_400;
/** Half past ten. */
const NOW = 1_800_000_000 - (1_800_000_000 % DAY) + 10 * HOUR + 1800;

const setUp = (rows: readonly Omit<ModelHealth, "time">[], hoursAgo = 0) => {
  let asked = 0;
  let turns = 0;
  let now = NOW;
  const statuses = new ModelStatuses({
    nowMs: () => now * 1000,
    yieldToOthers: async () => {
      turns += 1;
    },
    health: {
      async ofModels(from, step) {
        asked += 1;
        const time = NOW - hoursAgo * HOUR;
        return rows.map((row) => ({ ...row, time: time - (time % step) })).filter((row) => row.time >= from);
      },
    },
  });
  return {
    statuses,
    asked: () => asked,
    turns: () => turns,
    later: (seconds: number) => {
      now += seconds;
    },
  };
};

const offer = (offered: Record<string, string[]>) =>
  new Map(Object.entries(offered).map(([model, names]) => [model, new Set(names)]));

const row = (model: string, requests: number, faults: number) => ({
  model,
  requests,
  faults,
  firstByteMs: requests * 250,
  streams: requests,
});

it("reports the success rate and the first byte by the names that clients use, and tells few requests from none", async () => {
  const { statuses } = setUp([row("up-a", 97, 2), row("up-b", 3, 0), row("few", 9, 0), row("hidden", 50, 0)]);
  const { models } = await statuses.of(offer({ a: ["up-a", "up-b"], few: ["few"], never: ["none"] }));
  expect(models.map(({ model, day }) => [model, day])).toEqual([
    ["a", { success: 0.98, first_byte_ms: 250 }],
    ["few", { success: "few" }],
    ["never", {}],
  ]);
  const [a, few, never] = models;
  expect(few?.hours.slice(-2)).toEqual([null, "few"]);
  expect(never?.days.every((each) => each === null)).toBe(true);
  expect(a?.hours).toHaveLength(24);
  expect(a?.hours.at(-1)).toBe(0.98);
  expect(a?.hours.slice(0, -1).every((each) => each === null)).toBe(true);
  expect(a?.days).toHaveLength(30);
  expect(a?.days.at(-1)).toBe(0.98);
  expect(a?.week).toEqual(a?.month);
});

it("never says all where one failed, nor none where one was answered", async () => {
  const { statuses } = setUp([
    row("most", 100_000, 1),
    row("least", 1, 100_000),
    row("down", 0, 50),
    row("up", 50, 0),
  ]);
  const { models } = await statuses.of(
    offer({ most: ["most"], least: ["least"], down: ["down"], up: ["up"] }),
  );
  expect(models.map(({ day }) => day.success)).toEqual([0, 0.001, 0.999, 1]);
});

it("shows older results by days and weeks", async () => {
  const { statuses } = setUp([row("a", 20, 0)], 24 * 10);
  const [a] = (await statuses.of(offer({ a: ["a"] }))).models;
  expect([a?.day.success, a?.week.success, a?.month.success]).toEqual([undefined, undefined, 1]);
  expect(a?.days.at(-11)).toBe(1);
});

it("asks the log once a minute, however many ask, and again after a failure", async () => {
  const { statuses, asked, later } = setUp([row("a", 20, 0)]);
  await Promise.all([statuses.of(offer({ a: ["a"] })), statuses.of(offer({ b: ["a"] }))]);
  later(59);
  await statuses.of(offer({ a: ["a"] }));
  expect(asked()).toBe(2);
  later(1);
  await statuses.of(offer({ a: ["a"] }));
  expect(asked()).toBe(4);
  let isBroken = true;
  const broken = new ModelStatuses({
    yieldToOthers: async () => {},
    nowMs: () => 0,
    health: {
      ofModels: async () => {
        if (isBroken) throw new Error("disk");
        return [];
      },
    },
  });
  await expect(broken.of(offer({ a: ["a"] }))).rejects.toThrow("disk");
  isBroken = false;
  expect((await broken.of(offer({ a: ["a"] }))).models).toHaveLength(1);
});

it("gives way to others while it tells of many models", async () => {
  const { statuses, turns } = setUp([]);
  const many = Object.fromEntries(Array.from({ length: 120 }, (_, at) => [`m${at}`, [`m${at}`]]));
  expect((await statuses.of(offer(many))).models).toHaveLength(120);
  expect(turns()).toBe(2);
});
