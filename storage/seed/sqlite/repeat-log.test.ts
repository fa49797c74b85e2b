import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect, it } from "vitest";
import { openStores } from "../../testing/open-stores";
import { newCharge } from "../../testing/sample-records";
import { repeatLog } from "./repeat-log";

const DAY_SECONDS = 86_400;
const START = 1_767_225_600;

let folder: string;

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "tollgate-repeat-"));
});

afterEach(() => rmSync(folder, { recursive: true }));

it("repeats the first days of a log, lines and sums alike", async () => {
  const path = join(folder, "test.db");
  const late = START + 50 * DAY_SECONDS;
  const before = await openStores(path);
  before.commit(
    newCharge({ createdAt: START, quota: 1 }),
    newCharge({ createdAt: START + DAY_SECONDS, quota: 2 }),
    newCharge({ createdAt: late, quota: 100 }),
  );
  before.close();
  await repeatLog(path, 3, 2);
  const stores = await openStores(path);
  const { logs, usage } = stores.reader.repositories;
  expect((await logs.page({}, 0, 100)).map(({ quota }) => quota)).toEqual([100, 2, 1, 2, 1, 2, 1, 2, 1]);
  expect((await logs.page({ userId: 1 }, 7, 100)).map(({ quota }) => quota)).toEqual([2, 1]);
  expect(await usage.consumedQuota({}, late + DAY_SECONDS)).toBe(112);
  expect(await usage.consumedQuota({ username: "alice", modelName: "gpt-4" }, late + DAY_SECONDS)).toBe(112);
  stores.close();
});
