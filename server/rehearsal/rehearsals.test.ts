import type { PriceDraftRecord, RehearsalRecord } from "@tollgate/contract/records/price-draft-record";
import type { PriceDraftChanges, PriceDraftQueries } from "@tollgate/storage/accounts/site-ports";
import { describe, expect, it } from "vitest";
import { sitePrices } from "../prices/testing/site-prices";
import { Rehearsals, type RehearsalTools } from "./rehearsals";

const HOUR = 1_767_225_600;

const SUM = {
  ...{ lines: 2, charged: 10, rehearsed: 15, cost_thousandths: 0 },
  ...{ costed_lines: 0, costed_charged: 0, costed_rehearsed: 0 },
};
const KEPT = { lines: 0, quota: 0 };
const FOUND = {
  total: SUM,
  ...{ models: [{ name: "m", ...SUM }], groups: [{ name: "default", ...SUM }], users: [{ id: 7, ...SUM }] },
  kept: { "not-repriceable": KEPT, shortfall: KEPT, "no-price": KEPT },
  isOverflowing: false,
};

/** A thread with a fixed result. */
const WORKER = new URL(
  `data:text/javascript,${encodeURIComponent(`
    import { parentPort } from "node:worker_threads";
    parentPort.on("message", (asked) => parentPort.postMessage(asked === "end" ? ${JSON.stringify(FOUND)} : 2));
  `)}`,
);

const DRAFT: PriceDraftRecord = {
  ...{ id: 1, name: "d", authorId: 1, author: "root", createdAt: 1, changedAt: 1, revision: 4 },
  ...{ state: "draft", holdsFrom: 0, fault: "", base: "{}", changes: '{"GroupRatio":{"vip":0.5}}' },
};

const setUp = async () => {
  const { options } = await sitePrices({});
  let kept: RehearsalRecord | undefined;
  const state = { quota: 12, step: 0, hold: undefined as Promise<void> | undefined };
  const read = {
    priceDrafts: {
      find: async (id: number) => (id === 1 ? DRAFT : undefined),
      rehearsal: async () => kept,
    } as unknown as PriceDraftQueries,
    pricedLines: {
      shapes: async () => [{ id: 1, text: '["m","default"]' }],
      lines: async (from: number) => ({ from, lines: 3 }),
      part: async (hour: number) => {
        await state.hold;
        return [{ hour, lines: 2, data: new Uint8Array([1]) }];
      },
    },
    usage: {
      consumedQuota: async () => {
        state.quota += state.step;
        return state.quota;
      },
    },
  } as unknown as RehearsalTools["read"];
  const write = {
    async beginRehearsal(_id: number, text: string, now: number) {
      kept = { state: "running", seenAt: now, text };
      return true;
    },
    async noteRehearsal(_id: number, next: string, text: string, now: number) {
      if (kept?.state !== "running") return false;
      kept = { state: next, seenAt: now, text };
      return true;
    },
    async cancelRehearsal() {
      if (kept?.state !== "running") return false;
      kept = { ...kept, state: "cancelled" };
      return true;
    },
  } as unknown as PriceDraftChanges;
  const faults: Error[] = [];
  const clock = { now: HOUR + 9 * 3600 };
  const rehearsals = new Rehearsals({
    ...{ read, write, options, workerPath: WORKER, nameOf: () => "payer", now: () => clock.now },
    reportError: (error) => faults.push(error),
  });
  const ended = async () => {
    for (;;) {
      const found = await rehearsals.find(1);
      if (found && found.state !== "running") return found;
      await new Promise((resolve) => setTimeout(resolve, 5));
    }
  };
  return { rehearsals, state, faults, clock, ended };
};

const RANGE = { from: HOUR, to: HOUR + 7200 };

describe("a rehearsal", () => {
  it("reports its findings, and counts lines that were not recorded as charged", async () => {
    const { rehearsals, ended } = await setUp();
    expect(await rehearsals.find(1)).toBeUndefined();
    expect(await rehearsals.start(1, RANGE)).toMatchObject({ state: "running", ...RANGE });
    const { state, result } = await ended();
    expect([state, result?.revision]).toEqual(["done", 4]);
    expect(result?.total).toMatchObject({ lines: 3, charged: 12, rehearsed: 17 });
    expect(result?.kept.unrecorded).toEqual({ lines: 1, quota: 2 });
    expect(result?.users).toMatchObject([{ id: 7, name: "payer" }]);
  });

  it("runs alone, and is over when it is cancelled", async () => {
    const { rehearsals, state, ended } = await setUp();
    let goOn = (): void => {};
    state.hold = new Promise((resolve) => {
      goOn = resolve;
    });
    await rehearsals.start(1, RANGE);
    await expect(rehearsals.start(1, RANGE)).rejects.toMatchObject({ key: "rehearsal-busy" });
    await rehearsals.cancel(1);
    goOn();
    expect(await ended()).toMatchObject({ state: "cancelled" });
    await rehearsals.stop();
    await expect(rehearsals.cancel(1)).rejects.toMatchObject({ key: "rehearsal-not-running" });
  });

  it("ends with the server, and one of a process that is gone is over, too", async () => {
    const { rehearsals, state, clock } = await setUp();
    let goOn = (): void => {};
    state.hold = new Promise((resolve) => {
      goOn = resolve;
    });
    await rehearsals.start(1, RANGE);
    clock.now += 31;
    expect(await rehearsals.find(1)).toMatchObject({ state: "failed", reason: "interrupted" });
    const stopped = rehearsals.stop();
    goOn();
    await stopped;
    expect(await rehearsals.find(1)).toMatchObject({ state: "failed", reason: "interrupted" });
    await expect(rehearsals.start(1, RANGE)).rejects.toMatchObject({ key: "rehearsal-busy" });
  });

  it("says so where the log changes each time that it is read", async () => {
    const { rehearsals, state, ended, faults } = await setUp();
    state.step = 1;
    await rehearsals.start(1, RANGE);
    expect(await ended()).toMatchObject({ state: "failed", reason: "rehearsal-log-changes" });
    expect(faults).toEqual([]);
  });

  it("takes no time that cannot be meant, and no draft that is not there", async () => {
    const { rehearsals } = await setUp();
    for (const range of [
      { from: 5, to: 5 },
      { from: -1, to: 5 },
      { from: 0, to: 2 ** 40 },
    ])
      await expect(rehearsals.start(1, range)).rejects.toMatchObject({ key: "rehearsal-time-invalid" });
    await expect(rehearsals.start(2, RANGE)).rejects.toMatchObject({ key: "price-draft-missing" });
  });
});
