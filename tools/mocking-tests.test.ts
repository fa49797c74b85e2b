import { readdirSync, readFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { expect, it } from "vitest";
import { MOCKING, ROOMS } from "../vitest.config";

const ROOT = dirname(dirname(fileURLToPath(import.meta.url)));
const REPLACES = ["vi", "mock("].join(".");

it("tests that replace a module run alone, whatever ran before them", () => {
  const found = [...ROOMS, "console"].flatMap((room) =>
    readdirSync(join(ROOT, room), { recursive: true, encoding: "utf8" })
      .filter((path) => /[.]test[.]tsx?$/.test(path) && !path.includes("node_modules"))
      .map((path) => join(room, path))
      .filter((path) => readFileSync(join(ROOT, path), "utf8").includes(REPLACES)),
  );
  expect(found.sort()).toEqual([...MOCKING].sort());
});
