import { cpSync, existsSync, mkdtempSync, readdirSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { USAGE_GROUPINGS, USAGE_STEPS } from "@tollgate/contract/api/usage";
import type { LeaseCharge } from "@tollgate/contract/records/lease";
import { MAX_QUOTA } from "@tollgate/contract/values/quota";
import { LOG_CONSUME, LOG_TOPUP } from "@tollgate/contract/values/statuses";
import pg from "pg";
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it, vi } from "vitest";
import { encodeCharges } from "../../accounts/charges";
import type { AccountQueries } from "../../accounts/ports";
import { openBookings } from "../../accounts/postgres/open-bookings";
import { openLeases } from "../../accounts/postgres/open-leases";
import { bodyOf, PLENTY } from "../../bodies/testing/sample-bodies";
import { examine } from "../../doctor/examine";
import { examineDatabase } from "../../doctor/examine-database";
import type { LogQueries } from "../../log/ports";
import { logFilePath } from "../../log/sqlite/log-file";
import { openBodies, openReader } from "../../open-sqlite";
import { TAKEN_BACK } from "../../outbox/log-content";
import { openPostgresLog } from "../../postgres-log";
import { openPostgresStores } from "../../postgres-stores";
import { openConnection } from "../../sqlite/connection";
import { lockFolder } from "../../sqlite/folder-lock";
import { askDatabase, newDatabase } from "../../testing/new-database";
import { openStores } from "../../testing/open-stores";
import {
  MASTER_KEY,
  moved,
  newChannel,
  newCharge,
  newPasskey,
  newToken,
  newUser,
} from "../../testing/sample-records";
import { checkFolderIsMoved, checkFolderMarks } from "../folder-marks";
import { mainPathOf, settleFolder } from "../open-sides";
import { promoteToDatabase } from "../promote-to-database";
import { promoteToFolder } from "../promote-to-folder";

const DAY = 1_767_225_600;
const NOW = DAY + 10 * 86_400;

/** Made once; each test has a copy. */
let whole: string;
let folder: string;
let address: string;

const receiptOf = (quota: number): string =>
  `["m","m","complete",0,20,null,13,5,null,null,null,"upstream","upstream",${quota},0,1,"",[]]`;

