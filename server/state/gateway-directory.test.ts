import { readModelAliases } from "@tollgate/contract/management/model-aliases";
import { resolveChat } from "@tollgate/relay/admission/resolve-model";
import type { ApiKey } from "@tollgate/relay/ports/directory";
import { describe, expect, it } from "vitest";
import { namedModels } from "./gateway-directory";

const OFFERED = ["gpt-5", "other"];
const directory = {
  readsEffortNames: () => true,
  groupsOf: () => ["default"],
  isListed: (_group: string, model: string) => OFFERED.includes(model),
};

const namesOf = ({ models, aliases }: { models?: string[]; aliases?: object }) => {
  const key = {
    models: models && new Set(models),
    aliases: aliases && readModelAliases(JSON.stringify(aliases)),
    user: { groups: ["default"] },
  } as unknown as ApiKey;
  const usable = OFFERED.filter((model) => !models || models.includes(model));
  return namedModels(key, usable, (name) => resolveChat(directory, key, name)).map(
    ({ name, model }) => `${name}: ${model}`,
  );
};

describe("the names of a key's models", () => {
  it("are those that its channels offer", () => {
    expect(namesOf({})).toEqual(["gpt-5: gpt-5", "other: other"]);
  });

  it("are also those with an effort in the key's list, without the model's own name, and none of models that are not offered", () => {
    expect(namesOf({ models: ["gpt-5-high", "other", "o3-high"] })).toEqual([
      "gpt-5-high: gpt-5",
      "other: other",
    ]);
  });

  it("are also aliases of a name with an effort that the key's list permits", () => {
    const aliases = { fast: "gpt-5-low", deep: "gpt-5-high" };
    expect(namesOf({ models: ["gpt-5-low"], aliases })).toEqual(["fast: gpt-5", "gpt-5-low: gpt-5"]);
    expect(namesOf({ models: ["gpt-5"], aliases })).toEqual(["deep: gpt-5", "fast: gpt-5", "gpt-5: gpt-5"]);
  });
});
