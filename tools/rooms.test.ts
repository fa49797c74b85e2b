import { readFileSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { ROOMS, seenBy } from "./lib/rooms.mjs";

const read = (path: string): unknown => JSON.parse(readFileSync(path, "utf8"));

describe("the rooms", () => {
  it("are the packages that npm installs", () => {
    expect((read("package.json") as { workspaces: string[] }).workspaces).toEqual(ROOMS);
  });

  it.each(ROOMS)("%s depends on no room that it may not see", (room) => {
    const { dependencies = {} } = read(`${room}/package.json`) as { dependencies?: Record<string, string> };
    const rooms = Object.keys(dependencies).flatMap((name) => name.match(/^@tollgate\/(.+)$/)?.[1] ?? []);
    expect(rooms.filter((each) => !seenBy(room).includes(each))).toEqual([]);
  });
});
