import { copyFileSync, cpSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { someOf } from "@tollgate/testkit/seeds";
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { type Charge, encodeCharges } from "../accounts/charges";
import { JournalFiles } from "../journal/journal-files";
import { journalPaths } from "../journal/read-journal";
import { logFilePath } from "../log/sqlite/log-file";
import { openWriter } from "../open-sqlite";
import { openConnection } from "../sqlite/connection";
import { migrate } from "../sqlite/migrate";
import { openStores } from "../testing/open-stores";
import { MASTER_KEY, moved, newCharge, newToken, newUser } from "../testing/sample-records";
import { examine } from "./examine";

/** Made once; each test has a copy. */
let whole: string;
let folder: string;
let path: string;

const receiptOf = (quota: number): string =>
  `["m","m","complete",0,20,null,13,5,null,null,null,"upstream","upstream",${quota},0,1,"",[]]`;

const chargeOf = (requestId: string, userId: number, tokenId: number, quota: number): Charge =>
  newCharge({
    ...{ requestId, userId, tokenId, quota, createdAt: 1_767_225_600, receipt: receiptOf(quota) },
    ...{ cacheReadTokens: 4, cacheWriteTokens: 2, isOtherModel: false, cost: 4000 },
  });

/** The cost of an attempt for which no customer was charged: it has no line. */
const ended = newCharge({
  ...{ requestId: "", userId: 1, tokenId: 1, quota: 0, tokenQuota: 0, createdAt: 1_767_225_600 },
  ...{ count: "ended", isLogged: false, content: "", cost: 1 },
});

/** A folder with a user who was given, took back, redeemed and used, with one batch not taken over yet. */
beforeAll(async () => {
  whole = mkdtempSync(join(tmpdir(), "tollgate-doctor-"));
  path = join(whole, "tollgate.db");
  const stores = await openStores(path);
  const { users, tokens, charges, redemptions } = stores.writer.repositories;
  const { log } = stores.log.repositories;
  const { user } = await users.create(newUser({ identity: { method: "github", subject: "1" } }), 0, []);
  const { token } = await tokens.create(newToken(user.id));
  await users.change(user.id, { quotaMove: moved(-300) });
  await tokens.change(user.id, token.id, { remainQuotaMove: moved(40) });
  await redemptions.create([{ userId: user.id, key: "code", name: "gift", quota: 77, createdTime: 1 }]);
  await redemptions.redeem("code", user.id, 2, "alice", { quotaPerUnit: 500_000, isCurrency: true });
  tamper(
    path,
    `INSERT INTO channels (type, key_sealed, created_time, name) VALUES (1, 's', 1, 'upstream');
     INSERT INTO sessions (id_hash, user_id, created_time, expires_time) VALUES ('h', 1, 1, 2)`,
  );
  stores.commit(chargeOf("r-1", user.id, token.id, 18), chargeOf("r-2", user.id, token.id, 5), ended);
  while (log.closeBucket(1_767_225_600 + 86_400)) {
    // Step by step.
  }
  charges.commit(...encodeCharges([chargeOf("r-3", user.id, token.id, 7)]));
  stores.close();
  // Everything into the files themselves, so that they can be copied and damaged.
  for (const file of [path, logFilePath(path)]) tamper(file, "PRAGMA wal_checkpoint(TRUNCATE)");
});

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "tollgate-doctor-"));
  cpSync(whole, folder, { recursive: true });
  path = join(folder, "tollgate.db");
});

afterEach(() => rmSync(folder, { recursive: true }));
afterAll(() => rmSync(whole, { recursive: true }));

/** Columns with a number in them, of every table that has rows. */
const columnsOf = (file: string): [table: string, column: string][] => {
  const connection = openConnection(file, true);
  const tables = connection
    .prepare(
      "SELECT name FROM sqlite_master WHERE type = 'table' AND name NOT LIKE 'sqlite_%' AND name NOT LIKE 'kysely_%'",
    )
    .all() as { name: string }[];
  const columns = tables.flatMap(({ name }) => {
    const [row] = connection.prepare(`SELECT * FROM ${name} LIMIT 1`).all() as Record<string, unknown>[];
    return Object.entries(row ?? {})
      .filter(([, value]) => typeof value === "number")
      .map(([column]): [string, string] => [name, column]);
  });
  connection.close();
  return columns;
};

const tamper = (file: string, sql: string): void => {
  const connection = openConnection(file, false);
  connection.exec(sql);
  connection.close();
};

