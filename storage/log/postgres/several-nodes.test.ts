import { sql } from "kysely";
import pg from "pg";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { encodeCharges } from "../../accounts/charges";
import type { OutboxRow } from "../../outbox/outbox-ends";
import { askDatabase, newDatabase } from "../../testing/new-database";
import { newCharge } from "../../testing/sample-records";
import { type OpenLog, openLog } from "./open-log";

/** The begin of a day: 1 January 2026. */
const DAY = 1_767_225_600;
const NOW = DAY + 100 * 86_400;

let address: string;
let nodes: [OpenLog, OpenLog, OpenLog];

beforeEach(async () => {
  address = await newDatabase();
  const open = () => openLog(address, { all: () => [] });
  nodes = await Promise.all([open(), open(), open()]);
});
afterEach(async () => {
  for (const { close } of nodes) await close();
});

const rowOf = (id: number, more: Parameters<typeof newCharge>[0] = {}): OutboxRow => ({
  id,
  batch: encodeCharges([
    newCharge({
      requestId: `r-${id}`,
      createdAt: DAY + id * 3600,
      quota: id,
      modelName: `model ${id % 5}`,
      ...more,
    }),
  ])[1],
});

const consumed = () => nodes[0].queries.usage.consumedQuota({}, NOW);

describe("several nodes on one log", () => {
  it("write lines at the same moment, of the same names and days, and add them up meanwhile", async () => {
    const rows = Array.from({ length: 60 }, (_, index) => rowOf(index));
    const sum = rows.reduce((total, { id }) => total + id, 0);
    await Promise.all(
      nodes.map(async (node, at) => {
        for (let index = at; index < rows.length; index += 3) {
          await node.takeOver(async () => [rows[index] as OutboxRow]);
          if (index % 7 === 0) await node.addUpSums();
          if (index % 11 === 0) await node.maintenance.closeBucket(DAY + index * 3600);
        }
      }),
    );
    expect(await consumed()).toBe(sum);
    expect(await nodes[1].queries.logs.page({}, 0, 1000)).toHaveLength(60);
    for (const { addUpSums } of nodes) await addUpSums();
    expect(await consumed()).toBe(sum);
    const byModel = await nodes[2].queries.usage.points(
      { filter: {}, step: "day", by: "model", offsetMinutes: 0 },
      NOW,
    );
    expect(new Set(byModel.map(({ key }) => key)).size).toBe(5);
    expect(await askDatabase(address, "SELECT count(*)::int AS count FROM unsummed")).toEqual([{ count: 0 }]);
  });

  it("see the same totals at every moment, whatever is being added up", async () => {
    for (let id = 1; id <= 20; id += 1) await nodes[0].takeOver(async () => [rowOf(id)]);
    const adding = (async () => {
      await nodes[1].addUpSums();
      while (await nodes[1].maintenance.closeBucket(NOW)) {
        // Step by step.
      }
    })();
    const filter = { username: "alice", modelName: "model 1" };
    const seen = new Set<number>();
    for (let round = 0; round < 20; round += 1)
      seen.add(await nodes[2].queries.usage.consumedQuota(filter, NOW));
    await adding;
    expect([...seen]).toEqual([1 + 6 + 11 + 16]);
  });

  it("add up each bucket once, also concurrently", async () => {
    for (let id = 1; id <= 70; id += 3) await nodes[0].takeOver(async () => [rowOf(id)]);
    const closeAll = async ({ maintenance }: OpenLog): Promise<number> => {
      let closed = 0;
      while (await maintenance.closeBucket(NOW)) closed += 1;
      return closed;
    };
    const closed = await Promise.all(nodes.map(closeAll));
    expect(closed.reduce((sum, count) => sum + count, 0)).toBe(9);
    const points = await nodes[1].queries.usage.points(
      { filter: {}, step: "day", by: "user", offsetMinutes: 0 },
      NOW,
    );
    expect(points.reduce((sum, { quota }) => sum + quota, 0)).toBe(await consumed());
  });

  it("keep no line of rows whose taking over did not come to the end", async () => {
    const failing = nodes[0].takeOver(async (transaction) => {
      await sql`SELECT 1`.execute(transaction);
      throw new Error("the outbox is gone");
    });
    await expect(failing).rejects.toThrow("the outbox is gone");
    expect(await nodes[0].queries.logs.page({}, 0, 10)).toEqual([]);
  });

  it("drop whole days that are cleared, and write late lines of such a day again", async () => {
    for (let id = 0; id < 72; id += 6) await nodes[0].takeOver(async () => [rowOf(id)]);
    const parts = () =>
      askDatabase(
        address,
        "SELECT count(*)::int AS count FROM pg_inherits WHERE inhparent = 'logs'::regclass",
      );
    expect(await parts()).toEqual([{ count: 3 }]);
    const before = DAY + 2 * 86_400 + 3600;
    const steps: unknown[] = [];
    for (let isDone = false; !isDone; ) {
      const step = await nodes[1].maintenance.clearBefore(before, NOW);
      steps.push(step);
      ({ isDone } = step);
    }
    expect(steps).toEqual([
      { deleted: 4, isDone: false },
      { deleted: 4, isDone: false },
      { deleted: 1, isDone: true },
    ]);
    expect(await parts()).toEqual([{ count: 1 }]);
    expect(await nodes[2].queries.logs.page({}, 0, 100)).toHaveLength(3);
    await nodes[0].takeOver(async () => [rowOf(1)]);
    expect(await parts()).toEqual([{ count: 2 }]);
  });

  it("find names as they are stored, whatever characters they have", async () => {
    const long = "x".repeat(20_000);
    await nodes[0].takeOver(async () => [
      rowOf(1, { username: "a\ud800b", tokenName: "key\0more", modelName: long, content: long }),
      rowOf(2, { username: "a\ud800b", tokenName: "key\0more", modelName: long, content: long }),
    ]);
    const lines = await nodes[0].queries.logs.page({ modelName: long }, 0, 10);
    expect(lines).toMatchObject([
      { username: "a\ufffdb", tokenName: "key", modelName: long },
      { tokenName: "key" },
    ]);
    expect(await askDatabase(address, "SELECT count(*)::int AS count FROM payers")).toEqual([{ count: 1 }]);
  });
});

