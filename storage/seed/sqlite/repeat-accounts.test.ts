import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, it } from "vitest";
import { examine } from "../../doctor/examine";
import { openReader, openWriter } from "../../open-sqlite";
import { MASTER_KEY, newToken, newUser } from "../../testing/sample-records";
import { openPastUsage } from "./open-past-usage";

it("copies users with their keys and money, so that the doctor finds nothing", async () => {
  const folder = mkdtempSync(join(tmpdir(), "tollgate-copies-"));
  const path = join(folder, "tollgate.db");
  const writer = await openWriter(path, MASTER_KEY);
  const { users, tokens } = writer.repositories;
  await users.create(newUser({ username: "root", role: 100, affCode: "" }), 0, []);
  const { user } = await users.create(newUser({ username: "alice", affCode: "", quota: 1000 }), 0, []);
  await tokens.create(newToken(user.id));
  writer.close();
  const usage = await openPastUsage(path, MASTER_KEY);
  await usage.repeatAccounts({ users: 3, channels: 2, redemptions: 2, audit: 2, orders: 0 });
  await usage.finish(undefined, 1_800_000_000);

  const reader = openReader(path, MASTER_KEY);
  const queries = reader.repositories;
  const found = await queries.users.page(0, 10);
  expect(found.map(({ username, quota }) => [username, quota])).toEqual([
    ["alice-3", 1000],
    ["alice-2", 1000],
    ["alice-1", 1000],
    ["alice", 1000],
    ["root", expect.any(Number)],
  ]);
  expect(await queries.tokens.page(found[0]?.id ?? 0, 0, 10)).toMatchObject([{ remainQuota: 500 }]);
  reader.close();
  expect((await examine(path)).faults).toEqual([]);
  rmSync(folder, { recursive: true });
});