describe("the doctor", () => {
  it("finds no fault when everything is accounted for, also for charges that wait for their lines", async () => {
    expect(await examine(path)).toMatchObject({
      users: 1,
      tokens: 1,
      lines: 3,
      waiting: 1,
      journalled: 0,
      newestTime: expect.any(Number),
      faults: [],
    });
  });

  it("accounts for refunds of requests, whose lines wait for the log or are in it", async () => {
    const refunds = async (requestId: string, charged: number, quota: number): Promise<void> => {
      const writer = await openWriter(path, MASTER_KEY);
      await writer.repositories.requestRefunds.refund({
        ...{ requestId, userId: 1, charged, quota, actorId: 1, actorName: "root", reason: "it was wrong" },
        ...{ createdAt: 1_767_229_300, username: "alice", keyId: 1, keyName: "laptop", channelId: 1 },
        ...{ modelName: "gpt-4", mostOfKey: charged, hasCost: false, chargedAt: 1, isLogged: true },
      });
      writer.close();
    };
    tamper(path, "UPDATE users SET role = 100");
    await refunds("r-1", 18, 11);
    expect(await examine(path)).toMatchObject({ waiting: 1, faults: [] });
    const stores = await openStores(path);
    stores.commit(chargeOf("r-4", 1, 1, 2));
    stores.close();
    expect((await examine(path)).faults).toEqual([]);
    await refunds("r-4", 2, 2);
    expect((await examine(path)).faults).toEqual([]);
    tamper(path, "UPDATE request_refunds SET quota = 1, key_quota = 1 WHERE request_id = 'r-4'");
    expect((await examine(path)).faults).toEqual([
      expect.objectContaining({ code: "request-refund", request: "r-4", quota: 1, entered: 2 }),
      expect.objectContaining({ code: "channel-refunds", channel: 1, refunded: 13, entered: 12 }),
      expect.objectContaining({ code: "user-use", logged: 31, used: 32 }),
    ]);
  });

  it("accounts for the shortfall of a key (M1)", async () => {
    const writer = await openWriter(path, MASTER_KEY);
    writer.repositories.charges.commit(...encodeCharges([{ ...chargeOf("r-4", 1, 1, 9), tokenQuota: 2 }]));
    writer.close();
    expect((await examine(path)).faults).toEqual([]);
    tamper(path, "UPDATE tokens SET untaken_quota = 0");
    expect((await examine(path)).faults).toContainEqual(
      expect.objectContaining({ code: "key-use", used: 39, taken: 32, untaken: 0, due: 32 }),
    );
  });

  it("counts charges that only the journal has, and finds charges that it lacks", async () => {
    const [journal] = journalPaths(path);
    const files = new JournalFiles(path, { initial: 4096, reserve: 1024 });
    for (const [id, requestId] of [
      [1, "r-4"],
      [2, "r-5"],
      [3, "r-6"],
    ] as const) {
      const [changes, entries] = encodeCharges([chargeOf(requestId, 1, 1, 5)]);
      await new Promise((resolve) => files.append({ id, changes, entries }, resolve));
    }
    files.close(false);
    expect(await examine(path)).toMatchObject({ journalled: 3, faults: [] });
    const bytes = readFileSync(journal);
    bytes.fill(0, 400, 420);
    writeFileSync(journal, bytes);
    expect((await examine(path)).faults).toEqual([
      expect.objectContaining({ code: "journal-damaged", file: "charges-a.journal" }),
      { code: "journal-batch-missing", batch: 2 },
    ]);
  });

  it.each([
    [
      "a balance that nobody granted",
      "UPDATE users SET quota = quota + 1",
      { code: "user-balance", balance: 748 },
    ],
    [
      "a key's balance",
      "UPDATE tokens SET remain_quota = 1",
      { code: "key-balance", key: 1, name: "laptop", balance: 1 },
    ],
    [
      "a key that used what nobody was charged for",
      "UPDATE tokens SET used_quota = used_quota + 1",
      { code: "key-use", key: 1, name: "laptop", used: 31, taken: 30, untaken: 0, due: 30 },
    ],
    [
      "a key from which more was taken than it used",
      "UPDATE tokens SET untaken_quota = -1, used_quota = used_quota - 1",
      { code: "key-overtaken", key: 1 },
    ],
    [
      "a grant without an entry, with the balance",
      "DROP TRIGGER users_moved; UPDATE users SET quota = quota + 1, granted_quota = granted_quota + 1",
      { code: "user-ledger", granted: 778, entered: 777 },
    ],
    [
      "a key's grant without an entry",
      "DROP TRIGGER tokens_moved; UPDATE tokens SET remain_quota = remain_quota + 1, granted_quota = granted_quota + 1",
      { code: "key-ledger", granted: 541, entered: 540 },
    ],
    [
      "an entry that is gone",
      "DELETE FROM ledger_entries WHERE cause = 'redeemed'",
      { code: "user-ledger", granted: 777, entered: 700 },
    ],
    [
      "more taken from commissions than was earned",
      "INSERT INTO ledger_entries (user_id, account, amount, cause, created_at) VALUES (1, 'commission', -5, 'paid-out', 1)",
      { code: "ledger-below-zero", account: "commission", balance: -5 },
    ],
    [
      "a period of a plan without an entry",
      `INSERT INTO subscriptions VALUES (3, 1, 1, 'A', 0, 'month', 1, 5, 'day', '', 'balance', 0, 9, 'active', 'gift', 'r', NULL, '', 0, 0, 0, '');
       INSERT INTO plan_periods VALUES (3, 2, 1, 0, 9, 'open', 5, 5, 0, 0, 0)`,
      { code: "plan-ledger", subscription: 3, period: 2, granted: 5, taken: 0, entered: 0, back: 0 },
    ],
    [
      "a period of a plan of which more was taken back than the ledger says",
      `INSERT INTO subscriptions VALUES (3, 1, 1, 'A', 0, 'month', 1, 5, 'day', '', 'balance', 0, 9, 'active', 'gift', 'r', NULL, '', 0, 0, 0, '');
       INSERT INTO plan_periods VALUES (3, 2, 1, 0, 9, 'closed', 0, 0, 0, 0, 0);
       INSERT INTO ledger_entries (user_id, account, amount, cause, reference, created_at) VALUES
         (1, 'balance', -2, 'plan-expiry', '3/2', 1), (1, 'balance', -4, 'plan-expiry', '3/2/2', 1)`,
      { code: "plan-ledger", subscription: 3, period: 2, taken: 0, back: 6 },
    ],
    [
      "more put aside than the ledger says",
      "INSERT INTO plan_accounts VALUES (1, 0, 0, 5)",
      { code: "plan-parked", user: 1, parked: 5, entered: 0 },
    ],
    [
      "money put aside of which nothing is known but its entry",
      "INSERT INTO ledger_entries (user_id, account, amount, cause, created_at) VALUES (1, 'parked', 5, 'plan-parked', 1)",
      { code: "plan-parked", user: 1, parked: 0, entered: 5 },
    ],
    [
      "used quota without lines",
      "UPDATE users SET used_quota = 31, quota = 746",
      { code: "user-use", logged: 30 },
    ],
    [
      "an account elsewhere that belongs to nobody",
      "PRAGMA foreign_keys = OFF; INSERT INTO identities VALUES (99, 'github', '9')",
      { code: "row-of-nobody", table: "identities", parent: "users" },
    ],
    [
      "an account elsewhere without a name",
      "PRAGMA ignore_check_constraints = ON; INSERT INTO identities VALUES (1, 'wechat', '')",
      { code: "file-damaged", reason: "CHECK constraint failed in identities" },
    ],
    ["a charge on its way that is gone", "DELETE FROM outbox WHERE id = 3", { code: "outbox-lacks-charges" }],
    [
      "an outbox that cannot be read",
      "UPDATE outbox SET batch = '{' || char(10) || char(10)",
      { code: "outbox-row-unreadable", row: 3 },
    ],
  ])("finds %s", async (_, sql, fault) => {
    tamper(path, sql);
    expect((await examine(path)).faults).toContainEqual(expect.objectContaining(fault));
  });

  it.each([
    ["a line that is gone", "DELETE FROM logs WHERE quota = 5", { code: "hour-lines", lines: 1, counted: 2 }],
    [
      "a line that was changed",
      "UPDATE logs SET quota = 6 WHERE quota = 5",
      { code: "hour-cost", cost: 24, summed: 23 },
    ],
    ["costs of lines above their sum", "UPDATE logs SET cost = cost + 1", { code: "line-sums" }],
    ["a cost that is gone", "UPDATE logs SET cost = NULL WHERE quota = 5", { code: "line-sums" }],
    [
      "sums that differ",
      "UPDATE site_hours SET quota = 22",
      { code: "hour-sums", column: "quota", whole: 22, table: "payer_hours", sum: 23 },
    ],
    [
      "sums of a model that differ",
      "UPDATE model_hours SET quota = 22",
      { code: "hour-sums", column: "quota", whole: 23, table: "model_hours", sum: 22 },
    ],
    [
      "sums of a bucket that differ",
      "UPDATE payer_model_buckets SET quota = 22",
      { code: "block-sums", block: "bucket", whole: 23, table: "payer_model_buckets", sum: 22 },
    ],
    [
      "a bucket that is gone",
      "DELETE FROM payer_buckets",
      { code: "block-sums", whole: 23, table: "payer_buckets", sum: 0 },
    ],
    [
      "a sum that was changed everywhere",
      "UPDATE payer_hours SET quota = 22 WHERE quota = 23",
      { code: "user-use", logged: 29 },
    ],
    [
      "a receipt that is gone",
      "DELETE FROM receipts WHERE request_id = 'r-1'",
      { code: "line-without-receipt" },
    ],
    [
      "a request that is there twice",
      "INSERT INTO receipts SELECT id + 100, request_id, created_at, payer_id, model_id, channel_id, 0, 0, detail FROM receipts WHERE request_id = 'r-1'",
      { code: "request-repeated", request: "r-1", times: 2 },
    ],
  ])("finds %s", async (_, sql, fault) => {
    tamper(logFilePath(path), sql);
    expect((await examine(path)).faults).toContainEqual(expect.objectContaining(fault));
  });

  it("says when there is nothing to examine, or the data is of another version", async () => {
    expect((await examine(join(folder, "elsewhere", "tollgate.db"))).faults).toMatchObject([
      { code: "file-missing" },
    ]);
    const old = join(folder, "old.db");
    const connection = openConnection(old, false);
    await migrate(connection, { "9999-other": { up: async () => {} } });
    connection.close();
    expect(await examine(old)).toMatchObject({
      isExamined: false,
      faults: [{ code: "schema-newer", migration: "9999-other" }],
    });
    tamper(logFilePath(path), "DELETE FROM kysely_migration");
    expect((await examine(path)).faults).toEqual([{ code: "schema-other" }]);
    // A former list of migrations: the start refuses it as well.
    tamper(logFilePath(path), "CREATE TABLE migrations (name TEXT)");
    expect((await examine(path)).faults).toEqual([{ code: "schema-too-old" }]);
  });

  it.each([
    [
      "use hidden as older than the log",
      "UPDATE users SET unlogged_quota = 30, used_quota = 60, quota = 717",
      { code: "user-use-before-log" },
    ],
    [
      "the use of a key",
      "UPDATE tokens SET used_quota = 31, untaken_quota = 1",
      { code: "logged-use", record: "key", id: 1, column: "used_quota", stored: 31, logged: 30 },
    ],
    [
      "the use of a channel",
      "UPDATE channels SET used_quota = 29",
      { code: "logged-use", record: "channel", id: 1, stored: 29 },
    ],
    [
      "a number of requests",
      "UPDATE users SET request_count = 2",
      { code: "logged-use", record: "user", column: "request_count", stored: 2, logged: 3 },
    ],
    ["a used code set back", "UPDATE redemptions SET status = 1", { code: "redemption-use", redemption: 1 }],
    [
      "a used code set back with its time",
      "UPDATE redemptions SET status = 1, redeemed_time = 0",
      { code: "redemption-use", redemption: 1 },
    ],
    [
      "a key of nobody",
      "PRAGMA foreign_keys = OFF; UPDATE tokens SET user_id = 9",
      { code: "row-of-nobody", table: "tokens", parent: "users" },
    ],
  ])("finds in the main file %s (M12)", async (_, sql, fault) => {
    tamper(path, sql);
    expect((await examine(path)).faults).toContainEqual(expect.objectContaining(fault));
  });

  it.each([
    [
      "a line's tokens",
      "UPDATE logs SET prompt_tokens = 14 WHERE quota = 5",
      /lines and the sums do not say the same/,
    ],
    ["a line's user", "UPDATE logs SET user_id = 2 WHERE quota = 5", { code: "line-of-another-user" }],
    [
      "prices exchanged within an hour",
      "UPDATE logs SET quota = 23 - quota",
      { code: "line-unlike-receipt", line: 2 },
    ],
    [
      "a receipt that says another price than its line",
      "UPDATE receipts SET detail = replace(detail, ',18,0,', ',17,0,')",
      { code: "line-unlike-receipt" },
    ],
    ["a receipt that is none", "UPDATE receipts SET detail = 'x'", { code: "line-unlike-receipt" }],
    [
      "a payer's sums moved to another hour",
      "UPDATE payer_hours SET hour = hour + 3600",
      { code: "table-sums", table: "payer_hours" },
    ],
  ])("finds in the log file %s (M12)", async (_, sql, fault) => {
    tamper(logFilePath(path), sql);
    expect((await examine(path)).faults).toContainEqual(expect.objectContaining(fault));
  });

  it.each(["tollgate.db", "logs.sqlite"])(
    "says of %s that it is damaged, whatever is in it (M12)",
    async (name) => {
      const file = join(folder, name);
      const undamaged = readFileSync(file);
      const step = Math.floor(undamaged.length / 12);
      const damages = [
        Buffer.alloc(0),
        Buffer.from("nothing of the kind ".repeat(400)),
        undamaged.subarray(0, 5000),
        Buffer.from(undamaged).fill(0, 0, 100),
        ...Array.from({ length: 12 }, (_, i) => Buffer.from(undamaged).fill(0xa5, i * step, i * step + 500)),
      ];
      for (const [index, bytes] of damages.entries()) {
        for (const rest of ["-wal", "-shm"]) rmSync(file + rest, { force: true });
        writeFileSync(file, bytes);
        const { faults } = await examine(path);
        // Bytes of a page that nothing stands in may be any.
        if (index < 4) expect(faults.length, `damage ${index}`).toBeGreaterThan(0);
        expect(JSON.stringify(faults), `damage ${index}`).not.toMatch(/\\n\s+at /);
      }
    },
  );
});

