import { afterEach, beforeEach, expect, it } from "vitest";
import { encodeCharges } from "../../accounts/charges";
import { openPool } from "../../postgres/connection-pool";
import { postgresSnapshots } from "../../postgres/postgres-runner";
import { queryBuilder } from "../../postgres/query-builder";
import type { InSnapshot } from "../../sql/sql-runner";
import { newDatabase } from "../../testing/new-database";
import { newCharge } from "../../testing/sample-records";
import { type OpenLog, openLog } from "./open-log";

const DAY_SECONDS = 86_400;
const START = 1_767_225_600;
const DAYS = 12;

let log: OpenLog;
let inSnapshot: InSnapshot;
let close: () => Promise<void>;

beforeEach(async () => {
  const address = await newDatabase();
  log = await openLog(address, { all: () => [] });
  const pool = openPool(address, 1);
  inSnapshot = postgresSnapshots(queryBuilder(pool));
  close = async () => {
    await pool.end();
    await log.close();
  };
});
afterEach(() => close());

it("does not compile queries, which over many parts of a table takes longer than they do", async () => {
  expect(await inSnapshot((runner) => runner.all("SHOW jit"))).toEqual([{ jit: "off" }]);
});

it("reads lines of hours that lie far apart in the days of these hours alone", async () => {
  const batch = Array.from(
    { length: DAYS },
    (_, day) =>
      encodeCharges([newCharge({ requestId: `request-${day}`, createdAt: START + day * DAY_SECONDS })])[1],
  ).join("");
  await log.takeOver(async () => [{ id: 1, batch }]);
  const hours = [START + (DAYS - 1) * DAY_SECONDS, START];
  const plan = await inSnapshot((runner) => {
    const rows = runner.rowsOfEach(hours, "logs", {
      sql: "created_at >= each.value AND created_at < each.value + 3600 AND created_at >= ? AND created_at <= ?",
      parameters: [START, START + DAYS * DAY_SECONDS],
    });
    return runner.all<{ "QUERY PLAN": string }>(`EXPLAIN (ANALYZE) ${rows.sql}`, ...rows.parameters);
  });
  const parts = plan.map((row) => row["QUERY PLAN"]).filter((line) => / on logs_day_\d+ /.test(line));
  expect(parts).toHaveLength(DAYS);
  expect(parts.filter((line) => !line.includes("never executed"))).toHaveLength(hours.length);
});