/** A folder with everything that is odd. */
beforeAll(async () => {
  whole = mkdtempSync(join(tmpdir(), "tollgate-promote-"));
  const path = mainPathOf(whole);
  const stores = await openStores(path);
  const { users, tokens, channels, sessions, secondFactors, passkeys } = stores.writer.repositories;
  const { redemptions, options, verifications, audit } = stores.writer.repositories;
  await stores.writer.repositories.signInProviders.create(
    {
      ...{ slug: "acme", name: "Acme", issuer: "https://id.example.com", clientId: "tollgate" },
      ...{ clientSecret: "provider-secret", scopes: "openid", emailDomains: "", groupClaim: "" },
      ...{ requiredGroups: "", isEnabled: true, mayRegister: false, createdTime: 1 },
    },
    9,
  );
  const phrase = { code: "long-context", tokens: 7 } as const;
  const { user } = await users.create(
    newUser({ identity: { method: "github", subject: "1" }, accessToken: "t".repeat(32), quota: 9000 }),
    0,
    [{ userId: 0, username: "alice", createdAt: DAY, type: LOG_TOPUP, phrase }],
  );
  const rich = await users.create(
    newUser({ username: "rich", affCode: "rich", quota: MAX_QUOTA, email: "rich@example.com" }),
    0,
    [],
  );
  const gone = await users.create(newUser({ username: "gone", affCode: "gone" }), 0, []);
  await tokens.create(newToken(user.id, { name: "odd \0 name", remainQuota: 5000 }));
  await tokens.create(newToken(rich.user.id, { key: "r".repeat(48), remainQuota: MAX_QUOTA }));
  await tokens.create(newToken(gone.user.id, { key: "g".repeat(48) }));
  await channels.create([newChannel(), newChannel({ name: "second", proxy: "http://u:p@proxy:1" })]);
  await sessions.create({
    idHash: "h",
    userId: user.id,
    createdTime: 1,
    expiresTime: NOW + 1,
    address: "::1",
    userAgent: "x",
    lastUsedTime: 0,
  });
  await secondFactors.replace(undefined, {
    ...{ userId: user.id, secret: "JBSWY3DPEHPK3PXP", backupCodes: ["ABCDE-FGHJK"], version: "" },
    ...{ confirmedTime: 1, lastStep: 1 },
  });
  await passkeys.add(newPasskey(user.id), { max: 1, isFirst: false });
  await redemptions.create(
    ["one", "two"].map((key) => ({ userId: user.id, key, name: "gift", quota: 77, createdTime: 1 })),
  );
  await redemptions.redeem("one", user.id, 2, "alice", { quotaPerUnit: 500_000, isCurrency: true });
  await options.put("SystemName", "Süd\ud800", false);
  await options.put("SMTPToken", "secret", true);
  await verifications.put("email", "a@b.c", "123456", NOW);
  await audit.add({
    createdAt: 5,
    userId: user.id,
    username: "alice",
    address: "",
    action: "user.promote",
    target: "2",
    detail: "{}",
  });
  const charge = (requestId: string, quota: number, more: Parameters<typeof newCharge>[0] = {}) =>
    newCharge({ requestId, quota, createdAt: DAY, receipt: receiptOf(quota), ...more });
  stores.commit(
    ...Array.from({ length: 40 }, (_, index) =>
      charge(`r-${index}`, index, { createdAt: DAY + index * 20_000, modelName: `model-${index % 3}` }),
    ),
    charge("of gone", 5, { userId: 3, tokenId: 3, username: "gone" }),
    charge("large", 2 ** 52, { userId: 2, tokenId: 2, username: "rich", createdAt: DAY + 90_000 }),
    charge("odd", 1, {
      content: "half \ud800 and \0 none",
      modelName: "odd\0model",
      tokenName: "odd \0 name",
    }),
    charge("failed", 0, { count: "error", isLogged: false, createdAt: DAY + 100 }),
    charge("silent", 3, { isLogged: false, receipt: "" }),
    // What takes a charge back.
    charge("back", 9),
    charge("back", -9, { receipt: receiptOf(-9), content: TAKEN_BACK }),
  );
  await users.remove(gone.user.id);
  const { log } = stores.log.repositories;
  while (log.closeBucket(DAY + 3 * 86_400)) {
    // Step by step.
  }
  log.clearBefore(DAY - 86_400, NOW);
  stores.close();
  const bodies = await openBodies(path, MASTER_KEY);
  for (const id of ["r-1", "r-2"]) bodies.repositories.bodies.add(bodyOf(id), PLENTY);
  bodies.close();
});

beforeEach(async () => {
  folder = mkdtempSync(join(tmpdir(), "tollgate-promote-"));
  cpSync(whole, folder, { recursive: true });
  address = await newDatabase();
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));
afterAll(() => rmSync(whole, { recursive: true }));

type Queries = AccountQueries & LogQueries;
type SomeBodies = { find(id: string, user: undefined): unknown };

/** Everything that pages, totals and sign-ins are made of. */
const readAll = async (read: Queries, bodies: SomeBodies): Promise<unknown> => {
  const usage: unknown[] = [];
  for (const by of USAGE_GROUPINGS)
    for (const step of USAGE_STEPS)
      usage.push(JSON.parse(await read.usage.pointsJson({ step, by, offsetMinutes: 0, filter: {} }, NOW)));
  return {
    users: await read.users.after(0, 100),
    userPages: [await read.users.page(0, 10), await read.users.page(0, 10, undefined, {}, "a")],
    identity: await read.users.findByIdentity({ method: "github", subject: "1" }),
    accessToken: await read.users.accessToken(1),
    tokens: await read.tokens.after(0, 100),
    tokenPages: await read.tokens.page(1, 0, 10),
    channels: await read.channels.after(0, 100),
    channelPages: await read.channels.page(0, 10),
    options: (await read.options.all()).toSorted((a, b) => a.key.localeCompare(b.key)),
    sessions: await read.sessions.live(NOW),
    secondFactor: await read.secondFactors.find(1),
    passkeys: await read.passkeys.ofUser(1),
    providers: await read.signInProviders.all(),
    redemptions: await read.redemptions.page(0, 10),
    audit: await read.audit.page({}, 0, 10),
    pages: [
      await read.logs.page({}, 0, 100),
      await read.logs.page({}, 10, 20),
      await read.logs.page({ type: LOG_CONSUME, username: "alice" }, 0, 100),
      await read.logs.page({ modelName: "model-1" }, 0, 100),
      await read.logs.search("half", [], undefined, 10),
    ],
    usage,
    spent: (await read.usage.spentSince([DAY])).toSorted((a, b) => a.tokenId - b.tokenId),
    consumed: await read.usage.consumedQuota({ username: "alice" }, NOW),
    receipts: [
      await read.receipts.find("r-3", undefined),
      await read.receipts.find("odd", undefined),
      await read.receipts.find("failed", undefined),
    ],
    bodies: [await bodies.find("r-1", undefined), await bodies.find("none", undefined)],
  };
};

