import { readFileSync } from "node:fs";
import { expect, it } from "vitest";
import { SHIPPED } from "./lib/rooms.mjs";

it("the product's dependencies are all explained, and no others", () => {
  const explained = readFileSync("docs/dependencies.md", "utf8")
    .split("\n## What we write ourselves")[0]
    ?.split("\n")
    .filter((line) => line.startsWith("| `"))
    .flatMap((line) => [...(line.split("|")[1] ?? "").matchAll(/`([^`]+)`/g)].map(([, name]) => name));
  const used = SHIPPED.flatMap((room) => {
    const { dependencies = {} } = JSON.parse(readFileSync(`${room}/package.json`, "utf8")) as {
      dependencies?: Record<string, string>;
    };
    return Object.keys(dependencies).filter((name) => !name.startsWith("@tollgate/"));
  });
  expect(explained?.sort()).toEqual([...new Set(used)].sort());
});
