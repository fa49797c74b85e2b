import { mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { BookedCharge } from "@tollgate/contract/records/lease";
import type { ChargeEntry } from "@tollgate/storage/accounts/node-ports";
import { openBookings } from "@tollgate/storage/accounts/postgres/open-bookings";
import { examine } from "@tollgate/storage/doctor/examine";
import { examineDatabase } from "@tollgate/storage/doctor/examine-database";
import { JournalFiles } from "@tollgate/storage/journal/journal-files";
import { openReader } from "@tollgate/storage/open-sqlite";
import { openPostgresLog } from "@tollgate/storage/postgres-log";
import { openPostgresStores, type PostgresStores } from "@tollgate/storage/postgres-stores";
import { settleFolder } from "@tollgate/storage/promote/open-sides";
import { openConnection } from "@tollgate/storage/sqlite/connection";
import { askDatabase, newDatabase } from "@tollgate/storage/testing/new-database";
import {
  MASTER_KEY,
  newChannel,
  newCharge,
  newToken,
  newUser,
} from "@tollgate/storage/testing/sample-records";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { makeBackup, makeDatabaseBackup, restoreBackup, restoreDatabase } from "./backup";

const NOW = 1_767_225_600;
const HOUR = 3600;

let parent: string;
let file: string;
let address: string;
let stores: PostgresStores;

const open = (at: string): Promise<PostgresStores> =>
  openPostgresStores({
    address: at,
    readAddress: undefined,
    masterKey: MASTER_KEY,
    nodeLifeMs: 100_000,
    reportError: (error) => {
      throw error;
    },
    openLog: openPostgresLog,
    openBookings,
  });

beforeEach(async () => {
  parent = mkdtempSync(join(tmpdir(), "tollgate-backup-"));
  file = join(parent, "kept.tar");
  address = await newDatabase();
  stores = await open(address);
  const { user } = await stores.write.users.create(newUser({ quota: 1_000_000 }), 0, []);
  await stores.write.tokens.create(newToken(user.id, { remainQuota: 900_000 }));
  await stores.write.channels.create([newChannel()]);
  await stores.write.options.put("SMTPToken", "very-secret", true);
});
afterEach(async () => {
  await stores.close();
  rmSync(parent, { recursive: true });
});

/** A node that leases, and charges one request after another until it is told to end. */
const startNode = async () => {
  const { epoch } = await stores.leases.join({});
  const acquire = (account: "user:1" | "key:1", quota: number) =>
    stores.leases.acquire({
      epoch,
      account,
      number: 1,
      least: quota,
      most: quota,
      total: quota,
      ahead: 0,
      isLast: true,
    });
  await acquire("user:1", 100_000);
  await acquire("key:1", 100_000);
  const entryOf = ({ requestId }: BookedCharge): ChargeEntry => {
    const {
      requestId: _,
      userId,
      quota,
      count,
      tokenQuota,
      ...entry
    } = newCharge({
      createdAt: NOW - (Number(requestId.split("-")[1]) % 30) * HOUR,
    });
    return entry;
  };
  const booked: string[] = [];
  let isEnding = false;
  const run = async (): Promise<void> => {
    for (let number = 1; !isEnding; number += 1) {
      const requestId = `${epoch}-${number}`;
      const charge = {
        requestId,
        user: "user:1",
        quota: 3,
        shortfall: 0,
        key: "key:1",
        keyQuota: 3,
      } as const;
      await stores.leases.book({ epoch, charges: [charge] }, entryOf);
      booked.push(requestId);
    }
  };
  const running = run();
  return {
    booked,
    async end(): Promise<void> {
      isEnding = true;
      await running;
    },
  };
};

/** The requests with a line in a folder, and its user's balance. */
const readFolder = async (folder: string) => {
  // Charges without lines get them.
  (await settleFolder(folder, MASTER_KEY))();
  const reader = openReader(join(folder, "tollgate.db"), MASTER_KEY);
  try {
    const { users, options, logs, usage } = reader.repositories;
    const lines = await logs.page({}, 0, 100_000);
    return {
      requests: new Set(lines.map(({ requestId }) => requestId)),
      user: await users.find(1),
      options: await options.all(),
      consumed: await usage.consumedQuota({}, NOW + HOUR),
    };
  } finally {
    reader.close();
  }
};

describe("a backup of a database that nodes charge in", () => {
  it("has every charge that was committed before it, on both engines, with clean books and nothing leased", async () => {
    const nodes = [await startNode(), await startNode()];
    await expect.poll(() => nodes.map(({ booked }) => booked.length > 40)).toEqual([true, true]);
    // Some lines are in the log and in its sums, some are added up, and some are not.
    await stores.read.logs.page({}, 0, 1);
    await stores.log.closeBucket(NOW);
    await expect.poll(() => nodes.map(({ booked }) => booked.length > 80)).toEqual([true, true]);
    const before = nodes.flatMap(({ booked }) => [...booked]);
    const made = await makeDatabaseBackup({ address, masterKey: MASTER_KEY }, file, true, NOW);
    const later = nodes.reduce((sum, { booked }) => sum + booked.length, 0);
    for (const node of nodes) await node.end();
    expect(made).toMatchObject({ hasKey: true, faults: [] });
    expect(later).toBeGreaterThan(before.length);
    expect(statSync(file).mode & 0o777).toBe(0o600);

    const folder = join(parent, "restored");
    expect(await restoreBackup(file, folder)).toMatchObject({ hasKey: true, faults: [] });
    expect(readdirSync(folder).sort()).toContain("master.key");
    const { requests, user, options, consumed } = await readFolder(folder);
    expect(before.filter((request) => !requests.has(request))).toEqual([]);
    expect(requests.size).toBeLessThanOrEqual(later + 1);
    expect(consumed).toBe(3 * requests.size);
    expect(user).toMatchObject({ quota: 1_000_000 - 3 * requests.size, usedQuota: 3 * requests.size });
    expect(options).toContainEqual({ key: "SMTPToken", value: "very-secret" });
    expect((await examine(join(folder, "tollgate.db"))).faults).toEqual([]);

    const target = await newDatabase();
    expect(await restoreDatabase(file, target, MASTER_KEY)).toMatchObject({ faults: [] });
    expect(await examineDatabase(target)).toMatchObject({ lines: requests.size, faults: [] });
    const restored = await open(target);
    expect(await restored.read.users.find(1)).toEqual(user);
    expect(await restored.read.usage.consumedQuota({}, NOW + HOUR)).toBe(consumed);
    expect(await askDatabase(target, "SELECT 1 FROM user_leases")).toEqual([]);
    await restored.close();
    // The source is unchanged.
    expect((await examineDatabase(address)).faults).toEqual([]);
  });

  it("is refused where it would overwrite, and where another key opens the secrets", async () => {
    await expect(
      makeDatabaseBackup({ address, masterKey: new Uint8Array(32).fill(8) }, file, true, NOW),
    ).rejects.toMatchObject({ fault: { code: "database-other-master-key" } });
    const wanted = { address, masterKey: MASTER_KEY };
    expect((await makeDatabaseBackup(wanted, file, false, NOW)).hasKey).toBe(false);
    await expect(makeDatabaseBackup(wanted, file, false, NOW)).rejects.toThrow("exists already");
    await expect(restoreDatabase(file, address, MASTER_KEY)).rejects.toMatchObject({
      fault: { code: "database-not-empty" },
    });
    const target = await newDatabase();
    await expect(restoreDatabase(file, target, new Uint8Array(32).fill(8))).rejects.toMatchObject({
      fault: { code: "other-master-key" },
    });
    const damaged = join(parent, "damaged.tar");
    const bytes = readFileSync(file);
    writeFileSync(damaged, bytes.subarray(0, bytes.length / 2));
    await expect(restoreDatabase(damaged, target, MASTER_KEY)).rejects.toThrow(
      /is not a whole|is no backup|is damaged/,
    );
    // Nothing of all that is in the way.
    expect(await restoreDatabase(file, target, MASTER_KEY)).toMatchObject({ hasKey: false, faults: [] });
    expect(readdirSync(parent).sort()).toEqual(["damaged.tar", "kept.tar"]);
  });

  it("may be of an older version: a database it is brought to has the newest schema, and no fault is told of it", async () => {
    const older = mkdtempSync(join(parent, "older-"));
    const path = join(older, "tollgate.db");
    for (const [name, to] of [
      ["accounts", path],
      ["log", join(older, "logs.sqlite")],
      ["bodies", join(older, "bodies.sqlite")],
    ] as const) {
      const connection = openConnection(to, false);
      connection.exec(
        readFileSync(new URL(`../../storage/fixtures/${name}-b2580da4.sql`, import.meta.url), "utf8"),
      );
      connection.close();
    }
    new JournalFiles(path, { initial: 4096, reserve: 1024 }).close(true);
    // The one who makes it is of this version, and examines it.
    expect((await makeBackup(older, file, false, NOW)).faults).toEqual([{ code: "schema-other" }]);
    const target = await newDatabase();
    expect((await restoreDatabase(file, target, MASTER_KEY)).faults).toEqual([]);
    expect(await examineDatabase(target)).toMatchObject({ users: 1, lines: 4, faults: [] });
  });
});