const readFolder = async (of: string): Promise<unknown> => {
  const reader = openReader(mainPathOf(of), MASTER_KEY);
  const bodies = await openBodies(mainPathOf(of), MASTER_KEY);
  try {
    return await readAll(reader.repositories as unknown as Queries, bodies.repositories.bodies);
  } finally {
    bodies.close();
    reader.close();
  }
};

const openDatabaseStores = () =>
  openPostgresStores({
    address,
    readAddress: undefined,
    masterKey: MASTER_KEY,
    nodeLifeMs: 1_000_000,
    openLog: openPostgresLog,
    openBookings,
    reportError: (error) => {
      throw error;
    },
  });

const readDatabase = async (): Promise<unknown> => {
  const stores = await openDatabaseStores();
  try {
    return await readAll(stores.read, stores.bodies);
  } finally {
    await stores.close();
  }
};

/** @param before what happens once everything was copied, and before the folder is given up. */
const promote = (before: () => void | Promise<void> = () => {}) =>
  promoteToDatabase({
    folder,
    address,
    masterKey: MASTER_KEY,
    onCopied: () => {},
    takeFolder: async () => {
      await before();
      return settleFolder(folder, MASTER_KEY);
    },
  });

const alter = (path: string, sql: string): void => {
  const connection = openConnection(path, false);
  connection.exec(sql);
  connection.close();
};

