import { type BuyingPrices, parseBuyingRules } from "@tollgate/contract/management/buying-price";
import { channelOf } from "@tollgate/testkit/channel-of";
import { describe, expect, it } from "vitest";
import { buyingTable, findLosses, type SellingChannel } from "./buying-table";
import { NOW_MS, sitePrices } from "./testing/site-prices";

const buyingAt = (input: number, output: number): BuyingPrices => {
  const rules = parseBuyingRules(JSON.stringify({ rules: [{ model: "*", prices: [{ input, output }] }] }));
  if ("fault" in rules) throw new Error(rules.fault);
  return rules;
};

const setUp = async (stored: Readonly<Record<string, string>>) => {
  const { pricing } = await sitePrices(stored);
  let turns = 0;
  const yieldToOthers = async (): Promise<void> => {
    turns += 1;
  };
  return { tools: { book: pricing.book(), nowMs: NOW_MS, yieldToOthers }, turns: () => turns };
};

const SELLING = {
  ModelPrice: '{"dear":{"input":3,"output":15},"cheap":{"input":1,"output":2}}',
  GroupRatio: '{"default":1,"half":0.5,"free":0}',
};

const lossesOf = async (
  channels: readonly SellingChannel[],
  stored: Readonly<Record<string, string>> = SELLING,
) => {
  const { tools } = await setUp(stored);
  const found = await findLosses(tools, channels, () => buyingAt(2, 2));
  return found.map(({ channel, model, group, margin }) => [channel, model, group, margin]);
};

describe("the list of sales below the buying price", () => {
  it("is told by channel, model and group, the largest loss first, without free groups", async () => {
    const one = channelOf({ id: 1, models: ["dear", "cheap"], groups: ["default", "half", "free"] });
    expect(await lossesOf([one])).toEqual([
      [1, "cheap", "half", -3],
      [1, "cheap", "default", -1],
      [1, "dear", "half", (1.5 - 2) / 1.5],
    ]);
  });

  it("is nothing where no price is known of one side", async () => {
    const { tools } = await setUp(SELLING);
    const one = channelOf({ models: ["cheap", "unpriced"] });
    expect(await findLosses(tools, [one], () => undefined)).toEqual([]);
    expect(await lossesOf([channelOf({ models: ["unpriced"] })])).toEqual([]);
  });

  it("gives way to others while it looks, and tells no more than can be read", async () => {
    const models = Array.from({ length: 30 }, (_, at) => `m${at}`);
    const { tools, turns } = await setUp({
      ModelPrice: JSON.stringify(Object.fromEntries(models.map((model) => [model, { input: 1, output: 1 }]))),
    });
    const channels = Array.from({ length: 50 }, (_, at) => channelOf({ id: at + 1, models }));
    expect(await findLosses(tools, channels, () => buyingAt(2, 2))).toHaveLength(1000);
    expect(turns()).toBe((30 * 50) / 20);
  });
});

it("looks up a form's models for its groups, and gives way to others meanwhile", async () => {
  const { tools, turns } = await setUp(SELLING);
  const groups = ["default", "half", ...Array.from({ length: 58 }, (_, at) => `g${at}`)];
  const rows = await buyingTable(tools, channelOf({ models: ["dear"], groups }), buyingAt(2, 2));
  expect(rows).toHaveLength(1);
  expect(rows[0]).toMatchObject({ model: "dear", rule: "*", buys: { input: 2, output: 2 } });
  expect(rows[0]?.sells.slice(0, 2).map(({ group, margin }) => [group, margin])).toEqual([
    ["default", (3 - 2) / 3],
    ["half", (1.5 - 2) / 1.5],
  ]);
  expect(turns()).toBe(3);
});
