import type { Channel } from "@tollgate/contract/api/channels";
import type { UpstreamTarget } from "@tollgate/relay/ports/directory";
import type { ModelList } from "@tollgate/relay/upstream-models";
import { describe, expect, it } from "vitest";
import { NOW_MS, sitePrices } from "../prices/testing/site-prices";
import { watchingModels } from "./watch-models";

const HOUR_MS = 3_600_000;

const setUp = async (stored: Record<string, string>) => {
  const { options } = await sitePrices(stored);
  const state = {
    nowMs: NOW_MS,
    isMine: true,
    list: { kind: "models", models: ["a", "b-preview", "c"] } as ModelList,
  };
  const said: unknown[] = [];
  const told: [subject: string, params: unknown][] = [];
  let asked = 0;
  const channel = { id: 7, models: ["mine", "old"], modelMapping: { mine: "a" } } as unknown as Channel;
  const job = watchingModels({
    options,
    channels: { enabled: () => [channel], keysOf: () => [{} as UpstreamTarget] },
    upstreamModels: {
      list: async () => {
        asked += 1;
        return state.list;
      },
    },
    isMine: () => state.isMine,
    logger: { warn: (fields: unknown) => void said.push(fields) },
    notices: { raise: ({ subject, params }) => void told.push([String(subject), params]) },
    nowMs: () => state.nowMs,
  });
  const runLater = async (): Promise<void> => {
    state.nowMs += HOUR_MS;
    await job.run(() => false);
  };
  return { state, said, told, asked: () => asked, run: () => job.run(() => false), runLater };
};

describe("the models of upstreams", () => {
  it("are not listed while the option is off, nor by a node without the job", async () => {
    const off = await setUp({});
    await off.run();
    const other = await setUp({ ModelWatchHours: "1" });
    other.state.isMine = false;
    await other.run();
    expect([off.asked(), other.asked()]).toEqual([0, 0]);
  });

  it("are said where they are new or gone, but for ignored ones, and once for each change", async () => {
    const { state, said, told, asked, run, runLater } = await setUp({
      ModelWatchHours: "1",
      IgnoredModels: "*-preview",
    });
    await run();
    await run();
    await runLater();
    expect(asked()).toBe(2);
    const first = { channelId: 7, new: 1, gone: 1, newModels: ["c"], goneModels: ["old"] };
    expect(said).toEqual([first]);
    // An upstream that cannot be queried now is no change, nor is the answer after it.
    state.list = { kind: "unreachable" };
    await runLater();
    state.list = { kind: "models", models: ["a", "c"] };
    await runLater();
    expect(said).toEqual([first]);
    state.list = { kind: "models", models: ["a", "c", "d"] };
    await runLater();
    expect(said).toEqual([first, { ...first, new: 2, newModels: ["c", "d"] }]);
    expect(told.map(([, params]) => params)).toMatchObject([
      { id: 7, added: ["c"], removed: ["old"] },
      { id: 7, added: ["c", "d"], removed: ["old"] },
    ]);
    expect(new Set(told.map(([subject]) => subject)).size).toBe(2);
  });
});