describe("a folder moved to a database", () => {
  it("is the same on both sides and all the way back: pages, totals, secrets, bodies and the next ids", async () => {
    const was = await readFolder(folder);
    const { proofs, isMoved } = await promote();
    expect(proofs.filter(({ isEqual }) => !isEqual)).toEqual([]);
    expect(isMoved).toBe(true);
    expect(proofs.find(({ table }) => table === "logs")).toMatchObject({ read: 46, written: 46 });
    expect(await readDatabase()).toEqual(was);
    expect((await examineDatabase(address)).faults).toEqual([]);

    const back = join(folder, "back");
    const returned = await promoteToFolder({ address, folder: back, masterKey: MASTER_KEY });
    expect(returned.isMoved).toBe(true);
    expect(await readFolder(back)).toEqual(was);
    expect((await examine(mainPathOf(back))).faults).toEqual([]);
    const stores = await openStores(mainPathOf(back));
    const { user } = await stores.writer.repositories.users.create(
      newUser({ username: "new", affCode: "new" }),
      0,
      [],
    );
    // That of the user who is gone is not given again.
    expect(user.id).toBe(4);
    stores.commit(
      newCharge({ requestId: "after", userId: 1, quota: 1, createdAt: NOW, receipt: receiptOf(1) }),
    );
    stores.close();
    expect((await examine(mainPathOf(back))).faults).toEqual([]);
  });

  it("goes on with ids above the highest in the database", async () => {
    await promote();
    const stores = await openDatabaseStores();
    const { user } = await stores.write.users.create(newUser({ username: "new", affCode: "new" }), 0, [
      {
        userId: 1,
        username: "alice",
        createdAt: NOW,
        type: LOG_TOPUP,
        phrase: { code: "long-context", tokens: 8 },
      },
    ]);
    expect(user.id).toBe(4);
    const [newest] = await stores.read.logs.page({}, 0, 1);
    expect(newest).toMatchObject({ id: 48 });
    await stores.close();
    expect((await examineDatabase(address)).faults).toEqual([]);
  });

  it("has the charges, changes and deletions made during the copy", async () => {
    const { isMoved } = await promote(async () => {
      const stores = await openStores(mainPathOf(folder));
      const { users, tokens, charges } = stores.writer.repositories;
      stores.commit(newCharge({ requestId: "late", quota: 4, createdAt: NOW, receipt: receiptOf(4) }));
      await users.change(1, { quotaMove: moved(-10) });
      await tokens.remove(2, 2);
      while (!stores.log.repositories.log.clearBefore(DAY + 3 * 86_400, NOW).isDone) {
        // Step by step.
      }
      // One whose line is still on its way.
      charges.commit(
        ...encodeCharges([
          newCharge({ requestId: "later", quota: 6, createdAt: NOW, receipt: receiptOf(6) }),
        ]),
      );
      stores.close();
    });
    expect(isMoved).toBe(true);
    const [found, expected] = [await readDatabase(), await readFolder(folder)];
    expect(found).toEqual(expected);
    expect(JSON.stringify(found)).toContain('"quota":6');
    expect((await examineDatabase(address)).faults).toEqual([]);
  });

  it("keeps apart texts that differ behind a NUL alone", async () => {
    const stores = await openStores(mainPathOf(folder));
    const odd = {
      tokenName: "odd \0 other",
      modelName: "odd\0other",
      content: "half \ud800 and \0 nil",
      quota: 2,
      createdAt: NOW,
      receipt: receiptOf(2),
    };
    stores.commit(newCharge({ requestId: "other", ...odd }));
    stores.close();
    expect((await promote()).isMoved).toBe(true);
    const read = await openDatabaseStores();
    const [line] = await read.read.logs.page({}, 0, 1);
    expect(line).toMatchObject({ requestId: "other", tokenName: expect.stringMatching(/^odd \ufffd\d+$/) });
    await read.close();
    expect((await examineDatabase(address)).faults).toEqual([]);
    const back = join(folder, "back");
    expect((await promoteToFolder({ address, folder: back, masterKey: MASTER_KEY })).isMoved).toBe(true);
    expect((await examine(mainPathOf(back))).faults).toEqual([]);
  });

  it("can be begun again wherever it was cut off, and does not go to a database with data of its own", async () => {
    const cut = promote(() => {
      throw new Error("cut off");
    });
    await expect(cut).rejects.toThrow("cut off");
    // No node begins on half of it.
    await expect(openDatabaseStores()).rejects.toMatchObject({ fault: { code: "database-incomplete" } });
    await askDatabase(
      address,
      "DELETE FROM logs WHERE quota > 20; DELETE FROM tokens; DELETE FROM models WHERE id = 1",
    );
    expect((await promote()).isMoved).toBe(true);
    expect(await readDatabase()).toEqual(await readFolder(folder));
    cpSync(whole, join(folder, "other"), { recursive: true });
    const other = promoteToDatabase({
      folder: join(folder, "other"),
      address,
      masterKey: MASTER_KEY,
      onCopied: () => {},
      takeFolder: () => settleFolder(join(folder, "other"), MASTER_KEY),
    });
    await expect(other).rejects.toMatchObject({ fault: { code: "database-not-empty" } });
  });

  it("does the last step when it is done again, and only that", async () => {
    await promote();
    const [mark] = await askDatabase(address, "SELECT count(*) AS count FROM moves");
    expect(mark).toEqual({ count: "0" });
    const { readMovedTo } = await import("../folder-marks");
    const token = readMovedTo(folder)?.token;
    await askDatabase(address, `INSERT INTO moves VALUES (1, 'arriving', '${token}')`);
    expect(await promote()).toEqual({ proofs: [], isMoved: true });
    await (await openDatabaseStores()).close();
    await expect(promote()).rejects.toMatchObject({ fault: { code: "folder-moved" } });
  });

  it("is refused in a sentence while the folder is of another version, and leaves the database free", async () => {
    alter(
      logFilePath(mainPathOf(folder)),
      "DELETE FROM kysely_migration WHERE name = (SELECT max(name) FROM kysely_migration)",
    );
    await expect(promote()).rejects.toMatchObject({ fault: { code: "schema-other" } });
    expect(await askDatabase(address, "SELECT state FROM moves")).toEqual([]);
  });

  it("refuses a folder that another process has locked", async () => {
    const unlock = lockFolder(mainPathOf(folder));
    try {
      await expect(settleFolder(folder, MASTER_KEY, 10)).rejects.toMatchObject({
        fault: { code: "folder-in-use" },
      });
    } finally {
      unlock();
    }
  });

  it("prevents a start on the moved folder, and detects a folder that was never moved", async () => {
    const path = mainPathOf(folder);
    checkFolderMarks(path);
    expect(() => checkFolderIsMoved(path)).toThrow(/folder-not-moved/);
    await promote();
    expect(() => checkFolderMarks(path)).toThrow(/folder-moved/);
    checkFolderIsMoved(path);
    checkFolderIsMoved(mainPathOf(join(folder, "empty")));
  });
});

