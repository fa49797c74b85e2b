import type { Channel } from "@tollgate/contract/api/channels";
import { describe, expect, it } from "vitest";
import { firstMissing, missingPrices } from "./missing-prices";
import { offeredModels } from "./offered-models";
import { NOW_MS, sitePrices } from "./testing/site-prices";

const channel = (id: number, models: string[], modelMapping: Record<string, string> = {}): Channel =>
  ({ id, name: `channel ${id}`, models, modelMapping }) as Channel;

const missing = async (channels: Channel[], options: Record<string, string> = {}) => {
  const { pricing } = await sitePrices(options);
  return missingPrices(pricing.book(), offeredModels(channels), NOW_MS);
};

describe("offered models without a price", () => {
  it("are told with who offers them, under the name that the upstream is asked for", async () => {
    const channels = [
      channel(1, ["mine", "gpt-4o"]),
      channel(2, ["yours", "theirs"], { yours: "mine", theirs: "mine", unused: "other" }),
    ];
    expect(await missing(channels)).toEqual([
      {
        model: "mine",
        reason: "unknown",
        channels: [
          { id: 1, name: "channel 1", models: ["mine"] },
          { id: 2, name: "channel 2", models: ["yours", "theirs"] },
        ],
      },
    ]);
  });

  it("name the first ten of ten thousand channels, and say how many more there are", async () => {
    const channels = Array.from({ length: 10_000 }, (_, index) => channel(index + 1, ["mine"]));
    const [model] = await missing(channels);
    expect(model?.channels.map(({ id }) => id)).toEqual([1, 2, 3, 4, 5, 6, 7, 8, 9, 10]);
    expect(model?.more_channels).toBe(9990);
  });

  it("name the first ten of a channel's names for one model", async () => {
    const names = Array.from({ length: 2000 }, (_, index) => `name-${index}`);
    const mapping = Object.fromEntries(names.map((name) => [name, "mine"]));
    const [model] = await missing([channel(1, names, mapping), channel(2, ["mine"])]);
    expect(model?.channels.map(({ id, models }) => [id, models.length])).toEqual([
      [1, 10],
      [2, 1],
    ]);
    expect(model?.more_channels).toBeUndefined();
  });

  it("are listed up to a thousand, with the number of the others", async () => {
    const named = (count: number) => Array.from({ length: count }, (_, index) => `mine-${index}`);
    const short = firstMissing(await missing([channel(1, named(1000))]));
    expect([short.models.length, short.more_models]).toEqual([1000, undefined]);
    const long = firstMissing(await missing([channel(1, named(1003))]));
    expect([long.models.length, long.more_models]).toEqual([1000, 3]);
  });

  it("keep their names, also when every object has a property of that name", async () => {
    expect((await missing([channel(1, ["constructor"])])).map(({ model }) => model)).toEqual(["constructor"]);
  });

  it("that a saved table of ratios leaves out come with the catalogue's price", async () => {
    const found = await missing([channel(1, ["gpt-4o"])], { ModelRatio: '{"other":1}' });
    expect(found).toMatchObject([{ model: "gpt-4o", reason: "left-out", price: { input: 2.5, output: 10 } }]);
  });

  it("include those of unknown output price", async () => {
    const options = { ModelRatio: '{"mine":1,"my-embedding":1}' };
    const found = await missing([channel(1, ["mine", "my-embedding"])], options);
    expect(found.map(({ model, reason }) => [model, reason])).toEqual([["mine", "output-unknown"]]);
  });

  it("are none where a fallback prices everything, nor are models that write nothing", async () => {
    expect(await missing([channel(1, ["mine"])], { FallbackModelRatio: "30" })).toEqual([]);
    expect(await missing([channel(1, ["text-embedding-3-small", "dall-e-3", "whisper-1", "tts-1"])])).toEqual(
      [],
    );
  });
});
