import { MODALITIES } from "@tollgate/contract/values/model-abilities";
import { PRICE_SHEETS } from "@tollgate/vendors/catalogue/catalogue";
import { describe, expect, it } from "vitest";
import { knownFactsOf } from "./known-facts";

const NAMES = PRICE_SHEETS.flatMap(({ models }) => Object.keys(models));

describe("the facts about a model", () => {
  it("are none for a name that no list has, however much it looks like another", () => {
    for (const name of ["my-model", "gpt-4o-ultra", "constructor", "__proto__", ""])
      expect(knownFactsOf(name)).toEqual({ owner: undefined, traits: [], endpointTypes: [] });
  });

  it("say what it reads, writes and can do", () => {
    expect(knownFactsOf("gpt-4o").abilities).toEqual({
      inputs: ["text", "image"],
      outputs: ["text"],
      features: { tools: true, structured: true, reasoning: false, files: true, streaming: true },
    });
  });

  it("say of a chat without a known ability only that it is streamed", () => {
    expect(knownFactsOf("chatglm_turbo").abilities).toEqual({ features: { streaming: true } });
  });

  it.each([
    ["dall-e-3", { outputs: ["image"] }],
    ["tts-1", { inputs: ["text"], outputs: ["audio"] }],
    ["whisper-1", { inputs: ["audio"], outputs: ["text"] }],
    ["text-embedding-3-small", undefined],
  ])("follow from the use of %s", (name, abilities) => {
    expect(knownFactsOf(name).abilities).toEqual(abilities);
  });

  it("call a model that writes only pictures one of images, though it is charged by tokens", () => {
    expect(knownFactsOf("gpt-image-1")).toMatchObject({
      traits: ["image", "cache"],
      endpointTypes: ["image-generation"],
    });
  });

  it("name each input and output of a model once, in one order", () => {
    for (const name of NAMES) {
      const { inputs = [], outputs = [] } = knownFactsOf(name).abilities ?? {};
      for (const list of [inputs, outputs])
        expect([name, ...list]).toEqual([name, ...MODALITIES.filter((each) => list.includes(each))]);
    }
  });

  it("stay few in memory, whatever is asked for", () => {
    for (let index = 0; index < 6000; index += 1) knownFactsOf(`name-${index}`);
    expect(knownFactsOf("gpt-4o").context).toBe(128_000);
  });
});
