import { readModelAliases } from "@tollgate/contract/management/model-aliases";
import { USUAL_CAUSES } from "@tollgate/contract/management/model-fallbacks";
import { parseRatioTable } from "@tollgate/metering/ratio-table";
import { OPERATIONS } from "@tollgate/protocols/openai-operations/openai-operations";
import { CLIENT_PROTOCOLS } from "@tollgate/protocols/protocols";
import { createRandom } from "@tollgate/testkit/random";
import { seeds } from "@tollgate/testkit/seeds";
import { describe, expect, it } from "vitest";
import type { ApiKey } from "../ports/directory";
import { entryOf } from "../testing/entry-of";
import { smallRelay } from "../testing/small-relay";
import { resolveModel } from "./resolve-model";

const OPENAI = CLIENT_PROTOCOLS["openai-chat"];
const ANSWER = {
  choices: [{ message: { content: "hello" } }],
  usage: { prompt_tokens: 10, completion_tokens: 5 },
};

const ratios = (entries: object) => parseRatioTable(JSON.stringify(entries)) ?? new Map();

const aliases = (entries: object) => readModelAliases(JSON.stringify(entries));

const aliasOf = (key: Partial<ApiKey>, ofUser: object = {}) => {
  const owner = { ...key, user: { aliases: aliases(ofUser) } };
  return (name: string) => resolveModel(owner, name);
};

describe("the model of a name", () => {
  it("is that of the key's alias, else of its user's, else the name itself", () => {
    const find = aliasOf({ aliases: aliases({ a: "of-key" }) }, { a: "of-user", b: "of-user" });
    expect(find("a")).toEqual({ model: "of-key", alias: "a" });
    expect(find("b")).toEqual({ model: "of-user", alias: "b" });
    expect(find("c")).toEqual({ model: "c", alias: undefined });
  });

  it("is found once, so that the lists of key and user make no circle", () => {
    const find = aliasOf({ aliases: aliases({ a: "b" }) }, { b: "a" });
    expect(find("a").model).toBe("b");
    expect(find("b").model).toBe("a");
  });
});

describe("a request by an alias", () => {
  const setUp = (key: Partial<ApiKey>, channels = [entryOf({ modelMapping: {} })]) =>
    smallRelay({
      channels: (model) => (model === "target" || model === "other" ? channels : []),
      prices: {
        modelRatios: ratios({ target: 10, other: 1, asked: 0.001 }),
        completionRatios: ratios({ target: 1, other: 1, asked: 1 }),
      },
      key,
    });

  it("is sent, charged and recorded as the model, with the client's name beside it", () => {
    const stage = setUp({ aliases: aliases({ asked: "target" }) });
    const response = stage.chat(OPENAI, { model: "asked" });
    expect(stage.sent[0]?.body().model).toBe("target");
    stage.sent[0]?.json(200, { ...ANSWER, model: "target" });
    expect(stage.charges[0]).toMatchObject({
      model: "target",
      requestedModel: "target",
      alias: "asked",
      quota: 150,
    });
    expect(stage.charges[0]?.content).toContainEqual({ code: "by-alias", name: "asked" });
    expect(response.status).toBe(200);
  });

  it("gets the client's name back where the answer is translated, as with a channel's mapping", () => {
    const stage = setUp({ aliases: aliases({ asked: "target" }) });
    const response = stage.chat(CLIENT_PROTOCOLS["anthropic-messages"], { model: "asked", max_tokens: 9 });
    stage.sent[0]?.json(200, { ...ANSWER, model: "target" });
    expect(response.text).toContain('"model":"asked"');
  });

  it("is refused with both names when the key may not use the model", () => {
    const stage = setUp({ aliases: aliases({ asked: "target" }), models: new Set(["asked", "other"]) });
    const response = stage.chat(OPENAI, { model: "asked" });
    expect(response.text).toContain("model-not-allowed");
    expect(stage.sent).toEqual([]);
  });

  it("uses the list of the model for fallbacks, and resolves the names that the client lists", () => {
    const stage = setUp({ aliases: aliases({ asked: "gone", spare: "other" }) });
    stage.chat(OPENAI, { model: "asked", models: ["asked", "spare"] });
    expect(stage.sent[0]?.body().model).toBe("other");
    stage.sent[0]?.json(200, ANSWER);
    expect(stage.charges[0]).toMatchObject({
      requestedModel: "gone",
      alias: "asked",
      model: "other",
      quota: 15,
    });
  });

  it("never passes the client's bytes of an operation, which name the alias", () => {
    const stage = setUp({ aliases: aliases({ asked: "target" }) });
    stage.operate(OPENAI, OPERATIONS.embeddings, "asked", { model: "asked", input: "text" });
    expect(stage.sent[0]?.body().model).toBe("target");
  });
});