/**
 * Numbers that nothing else in the folder says as well, so that the doctor cannot know a wrong one.
 */
const UNNOTICED: readonly string[] = [
  "main: users.role",
  "main: users.status",
  "main: users.inviter_id",
  "main: users.created_time",
  "main: users.is_returning",
  "main: sessions.created_time",
  "main: sessions.expires_time",
  "main: sessions.last_used_time",
  "main: passkeys.counter",
  "main: passkeys.created_time",
  "main: passkeys.last_used_time",
  "main: passkeys.last_challenge",
  "main: tokens.status",
  "main: tokens.created_time",
  "main: tokens.accessed_time",
  "main: tokens.expired_time",
  "main: tokens.former_until",
  "main: tokens.unlimited_quota",
  "main: tokens.no_fallbacks",
  "main: channels.type",
  "main: channels.key_count",
  "main: channels.status",
  "main: channels.weight",
  "main: channels.priority",
  "main: channels.created_time",
  "main: channels.test_time",
  "main: channels.response_time",
  "main: channels.balance",
  "main: channels.balance_updated_time",
  "main: channels.skips_tests",
  "main: channels.closed_until",
  "main: channels.used_requests",
  "main: channels.spent",
  "main: channels.typed_spent",
  "main: redemptions.user_id",
  "main: redemptions.created_time",
  "main: redemptions.expires_time",
  "main: journal_state.newest_batch",
  "main: ledger_entries.actor_id",
  "main: redemption_uses.id",
  "log: logs.first_byte_ms",
  "log: logs.is_interrupted",
  // Statistics alone: lines that are older than the table have none, so nothing can be counted again.
  "log: latency_hours.hour",
  "log: latency_hours.model_id",
  "log: latency_hours.channel_id",
  "log: latency_hours.measure",
  "log: latency_hours.bucket",
  "log: latency_hours.requests",
];

