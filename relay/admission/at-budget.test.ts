import type { FallbackList } from "@tollgate/contract/management/model-fallbacks";
import { parseRatioTable } from "@tollgate/metering/ratio-table";
import { OPERATIONS } from "@tollgate/protocols/openai-operations/openai-operations";
import { CLIENT_PROTOCOLS } from "@tollgate/protocols/protocols";
import { describe, expect, it } from "vitest";
import { Limiter } from "../limits/limiter";
import type { ApiKey } from "../ports/directory";
import { entryOf } from "../testing/entry-of";
import { smallRelay } from "../testing/small-relay";

const NOW = 1_700_000_000_000;
const CHAT = CLIENT_PROTOCOLS["openai-chat"];

const ANSWER = {
  id: "c",
  choices: [{ index: 0, message: { role: "assistant", content: "Hello!" }, finish_reason: "stop" }],
  usage: { prompt_tokens: 5, completion_tokens: 5, total_tokens: 10 },
};

const MODELS = ["dear", "cheap", "other"];

/** A key with a budget of 100, of which "dear" takes 100 at once, and "cheap" 10. */
const setUp = (
  key: Partial<ApiKey>,
  lists: Readonly<Record<string, FallbackList>> = {},
  groups: Readonly<Record<string, readonly string[]>> = { default: MODELS },
) => {
  const ratios = parseRatioTable('{"dear":10,"cheap":1,"other":5,"o3-mini":1}')!;
  const limiter = new Limiter(() => NOW, { hasKey: () => true, hasUser: () => true });
  const channelsOf = (group: string, model: string) =>
    groups[group]?.includes(model) ? [entryOf({ id: group === "default" ? 1 : 2, models: [model] })] : [];
  const world = smallRelay({
    channels: [],
    prices: {
      modelRatios: ratios,
      completionRatios: parseRatioTable('{"dear":1,"cheap":1,"other":1,"o3-mini":1}')!,
      groupRatios: parseRatioTable('{"default":1,"low":0.5}')!,
    },
    key: { limits: { dailyQuota: 100, extraQuota: 20 }, ...key },
    ports: {
      limiter,
      fallbacks: { of: (model) => lists[model] },
      directory: {
        findKey: () => undefined,
        keysOfChannel: () => [],
        candidates: channelsOf,
        isListed: (group, model) => channelsOf(group, model).length > 0,
        readsEffortNames: () => true,
        groupsOf: ({ group, user }) => (group === undefined ? user.groups : group === "gone" ? [] : [group]),
        markKey: () => {},
        reportDeadKey: () => {},
      },
    },
  });
  /** Asks for a model, and answers. @returns the client's answer. */
  const ask = (model = "dear") => {
    const before = world.sent.length;
    const response = world.chat(CHAT, { model });
    world.sent[before]?.json(200, ANSWER);
    // What the engine of charges does.
    const charge = world.charges.at(-1);
    if (world.sent.length > before && charge) limiter.charge(world.key, 10, charge.quota, charge.group);
    return response;
  };
  const expectNothingHeld = () => expect([world.user.held, world.key.account.held]).toEqual([0, 0]);
  return { ...world, ask, limiter, expectNothingHeld };
};

describe("a key that chose a model for a used up budget", () => {
  it("gets its answers, at its price, until the extra quota is used up too", () => {
    const { ask, charges, failures, user, expectNothingHeld } = setUp({ budgetModel: "cheap" });
    expect(ask().status).toBe(200);
    for (const _ of [1, 2]) {
      const response = ask();
      expect(response.status).toBe(200);
      expect(response.headers).toMatchObject({
        "x-tollgate-fallback-model": "cheap",
        "x-tollgate-at-budget": "daily_quota",
      });
    }
    expect(charges.map(({ model, quota }) => [model, quota])).toEqual([
      ["dear", 100],
      ["cheap", 10],
      ["cheap", 10],
    ]);
    expect(charges[1]).toMatchObject({
      requestedModel: "dear",
      atBudget: "daily_quota",
      attempts: [{ fallbackModel: "cheap" }],
    });
    expect(charges[1]?.content).toContainEqual({ code: "at-budget", model: "cheap" });
    expect(charges[0]?.atBudget).toBeUndefined();
    ask();
    expect(charges).toHaveLength(3);
    expect(failures).toEqual([]);
    expect(user.quota).toBe(1_000_000 - 120);
    expectNothingHeld();
  });

  it("is answered by that model directly when it names it", () => {
    const { ask, charges } = setUp({ budgetModel: "cheap" });
    ask();
    const response = ask("cheap");
    expect(response.headers).not.toHaveProperty("x-tollgate-fallback-model");
    expect(response.headers).toMatchObject({ "x-tollgate-at-budget": "daily_quota" });
    expect(charges.at(-1)).toMatchObject({ model: "cheap", atBudget: "daily_quota", replaced: undefined });
  });

  it("is led nowhere else by the client's or the site's list", () => {
    const list: FallbackList = { models: ["other"], on: ["failed", "rate-limited"] };
    const { ask, chat, sent, failures, expectNothingHeld } = setUp(
      { budgetModel: "cheap" },
      { dear: list, cheap: list },
    );
    ask();
    chat(CHAT, { model: "dear", models: ["other"] });
    sent.at(-1)?.json(500, { error: { message: "down" } });
    expect(sent).toHaveLength(2);
    expect(failures[0]).toMatchObject({ refusal: "upstream-failed", atBudget: "daily_quota" });
    expectNothingHeld();
  });

  it.each<[string, Partial<ApiKey>]>([
    ["may not use it any more", { budgetModel: "cheap", models: new Set(["dear"]) }],
    ["is offered it by no channel", { budgetModel: "gone" }],
    ["has lost the group", { budgetModel: "cheap", budgetGroup: "gone" }],
    ["has no extra quota", { budgetModel: "cheap", limits: { dailyQuota: 100 } }],
  ])("is refused as without a choice when it %s", (_, key) => {
    const { ask, sent } = setUp(key);
    ask();
    const response = ask();
    expect(sent).toHaveLength(1);
    expect(response.text).toContain("daily-budget-exhausted");
  });

  it("switches without extra quota where budgets only notify", () => {
    const { ask, charges } = setUp({
      budgetModel: "cheap",
      limits: { dailyQuota: 100, softBudgets: 1 },
    });
    for (const _ of [1, 2, 3, 4, 5]) ask();
    expect(charges.map(({ model }) => model)).toEqual(["dear", "cheap", "cheap", "cheap", "cheap"]);
  });
});

