import { expect, it } from "vitest";
import { modelChanges } from "./model-changes";

it("names added models, and models that the upstream has no longer, by the upstream's names", () => {
  const mapping = { mine: "gpt-5", lost: "gpt-3" };
  const upstream = ["gpt-4o", "gpt-5", "gpt-6", "dall-e-2"];
  expect(modelChanges(["mine", "lost", "gpt-4o", "old"], mapping, upstream, ["dall-e-2"])).toEqual({
    added: ["gpt-6"],
    gone: ["lost", "old"],
  });
});

it("does not list an ignored model as removed", () => {
  expect(modelChanges(["dall-e-2"], {}, ["dall-e-2"], ["dall-e-2"])).toEqual({ added: [], gone: [] });
});

it("treats names of object properties as model names", () => {
  expect(modelChanges(["constructor"], {}, ["constructor", "__proto__"], [])).toEqual({
    added: ["__proto__"],
    gone: [],
  });
});