describe("the parts of a day, while another client reads the log", () => {
  let reader: pg.Client;

  beforeEach(async () => {
    await nodes[0].takeOver(async () => [rowOf(1)]);
    reader = new pg.Client({ connectionString: address });
    await reader.connect();
    // As a backup does, for as long as it takes.
    await reader.query("BEGIN ISOLATION LEVEL REPEATABLE READ; SELECT 1 FROM logs LIMIT 1");
  });
  afterEach(() => reader.end());

  it("are made without waiting for it, by several nodes at once, with the indexes of the tables", async () => {
    const startedMs = performance.now();
    await Promise.all(nodes.map((node, at) => node.takeOver(async () => [rowOf(25 + at)])));
    expect(await nodes[0].queries.logs.page({}, 0, 10)).toHaveLength(4);
    expect(performance.now() - startedMs).toBeLessThan(5000);
    const ofParts = await askDatabase(
      address,
      `SELECT count(*) FILTER (WHERE inhparent IS NULL)::int AS alone, count(*) FILTER (WHERE inhparent IS NOT NULL)::int AS attached
       FROM pg_index LEFT JOIN pg_inherits ON inhrelid = indexrelid
       WHERE indrelid = 'logs_day_${DAY / 86_400 + 1}'::regclass`,
    );
    const [ofTable] = await askDatabase(
      address,
      "SELECT count(*)::int AS count FROM pg_index WHERE indrelid = 'logs'::regclass",
    );
    expect(ofParts).toEqual([{ alone: 0, attached: ofTable?.count }]);
  });

  it("are not dropped before it has ended, and lines are written meanwhile", async () => {
    const cleared = nodes[0].maintenance.clearBefore(DAY + 86_400, NOW).catch(String);
    const startedMs = performance.now();
    await nodes[1].takeOver(async () => [rowOf(2)]);
    expect(await cleared).toContain("database-locked");
    expect(performance.now() - startedMs).toBeLessThan(5000);
    expect(await nodes[0].queries.logs.page({}, 0, 10)).toHaveLength(2);
    await reader.query("COMMIT");
    expect(await nodes[0].maintenance.clearBefore(DAY + 86_400, NOW)).toMatchObject({ deleted: 2 });
  });
});
