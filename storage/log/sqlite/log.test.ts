import { copyFileSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { LogFilter } from "@tollgate/contract/api/logs";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { type Charge, encodeCharges } from "../../accounts/charges";
import { examine } from "../../doctor/examine";
import { openWriter } from "../../open-sqlite";
import { encodeAccountEntries } from "../../outbox/log-entry";
import { openConnection } from "../../sqlite/connection";
import { chargeOf } from "../../testing/charge-of";
import { type OpenStores, openStores } from "../../testing/open-stores";
import { MASTER_KEY } from "../../testing/sample-records";
import { NAME_TABLES } from "../sql/key-names";
import { logFilePath } from "./log-file";

/** The begin of an hour and a day: 1 January 2026. */
const DAY = 1_767_225_600;
const HOUR = 3600;
/** Later than everything below. */
const NOW = DAY + 100 * 86_400;

let folder: string;
let path: string;
let stores: OpenStores;
let writer: OpenStores["writer"];
let log: OpenStores["log"];
let reader: OpenStores["reader"];

const open = async (): Promise<void> => {
  stores = await openStores(path);
  ({ writer, log, reader } = stores);
};

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "tollgate-log-"));
  path = join(folder, "test.db");
});

afterEach(() => {
  stores.close();
  rmSync(folder, { recursive: true });
});

const store = (...charges: Charge[]): void => {
  writer.repositories.charges.commit(...encodeCharges(charges));
};

const say = (type: number, userId: number, content: string, createdAt: number): void => {
  const connection = openConnection(path, false);
  connection
    .prepare("INSERT INTO outbox (batch) VALUES (?)")
    .run(encodeAccountEntries([{ createdAt, userId, username: `user ${userId}`, type, content }]));
  connection.close();
};

const ingest = (): number => log.repositories.log.ingest();

const quotas = async (filter: LogFilter, offset = 0, limit = 10): Promise<number[]> =>
  (await reader.repositories.logs.page(filter, offset, limit)).map((line) => line.quota);

describe("taking over the outbox", () => {
  beforeEach(open);

  it("writes each line once, however often a row is found and whatever was cut short", async () => {
    store(chargeOf(DAY, 1), chargeOf(DAY, 2));
    ingest();
    ingest();
    store(chargeOf(DAY + 1, 4));
    ingest();
    expect(await quotas({})).toEqual([4, 2, 1]);
    // The rows are still there: they go once their lines are stored for good.
    stores.close();
    await open();
    ingest();
    expect(await quotas({})).toEqual([4, 2, 1]);
    expect(await reader.repositories.usage.consumedQuota({}, NOW)).toBe(7);
  });

  it("goes on after the rows that are gone", async () => {
    store(chargeOf(DAY, 1));
    writer.repositories.outbox.trim(ingest());
    expect(writer.repositories.outbox.newest()).toBeUndefined();
    store(chargeOf(DAY + 1, 2));
    ingest();
    expect(await quotas({})).toEqual([2, 1]);
  });

  it("numbers no row like an old one when the main file was replaced by an older copy", async () => {
    for (let i = 0; i < 5; i += 1) store(chargeOf(DAY, 1));
    const last = ingest();
    stores.close();
    for (const file of [path, `${path}-wal`, `${path}-shm`]) rmSync(file, { force: true });
    const older = join(mkdtempSync(join(folder, "older-")), "test.db");
    (await openWriter(older, MASTER_KEY)).close();
    openConnection(older, false).exec("PRAGMA wal_checkpoint(TRUNCATE)");
    copyFileSync(older, path);
    await open();
    writer.repositories.outbox.startAfter(last);
    store(chargeOf(DAY + 5, 9));
    ingest();
    expect(await quotas({}, 0, 1)).toEqual([9]);
  });
});

describe("names that many keys have in common", () => {
  beforeEach(open);

  /** In the log file, behind the back of its writer. */
  const execute = (sql: string): void => {
    const connection = openConnection(logFilePath(path), false);
    connection.exec(sql);
    connection.close();
  };
  const closeAll = (): void => {
    while (log.repositories.log.closeBucket(NOW)) {
      // Step by step.
    }
  };
  const pictures = () =>
    Promise.all(
      (["none", "model", "channel"] as const).flatMap((by) =>
        [{}, { modelName: "model 1" }].map((subject) =>
          reader.repositories.usage.points(
            { filter: { tokenName: "default", ...subject }, step: "day", by, offsetMinutes: 330 },
            NOW,
          ),
        ),
      ),
    );
  const use = (): void => {
    for (let user = 1; user <= 8; user += 1)
      for (const hour of [1, 20, 40])
        store(
          chargeOf(DAY + hour * HOUR, user, {
            userId: user,
            tokenId: user,
            tokenName: "default",
            modelName: `model ${user % 2}`,
          }),
        );
    ingest();
  };

  it("are told from sums of their own, which an older file is given step by step", async () => {
    use();
    closeAll();
    const told = await pictures();
    expect(told[0]).toHaveLength(2);
    // As an older version left it: its sums of names are empty.
    for (const { table } of NAME_TABLES) execute(`DELETE FROM ${table}`);
    execute("DELETE FROM shared_names");
    expect(await pictures()).toEqual(told);
    closeAll();
    expect((await examine(path)).faults.filter(({ code }) => code === "table-sums")).toEqual([]);
    execute("DELETE FROM detail_hours; DELETE FROM payer_hours; DELETE FROM payer_buckets");
    expect(await pictures()).toEqual(told);
  });

  it.each(NAME_TABLES)("are examined: $table", async ({ table }) => {
    use();
    closeAll();
    execute(`UPDATE ${table} SET quota = quota + 1 WHERE hour = ${DAY + HOUR}`);
    expect((await examine(path)).faults).toContainEqual(
      expect.objectContaining({
        code: "table-sums",
        table,
        keys: expect.stringContaining(`hour ${DAY + HOUR}`),
      }),
    );
  });
});

describe("clearing", () => {
  beforeEach(open);

  it("leaves lines that say a later time than it is, whatever is asked for: the clock was set back (M13)", async () => {
    store(chargeOf(DAY + 10, 1), chargeOf(DAY + 5 * HOUR, 2));
    ingest();
    log.repositories.log.clearBefore(DAY + 9 * HOUR, DAY + HOUR);
    expect(await quotas({})).toEqual([2]);
    expect(
      (await examine(path)).faults.filter(
        (fault) => fault.code === "hour-lines" || fault.code === "line-sums",
      ),
    ).toEqual([]);
  });

  it("deletes texts that no line has any more, and knows them again when they come back", async () => {
    say(3, 1, "a name that must go", DAY);
    ingest();
    log.repositories.log.clearBefore(DAY + 2 * HOUR, NOW);
    expect(await reader.repositories.logs.search("a name", [], undefined, 100)).toEqual([]);
    const connection = openConnection(logFilePath(path), true);
    expect(connection.prepare("SELECT text FROM contents").all()).toEqual([]);
    connection.close();
    say(3, 1, "a name that must go", DAY + 3 * HOUR);
    ingest();
    expect(await reader.repositories.logs.search("a name", [], undefined, 100)).toHaveLength(1);
  });
});