/** Puts a fault in whenever a table is written. Triggers of accounts are switched off meanwhile, and rules of sums not possible. */
const putFault = (table: string, sql: string): string =>
  ["users", "tokens", "redemptions"].includes(table)
    ? `CREATE RULE put_fault AS ON INSERT TO ${table} DO ALSO ${sql}`
    : `CREATE FUNCTION put_fault() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN ${sql}; RETURN NULL; END $$;
       CREATE TRIGGER put_fault AFTER INSERT ON ${table.endsWith("_hours") ? `${table}_summed` : table}
         FOR EACH STATEMENT EXECUTE FUNCTION put_fault()`;

describe("the proof", () => {
  it.each([
    ["a line that was lost", "DELETE FROM logs WHERE id = 7", "logs"],
    ["a line that costs 1 more", "UPDATE logs SET quota = quota + 1 WHERE id = 7", "logs"],
    [
      "two lines whose prices changed places",
      "UPDATE logs SET quota = 13 - quota WHERE quota IN (6, 7)",
      "logs",
    ],
    [
      "a receipt that says another price",
      "UPDATE receipts SET detail = replace(detail, ',7,0,1,', ',17,0,1,')",
      "receipts",
    ],
    [
      "a balance",
      "UPDATE users SET quota = quota - 1, granted_quota = granted_quota - 1 WHERE id = 1",
      "users",
    ],
    ["a key's secret", "UPDATE tokens SET key_hash = reverse(key_hash) WHERE id = 1", "tokens"],
    ["a code that is used again", "UPDATE redemptions SET status = 1 WHERE id = 1", "redemptions"],
    ["a sum of an hour", "UPDATE payer_hours_summed SET quota = quota + 1 WHERE quota = 7", "payer_hours"],
    ["a stored body", "DELETE FROM bodies WHERE id = 2", "bodies"],
  ])("finds %s, and nothing is switched", async (_, sql, table) => {
    await promote(() => {
      throw new Error("cut off");
    }).catch(() => undefined);
    // It comes back whenever the table is written, as a fault of the copying would.
    await askDatabase(address, putFault(table, sql));
    await askDatabase(address, sql);
    const { proofs, isMoved } = await promote();
    expect(isMoved).toBe(false);
    expect(proofs.filter(({ isEqual }) => !isEqual).map((proof) => proof.table)).toEqual([table]);
    checkFolderMarks(mainPathOf(folder));
    await expect(openDatabaseStores()).rejects.toMatchObject({ fault: { code: "database-incomplete" } });
  });
});

describe("a database moved to a folder", () => {
  it("takes along what its last node stored while the move began", async () => {
    await promote();
    const client = new pg.Client({ connectionString: address });
    await client.connect();
    // The move waits for it before it keeps nodes off.
    await client.query("BEGIN; LOCK TABLE nodes IN ROW SHARE MODE");
    const back = join(folder, "back");
    const moving = promoteToFolder({ address, folder: back, masterKey: MASTER_KEY });
    await vi.waitFor(async () => {
      const waiting = "SELECT 1 FROM pg_locks WHERE relation = 'nodes'::regclass AND NOT granted";
      expect(await askDatabase(address, waiting)).toHaveLength(1);
    }, 20_000);
    const late = newCharge({ requestId: "late", quota: 0, createdAt: NOW, receipt: receiptOf(0) });
    await client.query("INSERT INTO outbox (batch) VALUES ($1)", [encodeCharges([late])[1]]);
    await client.query("UPDATE users SET request_count = request_count + 1 WHERE id = 1; COMMIT");
    await client.end();
    expect((await moving).isMoved).toBe(true);
    const log = openConnection(logFilePath(mainPathOf(back)), true);
    const { count } = log
      .prepare("SELECT count(*) AS count FROM receipts WHERE request_id = 'late'")
      .get() as {
      count: number;
    };
    log.close();
    expect(count).toBe(1);
    expect((await examine(mainPathOf(back))).faults).toEqual([]);
  });
});

