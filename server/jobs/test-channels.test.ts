import type { ProbeResult } from "@tollgate/relay/probe";
import { entryOf } from "@tollgate/relay/testing/entry-of";
import type { TrialPorts } from "@tollgate/relay/trial";
import { channelOf } from "@tollgate/testkit/channel-of";
import { describe, expect, it } from "vitest";
import { ChannelTests, testingChannels } from "./test-channels";

const MINUTE_MS = 60_000;

const setUp = (results: Readonly<Record<number, Partial<ProbeResult>>> = { 1: {}, 2: {} }) => {
  const state = { nowMs: 1_800_000_000_000, isMine: true, minutes: 10, isDisabling: false };
  const asked: [number, string | undefined][] = [];
  const saved: number[] = [];
  const disabled: unknown[] = [];
  const warned: unknown[] = [];
  const numbers: Readonly<Record<string, number>> = { ChannelDisableThreshold: 5 };
  const options = {
    number: (key: string) => (key === "ChannelTestMinutes" ? state.minutes : (numbers[key] ?? 0)),
    isOn: () => state.isDisabling,
  };
  const ids = Object.keys(results).map(Number);
  const tests = new ChannelTests({
    channels: {
      keysOf: (id) => [entryOf({ id })],
      toTest: () => ids.map((id) => channelOf({ id })),
      disable: (id, reason) => disabled.push([id, reason]),
      ids: () => ids,
    },
    prober: {
      probe: async ({ channel }, model) => {
        asked.push([channel.id, model]);
        const result = results[channel.id];
        if (result === undefined) throw new Error("no such channel");
        if (result.timeMs === -1) throw new Error("broken");
        return { isOk: true, timeMs: 100, reason: undefined, isKeyDead: false, ...result };
      },
    },
    trialPorts: {} as TrialPorts,
    store: { saveTest: async (id) => void saved.push(id) },
    options,
    now: () => state.nowMs / 1000,
    logger: { warn: (said: unknown) => warned.push(said) },
  });
  const job = testingChannels(
    tests,
    options,
    () => state.isMine,
    () => state.nowMs,
  );
  return {
    state,
    asked,
    saved,
    disabled,
    warned,
    tests,
    run: (isStopped = () => false) => job.run(isStopped),
  };
};

describe("scheduled tests", () => {
  it("ask all channels one after another whenever the time has passed, and none where it is 0", async () => {
    const { state, asked, saved, run } = setUp();
    await run();
    expect(asked).toEqual([]);
    state.nowMs += 10 * MINUTE_MS;
    await run();
    // Each by its own test model: none is named.
    expect(asked).toEqual([
      [1, undefined],
      [2, undefined],
    ]);
    expect(saved).toEqual([1, 2]);
    state.nowMs += 9 * MINUTE_MS;
    await run();
    expect(asked).toHaveLength(2);
    state.minutes = 0;
    state.nowMs += 1000 * MINUTE_MS;
    await run();
    expect(asked).toHaveLength(2);
  });

  it("are run by one of several nodes, and at once by the next one when that is gone", async () => {
    const { state, asked, run } = setUp();
    state.isMine = false;
    state.nowMs += 11 * MINUTE_MS;
    await run();
    expect(asked).toEqual([]);
    state.isMine = true;
    await run();
    expect(asked).toHaveLength(2);
  });

  it("end where the process stops, and go on where one channel cannot be tested", async () => {
    const { state, asked, warned, run } = setUp({ 1: { timeMs: -1 }, 2: {}, 3: {} });
    state.nowMs += 10 * MINUTE_MS;
    await run(() => asked.length === 2);
    expect(asked.map(([id]) => id)).toEqual([1, 2]);
    expect(warned).toMatchObject([{ channelId: 1 }]);
  });

  it("switch off channels that are too slow or whose key is dead, where the site wants that", async () => {
    const results = { 1: { timeMs: 6000 }, 2: { isKeyDead: true, reason: "no credit" }, 3: { timeMs: 4000 } };
    const { state, disabled, run } = setUp(results);
    state.nowMs += 10 * MINUTE_MS;
    await run();
    expect(disabled).toEqual([]);
    state.isDisabling = true;
    state.nowMs += 10 * MINUTE_MS;
    await run();
    expect(disabled).toEqual([
      [1, { code: "response-too-slow", params: { time: "6.00s", limit: "5.00s" } }],
      [2, "no credit"],
    ]);
  });

  it("do not begin while a run by hand is under way", async () => {
    const { state, asked, tests, run } = setUp();
    const byHand = tests.start();
    state.nowMs += 10 * MINUTE_MS;
    await run();
    await byHand;
    expect(asked).toHaveLength(2);
    expect(tests.start()).not.toBe(false);
  });
});