describe("a key that chose a group for a used up budget", () => {
  it("is answered by the same model in that group, at its price", () => {
    const groups = { default: MODELS, low: ["dear"] };
    const { ask, charges } = setUp({ budgetGroup: "low" }, {}, groups);
    ask();
    const response = ask();
    expect(response.headers).toMatchObject({ "x-tollgate-at-budget": "daily_quota" });
    expect(response.headers).not.toHaveProperty("x-tollgate-fallback-model");
    expect(charges[1]).toMatchObject({ model: "dear", group: "low", quota: 50, channelId: 2 });
    expect(charges[1]?.content).toContainEqual({ code: "by-group", group: "low" });
  });
});

describe("an operation, which no other model can answer", () => {
  it.each<[string, Partial<ApiKey>, number]>([
    ["goes by the chosen group", { budgetGroup: "low" }, 2],
    [
      "goes by it with its own model where a model is chosen as well",
      { budgetGroup: "low", budgetModel: "cheap" },
      2,
    ],
    ["is refused where only a model is chosen", { budgetModel: "cheap" }, 1],
  ])("%s", (_, key, sent) => {
    const world = setUp(key, {}, { default: MODELS, low: ["dear"] });
    world.ask();
    world.operate(CHAT, OPERATIONS.embeddings, "dear", { model: "dear", input: "x" });
    expect(world.sent).toHaveLength(sent);
    if (sent === 2) expect(world.sent[1]?.body()).toMatchObject({ model: "dear" });
  });
});

describe("the site's list with the cause budget", () => {
  const list: FallbackList = { models: ["gone", "cheap"], on: ["budget"] };

  it("answers for keys with extra quota that chose nothing", () => {
    const { ask, charges } = setUp({}, { dear: list });
    ask();
    ask();
    expect(charges[1]?.model).toBe("cheap");
  });

  it.each<[string, Partial<ApiKey>]>([
    ["a key's list of models allows by the whole name", { models: new Set(["dear", "o3-mini-low"]) }],
    ["the key itself chose", { budgetModel: "o3-mini-low" }],
  ])("answers with the effort of a name that %s", (_, key) => {
    const models = ["o3-mini-low"];
    const { ask, charges, sent } = setUp(
      key,
      { dear: { models, on: ["budget"] } },
      { default: [...MODELS, "o3-mini"] },
    );
    ask();
    ask();
    expect(sent[1]?.body()).toMatchObject({ model: "o3-mini", reasoning_effort: "low" });
    expect(charges[1]).toMatchObject({ model: "o3-mini", quota: 10 });
  });

  it.each<[string, Partial<ApiKey>, FallbackList]>([
    ["without extra quota", { limits: { dailyQuota: 100 } }, list],
    ["with No fallback models", { hasNoFallbacks: true }, list],
    ["of a list without this cause", {}, { models: ["cheap"], on: ["failed"] }],
  ])("leaves a key %s to its limits", (_, key, site) => {
    const { ask, sent } = setUp(key, { dear: site });
    ask();
    ask();
    expect(sent).toHaveLength(1);
  });

  it("changes nothing of a budget that only notifies", () => {
    const { ask, charges } = setUp({ limits: { dailyQuota: 100, softBudgets: 1 } }, { dear: list });
    ask();
    ask();
    expect(charges.map(({ model }) => model)).toEqual(["dear", "dear"]);
  });
});

it("exceeds the bound by requests that run when it is reached alone, each charged for its own model", () => {
  const { chat, sent, charges, limiter, key, ask, expectNothingHeld } = setUp({ budgetModel: "cheap" });
  ask();
  // Thirty at once: all are let in, because none is charged yet.
  for (let count = 0; count < 30; count += 1) chat(CHAT, { model: "dear" });
  expect(sent).toHaveLength(31);
  for (const one of sent.slice(1)) one.json(200, ANSWER);
  for (const { quota, group } of charges.slice(1)) limiter.charge(key, 10, quota, group);
  expect(new Set(charges.slice(1).map(({ model }) => model))).toEqual(new Set(["cheap"]));
  ask();
  expect(sent).toHaveLength(31);
  expectNothingHeld();
});
