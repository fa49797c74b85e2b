import { readModelAliases } from "@tollgate/contract/management/model-aliases";
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
