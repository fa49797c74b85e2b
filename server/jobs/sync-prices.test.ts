import type { Channel } from "@tollgate/contract/api/channels";
import { readPriceDocument } from "@tollgate/vendors/price-sources/read-price-document";
import { describe, expect, it } from "vitest";
import { Failure } from "../management-api/failure";
import { NOW_MS, sitePrices } from "../prices/testing/site-prices";
import { syncingPrices } from "./sync-prices";

const HOUR_MS = 3_600_000;

/** USD per million tokens: now, and in the list. */
const NOW = { small: 10, large: 10, locked: 10, same: 10, absurd: 10 };
const LISTED = { small: 10.4, large: 12, locked: 10.1, same: 10, absurd: 10_000, fresh: 1, elsewhere: 1 };

const priceOf = (input: number) => ({ input, output: 2 * input });
const mapped = <T>(prices: Record<string, number>, of: (input: number) => T): Record<string, T> =>
  Object.fromEntries(Object.entries(prices).map(([model, input]) => [model, of(input)]));

const setUp = async (more: Record<string, string>) => {
  const site = await sitePrices({
    ModelPrice: JSON.stringify(mapped(NOW, priceOf)),
    LockedPrices: "locked",
    PriceSyncHours: "6",
    ...more,
  });
  const state = { nowMs: NOW_MS, isMine: true, fault: undefined as Failure | undefined, listed: LISTED };
  const asked: string[] = [];
  const said: unknown[][] = [];
  const audited: unknown[] = [];
  const told: string[] = [];
  const job = syncingPrices({
    ...site,
    channels: {
      enabled: () => [
        { id: 1, name: "c", models: [...Object.keys(NOW), "fresh"], modelMapping: {} } as unknown as Channel,
      ],
    },
    audit: { add: async (line) => void audited.push(line) },
    isMine: () => state.isMine,
    logger: { info: (...line: unknown[]) => said.push(line), warn: (...line: unknown[]) => said.push(line) },
    notices: {
      raise: ({ event, subject, params }) => void told.push(`${event} ${subject} ${params.count}`),
    },
    nowMs: () => state.nowMs,
    fetch: async ({ source }) => {
      asked.push(source);
      if (state.fault) throw state.fault;
      const models = mapped(state.listed, (input) => ({ cost: priceOf(input) }));
      const document = await readPriceDocument({ openai: { models } }, async () => {});
      if (!document) throw new Error("no document");
      return document;
    },
  });
  const run = () => job.run(() => false);
  const inputs = () =>
    Object.fromEntries(
      Object.entries(JSON.parse(site.options.text("ModelPrice")) as Record<string, { input: number }>).map(
        ([model, { input }]) => [model, input],
      ),
    );
  return { site, state, asked, said, audited, told, run, inputs };
};

describe("prices that are compared every few hours", () => {
  it("are not fetched while the option is off", async () => {
    const { asked, run } = await setUp({});
    await run();
    expect(asked).toEqual([]);
  });

  it("are asked for when it is time, by one node alone", async () => {
    const { state, asked, run } = await setUp({ PriceSyncSource: "litellm" });
    state.isMine = false;
    await run();
    expect(asked).toEqual([]);
    state.isMine = true;
    await run();
    await run();
    state.nowMs += 6 * HOUR_MS - 1;
    await run();
    expect(asked).toEqual(["litellm"]);
    state.nowMs += 1;
    await run();
    expect(asked).toEqual(["litellm", "litellm"]);
  });

  it("stay as they are, and the log names those that differ", async () => {
    const { said, audited, run, inputs } = await setUp({ PriceSyncSource: "models.dev" });
    await run();
    expect(inputs()).toEqual(NOW);
    expect(audited).toEqual([]);
    const models = ["absurd", "fresh", "large", "locked", "small"];
    expect(said).toEqual([[{ source: "models.dev", count: 5, models }, expect.stringContaining("differ")]]);
  });

  it("are accepted where every part changes by less than is allowed, and never where they are new, locked or refused", async () => {
    const { site, said, audited, told, run, inputs } = await setUp({
      PriceSyncSource: "models.dev",
      PriceSyncAcceptBelow: "5",
    });
    await run();
    expect(inputs()).toEqual({ ...NOW, small: 10.4 });
    expect(site.options.priceVersion).toBe(2);
    expect(told).toEqual([
      "prices-changed 2 1",
      expect.stringMatching(/^prices-differ models\.dev [\w-]{16} 4$/),
    ]);
    expect(audited).toMatchObject([{ action: "prices.accept", target: "models.dev", userId: 0 }]);
    expect(said.map(([fields]) => fields)).toMatchObject([
      { models: ["small"] },
      { models: ["absurd", "fresh", "large", "locked"] },
    ]);
  });

  it("are left alone where the list cannot be had, which the log says", async () => {
    const { state, said, run, inputs } = await setUp({
      PriceSyncSource: "models.dev",
      PriceSyncAcceptBelow: "50",
    });
    state.fault = new Failure("prices-unreachable");
    await run();
    expect(inputs()).toEqual(NOW);
    expect(said).toMatchObject([[{ reason: "prices-unreachable" }, expect.any(String)]]);
  });

  it.each([0.96, 1.04])(
    "do not follow a list that goes on and on in small steps, each %d times the last, further than one step may lead",
    async (times) => {
      const { site, state, said, run, inputs } = await setUp({
        PriceSyncSource: "models.dev",
        PriceSyncAcceptBelow: "5",
      });
      for (let step = 1; step <= 6; step += 1) {
        state.listed = { ...LISTED, small: Number((10 * times ** step).toFixed(6)) };
        await run();
        state.nowMs += 6 * HOUR_MS;
      }
      expect(Math.abs((inputs().small ?? 0) - 10)).toBeLessThan(0.5);
      expect(said.at(-1)).toMatchObject([{ models: expect.arrayContaining(["small"]) }, expect.any(String)]);
      expect(JSON.stringify(site.options.list())).not.toContain("TakenPrices");
      await expect(site.options.put("TakenPrices", "[]")).rejects.toThrow(Failure);
    },
  );

  it("are followed from where a person has set them, also after small steps", async () => {
    const { site, state, run, inputs } = await setUp({
      PriceSyncSource: "models.dev",
      PriceSyncAcceptBelow: "5",
    });
    await run();
    expect(inputs().small).toBe(10.4);
    await site.options.put("ModelPrice", JSON.stringify({ small: priceOf(10.7) }));
    state.listed = { ...LISTED, small: 11 };
    state.nowMs += 6 * HOUR_MS;
    await run();
    expect(inputs().small).toBe(11);
  });

  it("are reported again when the difference changes, even if the first report was not read", async () => {
    const { state, told, run } = await setUp({ PriceSyncSource: "models.dev" });
    for (const large of [12, 12, 13]) {
      state.listed = { ...LISTED, large };
      await run();
      state.nowMs += 6 * HOUR_MS;
    }
    expect(told).toHaveLength(3);
    expect(new Set(told).size).toBe(2);
  });
});
