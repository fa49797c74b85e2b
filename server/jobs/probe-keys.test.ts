import type { UpstreamTarget } from "@tollgate/relay/ports/directory";
import { afterEach, describe, expect, it } from "vitest";
import { KeyProbes } from "./probe-keys";

const entry = { id: "1/a" } as UpstreamTarget;
let probes: KeyProbes | undefined;
afterEach(() => probes?.stop());

const setUp = () => {
  const state = {
    isOk: false,
    timeMs: 10,
    longestMs: 5000,
    isOn: true,
    keys: [entry],
    probed: 0,
    revived: 0,
  };
  probes = new KeyProbes({
    keysOutOfUse: () => state.keys,
    async probe() {
      state.probed += 1;
      return { isOk: state.isOk, timeMs: state.timeMs, reason: "", isKeyDead: !state.isOk };
    },
    longestMs: () => state.longestMs,
    revive: () => {
      state.revived += 1;
      state.keys = [];
    },
    isOn: () => state.isOn,
    intervalMs: 1_000_000,
  });
  const run = async (rounds: number) => {
    for (let i = 0; i < rounds; i += 1) await probes?.runRound();
  };
  return { state, run };
};

describe("probing keys out of use", () => {
  it("waits twice as long after each failure", async () => {
    const { state, run } = setUp();
    const counts: number[] = [];
    for (const rounds of [1, 1, 1, 1, 1, 1, 1, 1]) {
      await run(rounds);
      counts.push(state.probed);
    }
    expect(counts).toEqual([1, 2, 2, 3, 3, 3, 3, 4]);
  });

  it("revives a key that passes, once", async () => {
    const { state, run } = setUp();
    state.isOk = true;
    await run(3);
    expect([state.probed, state.revived]).toEqual([1, 1]);
  });

  it("does not take a slow answer for a passing one", async () => {
    const { state, run } = setUp();
    state.isOk = true;
    state.timeMs = 5001;
    await run(1);
    expect(state.revived).toBe(0);
    state.longestMs = 0;
    await run(1);
    expect(state.revived).toBe(1);
  });

  it("does nothing while it is switched off", async () => {
    const { state, run } = setUp();
    state.isOn = false;
    await run(3);
    expect(state.probed).toBe(0);
  });
});
