import type { ApiKey, UpstreamTarget } from "@tollgate/relay/ports/directory";
import { entryOf } from "@tollgate/relay/testing/entry-of";
import { describe, expect, it } from "vitest";
import { createModelViews } from "./model-views";
import { NOW_MS, sitePrices } from "./testing/site-prices";

type Offer = Readonly<Record<string, Readonly<Record<string, readonly UpstreamTarget[]>>>>;

const channel = entryOf({ id: 7 });
const MODEL_PRICE = JSON.stringify({ m: { input: 3, output: 15 }, once: { perCall: 0.04 } });

const setUp = async (offered: Offer, stored: Readonly<Record<string, string>> = {}) => {
  const { options, pricing, yieldToOthers } = await sitePrices({ ModelPrice: MODEL_PRICE, ...stored });
  let looked = 0;
  const channelListeners: ((change: { of: string }) => void)[] = [];
  const views = createModelViews({
    book: pricing.book,
    find: pricing.find,
    groupsOf: (key) => (key.group === undefined ? key.user.groups : [key.group]),
    modelsOf: (group) => Object.keys(offered[group] ?? {}),
    candidates: (group, model) => {
      looked += 1;
      return offered[group]?.[model] ?? [];
    },
    showsPrices: () => options.text("PricePage") !== "off",
    yieldToOthers,
    changing: {
      accounts: { changes: { subscribe: (listen) => channelListeners.push(listen) } },
      options,
      now: () => NOW_MS / 1000,
    },
  });
  const named = (model: string) => ({ name: model, model });
  return {
    views: {
      list: (key: ApiKey, models: readonly string[]) => views.list(key, models.map(named)),
      describe: (key: ApiKey, model: string) => views.describe(key, named(model)),
    },
    /** As a key's alias shows it. */
    describeAs: (key: ApiKey, name: string, model: string) => views.describe(key, { name, model }),
    options,
    looked: () => looked,
    changeChannel: () => {
      for (const listen of channelListeners) listen({ of: "channel" });
    },
  };
};

const keyOf = (userId: number, groups: readonly string[], group?: string): ApiKey =>
  ({ id: userId * 10, group, user: { id: userId, groups } }) as unknown as ApiKey;

const input = (model: { facts?: { price?: unknown } } | undefined): unknown =>
  (model?.facts?.price as { input?: number } | undefined)?.input;

describe("the models of a key", () => {
  const RATIOS = { GroupRatio: '{"default":1,"cheap":0.5}' };

  it("have the price of the key's own group, the same in the list and alone", async () => {
    const { views } = await setUp({ default: { m: [channel] }, cheap: { m: [channel] } }, RATIOS);
    const usual = keyOf(1, ["default"]);
    const cheap = keyOf(1, ["default"], "cheap");
    expect(input((await views.list(usual, ["m"]))[0])).toBe(3);
    const [listed] = await views.list(cheap, ["m"]);
    expect(input(listed)).toBe(1.5);
    expect(views.describe(cheap, "m")).toEqual(listed);
  });

  it("have the price of the first of the key's groups that offers them", async () => {
    const { views } = await setUp({ default: { m: [channel] }, cheap: {} }, RATIOS);
    expect(input(views.describe(keyOf(1, ["cheap", "default"]), "m"))).toBe(3);
  });

  it("have a customer's own price only for that customer", async () => {
    const rules = { PriceRules: '{"vip":{"user":2,"models":"m","factor":0.1}}' };
    const { views } = await setUp({ default: { m: [channel] } }, rules);
    expect(input((await views.list(keyOf(2, ["default"]), ["m"]))[0])).toBeCloseTo(0.3);
    expect(input((await views.list(keyOf(1, ["default"]), ["m"]))[0])).toBe(3);
  });

  it("have the limits and traits of the upstream's model, and none that are unknown", async () => {
    const mapped = entryOf({ id: 8, modelMapping: { alias: "gpt-4o" } });
    const { views } = await setUp({ default: { alias: [mapped], m: [channel] } });
    const [alias, own] = await views.list(keyOf(1, ["default"]), ["alias", "m"]);
    expect(alias?.facts).toMatchObject({ context: 128_000, outputLimit: 16_384 });
    expect(alias?.facts?.traits).toContain("chat");
    expect(alias?.facts?.endpointTypes).toContain("openai");
    expect(alias?.facts?.abilities).toMatchObject({ inputs: ["text", "image"], outputs: ["text"] });
    expect(alias?.facts).not.toHaveProperty("owner");
    expect(own?.facts).toEqual({ traits: [], endpointTypes: [], price: expect.anything() });
  });

  it("have the owner, the limits and the price of the model for which an alias stands", async () => {
    const { views, describeAs } = await setUp({ default: { "gpt-4o": [channel] } });
    const key = keyOf(1, ["default"]);
    const own = views.describe(key, "gpt-4o");
    expect(describeAs(key, "claude-sonnet-4-5", "gpt-4o")).toEqual({ ...own, id: "claude-sonnet-4-5" });
  });

  it("have no prices where the site shows its users none", async () => {
    const { views, options } = await setUp({ default: { m: [channel] } });
    const key = keyOf(1, ["default"]);
    expect(input((await views.list(key, ["m"]))[0])).toBe(3);
    await options.put("PricePage", "off");
    expect(input((await views.list(key, ["m"]))[0])).toBeUndefined();
    expect(input(views.describe(key, "m"))).toBeUndefined();
  });

  it("are described once for all keys with the same groups, until a channel changes", async () => {
    const { views, looked, changeChannel } = await setUp({ default: { m: [channel], once: [channel] } });
    await views.list(keyOf(1, ["default"]), ["m", "once"]);
    const before = looked();
    await views.list(keyOf(2, ["default"]), ["m"]);
    expect(looked()).toBe(before);
    changeChannel();
    await views.list(keyOf(2, ["default"]), ["m"]);
    expect(looked()).toBeGreaterThan(before);
  });

  it("are listed without facts where their group was not known to offer them a moment ago", async () => {
    const { views } = await setUp({ default: {} });
    expect(await views.list(keyOf(1, ["default"]), ["just-added"])).toEqual([
      { id: "just-added", owner: "custom" },
    ]);
  });
});
