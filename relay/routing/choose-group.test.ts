import { expect, it } from "vitest";
import type { UpstreamTarget } from "../ports/directory";
import { chooseGroup } from "./choose-group";

const directory = {
  candidates: (group: string, model: string): readonly UpstreamTarget[] =>
    ["vip gpt-4", "svip gpt-4", "svip o3"].includes(`${group} ${model}`) ? [{} as UpstreamTarget] : [],
  isListed: (group: string, model: string) => `${group} ${model}` === "vip asleep",
};
const choose = (groups: string[], model: string) => chooseGroup(directory, groups, model);

it("T8: a request goes by the first of its user's groups that has a channel for the model", () => {
  expect(choose(["vip", "svip"], "gpt-4")).toBe("vip");
  expect(choose(["svip", "vip"], "gpt-4")).toBe("svip");
  expect(choose(["vip", "svip"], "o3")).toBe("svip");
  expect(choose(["default", "vip"], "gpt-4")).toBe("vip");
});

it("T8: goes by one that lists the model when no channel works now, and by the first when none does", () => {
  expect(choose(["default", "vip"], "asleep")).toBe("vip");
  expect(choose(["default", "vip"], "unknown")).toBe("default");
  expect(choose(["alone"], "gpt-4")).toBe("alone");
});