describe("two at once", () => {
  it("do not fill one database: who comes second is refused, and changes nothing of the first one's", async () => {
    const other = mkdtempSync(join(tmpdir(), "tollgate-other-"));
    cpSync(folder, other, { recursive: true });
    const main = openConnection(mainPathOf(other), false);
    main.exec("DELETE FROM tokens");
    main.close();
    let second: Promise<unknown> | undefined;
    const { isMoved } = await promote(() => {
      second ??= promoteToDatabase({
        folder: other,
        address,
        masterKey: MASTER_KEY,
        onCopied: () => {},
        takeFolder: () => settleFolder(other, MASTER_KEY),
      }).catch((error: unknown) => error);
    });
    expect(isMoved).toBe(true);
    expect(await second).toMatchObject({ fault: { code: "database-taken" } });
    const backs = ["back", "second"].map((name) =>
      promoteToFolder({ address, folder: join(folder, name), masterKey: MASTER_KEY }),
    );
    const ended = await Promise.allSettled(backs);
    // Either may have been the first.
    expect(ended.filter(({ status }) => status === "fulfilled")).toHaveLength(1);
    expect(ended.find(({ status }) => status === "rejected")).toMatchObject({
      reason: { fault: { code: "database-taken" } },
    });
    rmSync(other, { recursive: true });
  });
});

describe("the way back", () => {
  it("waits until no node is left, and gives the database up for good", async () => {
    await promote();
    const back = join(folder, "back");
    const stores = await openDatabaseStores();
    const { epoch } = await stores.leases.join({});
    await expect(promoteToFolder({ address, folder: back, masterKey: MASTER_KEY })).rejects.toMatchObject({
      fault: { code: "database-has-nodes", nodes: 1 },
    });
    expect(existsSync(mainPathOf(back))).toBe(false);
    await stores.leases.leave(epoch);
    // It has no row any more, and is still connected.
    await expect(promoteToFolder({ address, folder: back, masterKey: MASTER_KEY })).rejects.toMatchObject({
      fault: { code: "database-has-nodes", nodes: 1 },
    });
    await stores.close();
    await promoteToFolder({ address, folder: back, masterKey: MASTER_KEY });
    // One that did not hear of it begins nothing, and books nothing that the folder would not have.
    const { leases, close } = openLeases(address, 1_000_000, async () => {});
    await expect(leases.join({})).rejects.toThrow(/moved/);
    const late: LeaseCharge = {
      requestId: "late",
      user: "user:1",
      quota: 0,
      shortfall: 5,
      key: undefined,
      keyQuota: 0,
    };
    const { requestId, userId, quota, count, tokenQuota, ...entry } = newCharge();
    await expect(leases.book({ epoch, charges: [late] }, () => entry)).rejects.toThrow(/moved/);
    await close();
    await expect(openDatabaseStores()).rejects.toMatchObject({ fault: { code: "database-left" } });
    await expect(
      promoteToFolder({ address, folder: join(folder, "third"), masterKey: MASTER_KEY }),
    ).rejects.toMatchObject({ fault: { code: "database-left" } });
    checkFolderMarks(mainPathOf(back));
  });

  it("begins its own half again, and overwrites nothing else", async () => {
    await promote();
    const full = join(folder, "full");
    cpSync(whole, full, { recursive: true });
    await expect(promoteToFolder({ address, folder: full, masterKey: MASTER_KEY })).rejects.toMatchObject({
      fault: { code: "folder-not-empty" },
    });
    expect(readdirSync(full)).toEqual(readdirSync(whole));
    // Cut off in the midst of it: both sides have the token, and files are there.
    const half = join(folder, "half");
    cpSync(whole, half, { recursive: true });
    const { noteArriving } = await import("../folder-marks");
    noteArriving(half, "cut");
    alter(logFilePath(mainPathOf(half)), "DELETE FROM logs");
    await askDatabase(address, "INSERT INTO moves VALUES (1, 'left', 'cut')");
    expect(() => checkFolderMarks(mainPathOf(half))).toThrow(/folder-incomplete/);
    expect((await promoteToFolder({ address, folder: half, masterKey: MASTER_KEY })).isMoved).toBe(true);
    expect(await readFolder(half)).toEqual(await readFolder(folder));
  });
});