describe("a number that is changed (M12)", () => {
  it("is found wherever something else says it as well; the list names all others", async () => {
    expect((await examine(path)).faults).toEqual([]);
    const unnoticed: string[] = [];
    const tried = new Set<string>();
    const copy = mkdtempSync(join(tmpdir(), "tollgate-mutant-"));
    const copyPath = join(copy, "tollgate.db");
    const files = [
      ["main", path, copyPath],
      ["log", logFilePath(path), logFilePath(copyPath)],
    ] as const;
    try {
      for (const [file, source] of files) {
        const columns = columnsOf(source);
        expect(columns.length).toBeGreaterThan(40);
        for (const [table, column] of someOf(columns)) {
          for (const [, from, to] of files) {
            for (const rest of ["", "-wal", "-shm"]) rmSync(to + rest, { force: true });
            copyFileSync(from, to);
          }
          expect(unnoticed.length > 0 || (await examine(copyPath)).faults.length === 0).toBe(true);
          const target = file === "main" ? copyPath : logFilePath(copyPath);
          try {
            tamper(target, `PRAGMA foreign_keys = OFF; UPDATE ${table} SET "${column}" = "${column}" + 1`);
          } catch {
            // SQLite refuses it.
            continue;
          }
          tried.add(`${file}: ${table}.${column}`);
          if ((await examine(copyPath)).faults.length === 0) unnoticed.push(`${file}: ${table}.${column}`);
        }
      }
    } finally {
      rmSync(copy, { recursive: true });
    }
    expect(unnoticed.sort()).toEqual(UNNOTICED.filter((each) => tried.has(each)).sort());
  });
});