const NAMES = ["a", "b", "c", "d", "__proto__", "claude-x"];
// By entries: an object literal would take the fifth name for its prototype.
const ONES = Object.fromEntries(NAMES.map((name) => [name, 1]));
const RATIOS = Object.fromEntries(NAMES.map((name, at) => [name, at + 1]));

describe("any aliases, permissions and requests", () => {
  it.each(seeds(300))("price, limit and route one model, which the key may use, seed %i", (seed) => {
    const random = createRandom(seed);
    const pick = <T>(from: readonly T[]): T => from[Math.floor(random() * from.length)] as T;
    const some = (): string[] => NAMES.filter(() => random() < 0.5);
    const drawn = () =>
      aliases(Object.fromEntries(some().map((name) => [random() < 0.2 ? "claude-*" : name, pick(NAMES)])));
    const offered = new Set(some());
    const models = random() < 0.6 ? new Set(some()) : undefined;
    const priced: (string | undefined)[] = [];
    const routed = new Set<string>();
    const stage = smallRelay({
      channels: (model) => {
        routed.add(model);
        return offered.has(model) ? [entryOf()] : [];
      },
      prices: { modelRatios: ratios(RATIOS), completionRatios: ratios(ONES) },
    });
    Object.assign(stage.key, { models, aliases: drawn() });
    stage.key.user.aliases = drawn();
    const asked = pick(NAMES);
    const { model } = resolveModel(stage.key, asked);
    const isOperation = random() < 0.3;
    if (isOperation) stage.operate(OPENAI, OPERATIONS.embeddings, asked, { model: asked, input: "text" });
    else stage.chat(OPENAI, { model: asked });
    const [sent] = stage.sent;
    const mayUse = models === undefined || models.has(model);
    expect(sent !== undefined).toBe(mayUse && offered.has(model));
    if (!sent) return;
    sent.json(200, isOperation ? { data: [{ embedding: [1] }], usage: { prompt_tokens: 10 } } : ANSWER);
    const [charge] = stage.charges;
    priced.push(charge?.requestedModel, charge?.model, String(sent.body().model));
    expect(new Set([...priced, ...routed])).toEqual(new Set([model]));
    expect(charge?.quota).toBe((isOperation ? 10 : 15) * (NAMES.indexOf(model) + 1));
    expect(charge?.alias).toBe(model === asked ? undefined : asked);
  });
});

