import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { loadMasterKey } from "./master-key";

let folder: string;
let file: string;

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "tollgate-key-"));
  file = join(folder, "master.key");
});
afterEach(() => rmSync(folder, { recursive: true }));

describe("the master key", () => {
  it("is made for a new folder, and stays", () => {
    const key = loadMasterKey(folder, undefined);
    expect(key).toHaveLength(32);
    expect(statSync(file).mode & 0o777).toBe(0o600);
    expect(loadMasterKey(folder, undefined)).toEqual(key);
  });

  it("is not created for a folder that has data: a new key could not read it", () => {
    writeFileSync(join(folder, "tollgate.db"), "data");
    expect(() => loadMasterKey(folder, undefined)).toThrow(/^There is no master key for .*: set MASTER_KEY/);
    expect(existsSync(file)).toBe(false);
    const configured = Buffer.alloc(32, 7).toString("base64");
    expect(Buffer.from(loadMasterKey(folder, configured)).toString("base64")).toBe(configured);
    expect(existsSync(file)).toBe(false);
  });

  it("is refused in words when it is too short, or no file", () => {
    writeFileSync(file, "c2hvcnQ=\n");
    expect(() => loadMasterKey(folder, undefined)).toThrow("does not hold a master key");
    expect(() => loadMasterKey(folder, "c2hvcnQ=")).toThrow("MASTER_KEY must be base64");
    expect(readFileSync(file, "utf8")).toBe("c2hvcnQ=\n");
    rmSync(file);
    mkdirSync(file);
    expect(() => loadMasterKey(folder, undefined)).toThrow(`${file} cannot be read: `);
  });
});
