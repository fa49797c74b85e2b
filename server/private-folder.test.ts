import { chmodSync, mkdirSync, mkdtempSync, rmSync, statSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { makeFolderPrivate } from "./private-folder";

let parent: string;
let before: number;

beforeEach(() => {
  parent = mkdtempSync(join(tmpdir(), "tollgate-private-"));
  before = process.umask(0);
});
afterEach(() => {
  process.umask(before);
  rmSync(parent, { recursive: true });
});

const modeOf = (path: string): string => (statSync(path).mode & 0o777).toString(8);

describe("the data folder (S17)", () => {
  it("is made for its owner alone, with all that is created in it, whatever the umask is", () => {
    const folder = join(parent, "deep", "data");
    expect(makeFolderPrivate(folder)).toEqual([]);
    writeFileSync(join(folder, "tollgate.db"), "");
    expect([modeOf(folder), modeOf(join(folder, "tollgate.db"))]).toEqual(["700", "600"]);
  });

  it("loses others' access to its present files", () => {
    const folder = join(parent, "old");
    mkdirSync(folder);
    chmodSync(folder, 0o755);
    for (const name of ["tollgate.db", "logs.sqlite", "charges-a.journal"])
      writeFileSync(join(folder, name), "");
    chmodSync(join(folder, "logs.sqlite"), 0o666);
    expect(makeFolderPrivate(folder)).toEqual([]);
    expect(modeOf(folder)).toBe("700");
    for (const name of ["tollgate.db", "logs.sqlite", "charges-a.journal"])
      expect(modeOf(join(folder, name)), name).toBe("600");
  });
});