describe("a chat by a name with an effort", () => {
  const PRICES = {
    modelRatios: ratios({ "gpt-5": 10, "gpt-5-low": 1, other: 3 }),
    completionRatios: ratios({ "gpt-5": 1, "gpt-5-low": 1, other: 1 }),
  };
  const setUp = ({
    offered = ["gpt-5", "other"],
    ...settings
  }: { offered?: string[] } & Partial<Parameters<typeof smallRelay>[0]>) => {
    const stage = smallRelay({
      channels: (model) => (offered.includes(model) ? [entryOf()] : []),
      prices: PRICES,
      ...settings,
    });
    stage.readsEffortNames(true);
    return stage;
  };

  it("is sent with the effort, charged as the model, and recorded with the name", () => {
    const stage = setUp({});
    stage.chat(OPENAI, { model: "gpt-5-high", reasoning_effort: "low" });
    expect(stage.sent[0]?.body()).toMatchObject({ model: "gpt-5", reasoning_effort: "high" });
    stage.sent[0]?.json(200, ANSWER);
    expect(stage.charges[0]).toMatchObject({
      ...{ model: "gpt-5", requestedModel: "gpt-5", alias: "gpt-5-high", quota: 150 },
      attempts: [{ overrides: ["effort:high"] }],
    });
  });

  it("is translated with the effort", () => {
    const stage = setUp({});
    stage.chat(CLIENT_PROTOCOLS["anthropic-messages"], { model: "gpt-5-high", max_tokens: 9 });
    expect(stage.sent[0]?.body()).toMatchObject({ model: "gpt-5", reasoning_effort: "high" });
  });

  it("is the name's own model where a channel lists it, or while the option is off", () => {
    const listed = setUp({
      offered: ["gpt-5", "gpt-5-high"],
      prices: { ...PRICES, fallbackRatio: ratios({ a: 1 }).get("a") },
    });
    listed.chat(OPENAI, { model: "gpt-5-high" });
    expect(listed.sent[0]?.body()).toEqual({
      model: "gpt-5-high",
      messages: [{ role: "user", content: "hi" }],
    });
    const off = setUp({});
    off.readsEffortNames(false);
    off.chat(OPENAI, { model: "gpt-5-high" });
    expect(off.sent).toEqual([]);
  });

  it("has the price that names it", () => {
    const stage = setUp({});
    stage.chat(OPENAI, { model: "gpt-5-low" });
    stage.sent[0]?.json(200, ANSWER);
    expect(stage.charges[0]).toMatchObject({ model: "gpt-5-low", requestedModel: "gpt-5", quota: 15 });
  });

  it("is permitted by either name, and by no other", () => {
    for (const [names, isPermitted] of [
      [["gpt-5"], true],
      [["gpt-5-high"], true],
      [["gpt-5-low"], false],
    ] as const) {
      const stage = setUp({ key: { models: new Set<string>(names) } });
      stage.chat(OPENAI, { model: "gpt-5-high" });
      expect(stage.sent.length).toBe(isPermitted ? 1 : 0);
    }
  });

  it("may be named by an alias, and asks no fallback model for the effort", () => {
    const stage = setUp({ key: { aliases: aliases({ mine: "gpt-5-high" }) } });
    stage.chat(OPENAI, { model: "mine", models: ["mine", "other"] });
    expect(stage.sent[0]?.body()).toMatchObject({ model: "gpt-5", reasoning_effort: "high" });
    stage.sent[0]?.json(500, { error: { message: "down" } });
    expect(stage.sent[1]?.body()).toEqual({
      model: "other",
      messages: [{ role: "user", content: "hi" }],
    });
    stage.sent[1]?.json(200, ANSWER);
    expect(stage.charges[0]).toMatchObject({
      model: "other",
      requestedModel: "gpt-5",
      alias: "mine",
      quota: 45,
    });
  });

  it.each([
    ["the request", { models: ["other", "gpt-5-high"] }, undefined],
    ["the site", {}, { models: ["gpt-5-high"], on: USUAL_CAUSES }],
  ])(
    "is read in the list of fallback models of %s, where the key's list permits either name",
    (_, fields, site) => {
      for (const [names, isPermitted] of [
        [undefined, true],
        [["other", "gpt-5"], true],
        [["other", "gpt-5-high"], true],
        [["other", "gpt-5-low"], false],
      ] as const) {
        const stage = setUp({
          ...(names ? { key: { models: new Set<string>(names) } } : {}),
          ...(site ? { ports: { fallbacks: { of: () => site } } } : {}),
        });
        stage.chat(OPENAI, { model: "other", ...fields });
        stage.sent[0]?.json(500, { error: { message: "down" } });
        expect(stage.sent.length).toBe(isPermitted ? 2 : 1);
        if (!isPermitted) continue;
        expect(stage.sent[1]?.body()).toMatchObject({ model: "gpt-5", reasoning_effort: "high" });
        stage.sent[1]?.json(200, ANSWER);
        expect(stage.charges[0]).toMatchObject({
          ...{ model: "gpt-5", quota: 150 },
          attempts: [{}, { fallbackModel: "gpt-5", overrides: ["effort:high"] }],
        });
      }
    },
  );

  it("falls back to no other effort of the same model, and has the price that names it as a fallback", () => {
    const stage = setUp({});
    stage.chat(OPENAI, { model: "gpt-5-high", models: ["gpt-5-low", "gpt-5"] });
    stage.sent[0]?.json(500, { error: { message: "down" } });
    expect(stage.sent).toHaveLength(1);
    const priced = setUp({});
    priced.chat(OPENAI, { model: "other", models: ["gpt-5-low"] });
    priced.sent[0]?.json(500, { error: { message: "down" } });
    priced.sent[1]?.json(200, ANSWER);
    expect(priced.charges[0]).toMatchObject({ model: "gpt-5-low", quota: 15 });
  });
});
