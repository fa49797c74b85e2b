import { expect, it } from "vitest";
import { modelChanges } from "./model-changes";

it("names what the upstream has besides, and what it has no longer, by the names that it is asked for", () => {
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

it("takes names for what they are", () => {
  expect(modelChanges(["constructor"], {}, ["constructor", "__proto__"], [])).toEqual({
    added: ["__proto__"],
    gone: [],
  });
});
