import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, it } from "vitest";
import { openConnection } from "./connection";

it("the reader cannot write", () => {
  const folder = mkdtempSync(join(tmpdir(), "tollgate-reader-"));
  const writer = openConnection(join(folder, "test.db"), false);
  writer.exec("CREATE TABLE things (name TEXT)");
  const reader = openConnection(join(folder, "test.db"), true);
  expect(() => reader.exec("DELETE FROM things")).toThrow();
  reader.close();
  writer.close();
  rmSync(folder, { recursive: true });
});
