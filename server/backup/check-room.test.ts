import { mkdtempSync, readdirSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { checkRoom } from "./check-room";

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "tollgate-room-"));
});
afterEach(() => rmSync(folder, { recursive: true }));

describe("the room for a backup", () => {
  it("is twice the copied size, plus a reserve on the gateway's own disk", () => {
    for (const name of ["tollgate.db", "tollgate.db-wal", "logs.sqlite", "bodies.sqlite"])
      writeFileSync(join(folder, name), Buffer.alloc(1_000_000));
    writeFileSync(join(folder, "other.tar"), Buffer.alloc(3_000_000));
    const file = join(folder, "backup.tar");
    expect(() => checkRoom(folder, file, () => 208_000_000)).not.toThrow();
    expect(() => checkRoom(folder, file, () => 207_999_999)).toThrow(
      `${folder} has too little room: 207 MB are free, and 208 MB are needed while a backup is written.`,
    );
    expect(readdirSync(folder)).not.toContain("backup.tar");
  });

  it("is measured when the caller passes no size", () => {
    expect(() => checkRoom(folder, join(folder, "backup.tar"))).not.toThrow();
  });
});
