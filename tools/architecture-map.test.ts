import { readdirSync, readFileSync } from "node:fs";
import { describe, expect, it } from "vitest";

/** Folders that need no word on the map: equipment of tests, data, and what is built or installed. */
const UNNAMED = new Set([
  "data",
  "testing",
  "fixtures",
  "mutants",
  "lib",
  "dist",
  "node_modules",
  "coverage",
]);

const LINES =
  /```\n(contract\/.*?)```/s.exec(readFileSync("docs/architecture.md", "utf8"))?.[1]?.split("\n") ?? [];

const foldersOf = (path: string): string[] =>
  readdirSync(path, { withFileTypes: true })
    .filter((entry) => entry.isDirectory() && !entry.name.startsWith("."))
    .map(({ name }) => name);

/** The map's rooms, with everything that is said of each. */
const ROOMS = new Map<string, string>();
let room = "";
for (const line of LINES) {
  room = /^([a-z0-9]+)\/ /.exec(line)?.[1] ?? room;
  ROOMS.set(room, `${ROOMS.get(room) ?? ""}${line}\n`);
}
ROOMS.delete("");

describe("the map of the architecture", () => {
  it("fits one screen", () => {
    expect(LINES.length).toBeLessThan(50);
    expect(LINES.filter((line) => line.length > 120)).toEqual([]);
  });

  it("names every room, and no other", () => {
    const rooms = foldersOf(".").filter((name) => !UNNAMED.has(name));
    expect([...ROOMS.keys()].sort()).toEqual(rooms.sort());
  });

  // Folders of these rooms are named after API shapes, which are data of the product rather than its structure.
  it.each([...ROOMS.keys()].filter((name) => name !== "protocols"))(
    "names every folder of %s, and no other",
    (name) => {
      const said = ROOMS.get(name)?.slice(name.length + 1) ?? "";
      const named = [...said.matchAll(/(?<![\w/-])([a-z0-9-]+)\/(?![a-z0-9])/g)].map(([, folder]) => folder);
      const there = foldersOf(name).filter((folder) => !UNNAMED.has(folder));
      const missing = there.filter((folder) => !named.includes(folder));
      const gone = named.filter(
        (folder) => folder !== undefined && folder !== name && !foldersOf(name).includes(folder),
      );
      expect({ missing, gone }).toEqual({ missing: [], gone: [] });
    },
  );
});
