import { createRandom } from "@tollgate/testkit/random";
import { seeds } from "@tollgate/testkit/seeds";
import { afterEach, beforeEach, expect, it } from "vitest";
import { type Charge, encodeCharges } from "../accounts/charges";
import { chargeOf } from "../testing/charge-of";
import { onEngine } from "../testing/on-engine";
import { HOUR_SECONDS } from "./hours";
import type { LogUnderTest } from "./testing/log-under-test";
import { newPostgresLog } from "./testing/postgres-log";
import { newSqliteLog } from "./testing/sqlite-log";

/** 1 January 2026, and 40 days later. */
const HOUR = 1_767_225_600 + 40 * 86_400;
const FROM = HOUR - 30 * 86_400;

const newLog = onEngine({ sqlite: newSqliteLog, postgres: newPostgresLog });

let log: LogUnderTest;
beforeEach(async () => {
  log = await newLog([]);
});
afterEach(() => log.close());

const store = (charges: readonly Charge[]): Promise<void> => log.takeOver(encodeCharges([...charges])[1]);

const found = async (leastQuota: number): Promise<string[]> =>
  (await log.queries.usage.newModelSpending(HOUR, FROM, leastQuota))
    .map(({ userId, tokenId, model, quota }) => `${userId}/${tokenId} ${model} ${quota}`)
    .sort();

it("takes a small use within the last day for no use, and one that was reported for one", async () => {
  const of = (at: number, quota: number, modelName: string): Charge =>
    chargeOf(at, quota, { userId: 7, tokenId: 1, modelName });
  await store([
    of(HOUR - HOUR_SECONDS, 1, "tried"),
    of(HOUR - 23 * HOUR_SECONDS, 99, "tried"),
    of(HOUR, 1_000_000, "tried"),
    of(HOUR - HOUR_SECONDS, 60, "reported"),
    of(HOUR - HOUR_SECONDS + 9, 40, "reported"),
    of(HOUR, 1_000_000, "reported"),
    of(HOUR - 24 * HOUR_SECONDS, 1, "usual"),
    of(HOUR, 1_000_000, "usual"),
  ]);
  expect(await found(100)).toEqual(["7/1 tried 1000000"]);
});

it("finds models that a key did not use in the 30 days before, under any of its names", async () => {
  const of = (at: number, quota: number, modelName: string, more: Partial<Charge> = {}): Charge =>
    chargeOf(at, quota, { userId: 7, tokenId: 1, modelName, ...more });
  await store([
    of(HOUR - 50 * HOUR_SECONDS, 10, "old", { tokenName: "before it was renamed" }),
    of(HOUR - 40 * 86_400, 10, "long ago"),
    of(HOUR, 300, "old"),
    of(HOUR + 5, 200, "new"),
    of(HOUR + 3599, 100, "new"),
    of(HOUR + 9, 50, "long ago"),
    of(HOUR + 3600, 900, "of the next hour"),
    // Another key that used it makes it no less new.
    of(HOUR - HOUR_SECONDS, 10, "new", { tokenId: 2 }),
  ]);
  expect(await found(1)).toEqual(["7/1 long ago 50", "7/1 new 300"]);
  expect(await found(51)).toEqual(["7/1 new 300"]);
  expect(await found(301)).toEqual([]);
});

it.each(seeds(4))("is that of the charges, whatever they are (seed %i)", async (seed) => {
  const next = createRandom(seed);
  const random = (below: number): number => Math.floor(next() * below);
  const charges = Array.from({ length: 80 }, () => ({
    at:
      HOUR -
      (random(2) === 0 ? 0 : random(random(2) === 0 ? 24 : 32 * 24)) * HOUR_SECONDS +
      random(HOUR_SECONDS),
    quota: 1 + random(500),
    tokenId: 1 + random(3),
    modelName: `m-${random(8)}`,
  }));
  await store(charges.map(({ at, quota, ...more }) => chargeOf(at, quota, { userId: 5, ...more })));
  const sums = new Map<string, number>();
  const earlier = new Map<string, number>();
  const add = (all: Map<string, number>, name: string, quota: number) =>
    all.set(name, (all.get(name) ?? 0) + quota);
  const old = new Set<string>();
  for (const { at, quota, tokenId, modelName } of charges) {
    const name = `5/${tokenId} ${modelName}`;
    const hour = at - (at % HOUR_SECONDS);
    if (at >= HOUR) add(sums, name, quota);
    else if (hour > HOUR - 86_400) add(earlier, `${name} ${hour}`, quota);
    else if (hour >= FROM) old.add(name);
  }
  for (const [nameAndHour, quota] of earlier)
    if (quota >= 100) old.add(nameAndHour.slice(0, nameAndHour.lastIndexOf(" ")));
  const expected = [...sums].filter(([name, quota]) => quota >= 100 && !old.has(name));
  expect(await found(100)).toEqual(expected.map(([name, quota]) => `${name} ${quota}`).sort());
});
