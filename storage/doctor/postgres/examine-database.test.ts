import type { BookedCharge } from "@tollgate/contract/records/lease";
import type { Kysely } from "kysely";
import { beforeAll, beforeEach, describe, expect, it } from "vitest";
import type { ChargeEntry } from "../../accounts/node-ports";
import { openAccounts } from "../../accounts/postgres/open-accounts";
import { openLeases } from "../../accounts/postgres/open-leases";
import { takeOutboxRows } from "../../accounts/postgres/outbox.repository";
import type { Tables } from "../../accounts/sql/tables";
import { openBodies } from "../../bodies/postgres/open-bodies";
import { openLog } from "../../log/postgres/open-log";
import { TAKEN_BACK } from "../../outbox/log-content";
import { createSecrets } from "../../secrets";
import { addressWith, askDatabase, newDatabase } from "../../testing/new-database";
import { MASTER_KEY, newChannel, newCharge, newToken, newUser } from "../../testing/sample-records";
import { examineDatabase } from "../examine-database";

const DAY = 1_767_225_600;

/** Made once; each test has a copy. */
let template: string;
let address: string;

/** What the log says of a charge. */
const entryOf =
  (sign: 1 | -1 = 1) =>
  ({ charged }: BookedCharge): ChargeEntry => {
    const { requestId, userId, quota, count, tokenQuota, ...entry } = newCharge({ createdAt: DAY });
    const price = charged * sign;
    return {
      ...entry,
      ...(sign < 0 ? { content: TAKEN_BACK } : {}),
      receipt: `["m","m","complete",0,20,null,13,5,null,null,null,"upstream","upstream",${price},0,1,"",[]]`,
    };
  };

/** A node that leases, one that died, late charges, one that was taken back, sums that are added up and some that are not. */
const fill = async (): Promise<void> => {
  const accounts = await openAccounts(template, createSecrets(MASTER_KEY));
  const log = await openLog(template, { all: async () => [] });
  const bodies = await openBodies(template, MASTER_KEY);
  const { leases, close } = openLeases(template, 1_000_000, async () => {});
  const takeOver = () =>
    log.takeOver((transaction) => takeOutboxRows(transaction as unknown as Kysely<Tables>, 1000));
  const { user } = await accounts.changes.users.create(
    newUser({ identity: { method: "github", subject: "1" } }),
    0,
    [],
  );
  await accounts.changes.tokens.create(newToken(user.id));
  await accounts.changes.channels.create([newChannel()]);
  await accounts.changes.sessions.create({
    idHash: "h",
    userId: user.id,
    createdTime: 1,
    expiresTime: 2,
    address: "",
    userAgent: "",
    lastUsedTime: 0,
  });
  await accounts.changes.redemptions.create([
    { userId: user.id, key: "code", name: "gift", quota: 77, createdTime: 1 },
  ]);
  await accounts.changes.redemptions.redeem("code", user.id, 2, "alice", {
    quotaPerUnit: 500_000,
    isCurrency: true,
  });
  const [dead, living] = [await leases.join({}), await leases.join({})];
  const wish = { number: 1, least: 1, ahead: 0, isLast: true };
  for (const { epoch } of [dead, living])
    for (const account of ["user:1", "key:1"] as const)
      await leases.acquire({ ...wish, epoch, account, most: 100, total: 100 });
  const charge = { user: "user:1", shortfall: 0, key: "key:1" } as const;
  const book = (epoch: number, requestId: string, quota: number) =>
    leases.book({ epoch, charges: [{ ...charge, requestId, quota, keyQuota: quota }] }, entryOf());
  await book(living.epoch, "r-1", 18);
  await book(living.epoch, "r-2", 5);
  await takeOver();
  await log.addUpSums();
  while (await log.maintenance.closeBucket(DAY + 86_400)) {
    // Step by step.
  }
  await book(living.epoch, "broken off", 9);
  await takeOver();
  await leases.refund("broken off", entryOf(-1));
  await book(living.epoch, "free", 0);
  await leases.refund("free", entryOf(-1));
  await takeOver();
  await book(living.epoch, "on its way", 4);
  await leases.refund("on its way", entryOf(-1));
  await askDatabase(
    template,
    `UPDATE nodes SET expires_at = now() - interval '1 second' WHERE epoch = ${dead.epoch}`,
  );
  await book(dead.epoch, "r-3", 7);
  await leases.expire();
  await book(dead.epoch, "late", 11);
  await close();
  await bodies.close();
  await log.close();
  await accounts.close();
};

beforeAll(async () => {
  template = await newDatabase();
  await fill();
});

beforeEach(async () => {
  address = await newDatabase(`TEMPLATE ${new URL(template).pathname.slice(1)}`);
});

const faultsAfter = async (...statements: string[]) => {
  for (const statement of statements) await askDatabase(address, statement);
  return (await examineDatabase(address)).faults;
};

/** So that PostgreSQL does not refuse the fault itself. */
const without = (table: string, ...constraints: string[]): string =>
  constraints.map((name) => `ALTER TABLE ${table} DROP CONSTRAINT ${name}`).join("; ");

describe("the doctor of a database", () => {
  it("finds nothing with open leases, a node that died, late charges and one that was taken back", async () => {
    const found = await examineDatabase(address);
    expect(found).toMatchObject({ users: 1, tokens: 1, lines: 7, waiting: 4, journalled: 0, faults: [] });
    expect(Math.abs((found.databaseTime ?? 0) - Date.now() / 1000)).toBeLessThan(60);
  });

  it("finds nothing either where no node lives any more", async () => {
    expect(await faultsAfter("UPDATE nodes SET expires_at = now() - interval '1 day'")).toEqual([]);
  });

  it.each([
    ["a balance that nobody granted", "UPDATE users SET quota = quota + 1", { code: "user-balance" }],
    ["a lease of what nobody granted", "UPDATE user_leases SET quota = quota + 1", { code: "user-balance" }],
    ["a key's balance", "UPDATE tokens SET remain_quota = 1", { code: "key-balance" }],
    ["a key's lease", "UPDATE token_leases SET quota = quota - 1", { code: "key-balance" }],
    [
      "a key that used what nobody was charged for",
      "UPDATE tokens SET used_quota = used_quota + 1",
      { code: "key-use" },
    ],
    [
      "a key from which more was taken than it used",
      "UPDATE tokens SET untaken_quota = -1",
      { code: "key-overtaken" },
    ],
    [
      "used quota without lines",
      "UPDATE users SET used_quota = used_quota + 1, quota = quota - 1",
      { code: "user-use", logged: 41 },
    ],
    [
      "a charge on its way that is gone",
      "DELETE FROM outbox WHERE batch LIKE '%\"r-3\"%'",
      { code: "user-use" },
    ],
    [
      "an outbox that cannot be read",
      "UPDATE outbox SET batch = '{' || chr(10) || chr(10)",
      { code: "outbox-row-unreadable" },
    ],
    [
      "use hidden as older than the log",
      "UPDATE users SET unlogged_quota = 1",
      { code: "user-use-before-log", user: 1 },
    ],
    [
      "the use of a channel",
      "UPDATE channels SET used_quota = 29",
      { code: "logged-use", record: "channel", stored: 29 },
    ],
    [
      "a number of requests",
      "UPDATE users SET request_count = 2",
      { code: "logged-use", record: "user", stored: 2, logged: 10 },
    ],
    ["a used code set back", "UPDATE redemptions SET status = 1", { code: "redemption-use" }],
    [
      "a node that is silent beside others, and keeps what it leases",
      "INSERT INTO nodes (heard_at, expires_at, about) SELECT heard_at, now() - interval '61 seconds', about FROM nodes",
      { code: "node-not-ended", epoch: 3 },
    ],
    [
      "a charge that is not what the log says",
      "UPDATE charges SET charged = 17 WHERE request_id = 'r-1'",
      { code: "charge-unlike-log", request: "r-1", charged: 17, logged: 18 },
    ],
    [
      "ids that would be given twice",
      "SELECT setval('log_ids', 1, false)",
      { code: "sequence-behind", table: "logs", highest: 7, next: 1 },
    ],
    ["a line that is gone", "DELETE FROM logs WHERE quota = 5", { code: "hour-lines", lines: 5, counted: 6 }],
    ["a line that was changed", "UPDATE logs SET quota = 6 WHERE quota = 5", { code: "hour-cost" }],
    ["sums that differ", "UPDATE site_hours_summed SET quota = 22", { code: "hour-sums" }],
    ["what is not added up yet", "UPDATE unsummed SET quota = 8 WHERE quota = 9", { code: "hour-cost" }],
    [
      "sums of a bucket that differ",
      "UPDATE payer_model_buckets_summed SET quota = 22",
      { code: "block-sums", table: "payer_model_buckets" },
    ],
    [
      "a payer's sums moved to another hour",
      "UPDATE payer_hours_summed SET hour = hour + 3600",
      { code: "table-sums", table: "payer_hours" },
    ],
    ["a text's hours", "UPDATE content_hours_summed SET lines = 9", { code: "text-hours" }],
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
    ["a line's user", "UPDATE logs SET user_id = 2 WHERE quota = 5", { code: "line-of-another-user" }],
    [
      "prices exchanged within an hour",
      "UPDATE logs SET quota = 23 - quota WHERE quota > 9 OR quota = 5",
      { code: "line-unlike-receipt" },
    ],
    ["a receipt that is none", "UPDATE receipts SET detail = 'x'", { code: "line-unlike-receipt" }],
    [
      "a text that there is not",
      "UPDATE logs SET content_id = 99 WHERE quota = 5",
      { code: "line-without-names" },
    ],
    [
      "a key of another user",
      "UPDATE payers SET user_id = 2 WHERE token_id = 1",
      { code: "key-of-another-user" },
    ],
    ["a database of another version", "DELETE FROM log_migrations", { code: "schema-other" }],
  ])("finds %s", async (_, sql, fault) => {
    expect(await faultsAfter(sql)).toContainEqual(expect.objectContaining(fault));
  });

  it.each([
    [
      "a balance below zero",
      without("users", "users_quota_check"),
      "UPDATE users SET quota = -1",
      { code: "user-below-zero", balance: -1 },
    ],
    [
      "a key's balance below zero",
      without("tokens", "tokens_remain_quota_check"),
      "UPDATE tokens SET remain_quota = -1",
      { code: "key-below-zero" },
    ],
    [
      "a lease below zero",
      without("user_leases", "user_leases_quota_check"),
      "UPDATE user_leases SET quota = -1",
      { code: "lease-below-zero", record: "user", id: 1, leased: -1 },
    ],
    [
      "a lease of no node",
      without("user_leases", "user_leases_epoch_fkey"),
      "UPDATE user_leases SET epoch = 99",
      { code: "row-of-nobody", table: "user_leases", parent: "nodes" },
    ],
    [
      "a lease of nobody's balance",
      without("token_leases", "token_leases_token_id_fkey"),
      "UPDATE token_leases SET token_id = 99",
      { code: "row-of-nobody", table: "token_leases", parent: "tokens" },
    ],
    [
      "an account elsewhere that belongs to nobody",
      without("identities", "identities_user_id_fkey"),
      "UPDATE identities SET user_id = 99",
      { code: "row-of-nobody", table: "identities", parent: "users" },
    ],
    [
      "a session of nobody",
      without("sessions", "sessions_user_id_fkey"),
      "UPDATE sessions SET user_id = 99",
      { code: "row-of-nobody", table: "sessions", parent: "users" },
    ],
  ])("finds %s, which PostgreSQL would refuse", async (_, before, sql, fault) => {
    expect(await faultsAfter(before, sql)).toContainEqual(expect.objectContaining(fault));
  });

  it("reads everything as of one moment: leases and charges meanwhile change nothing", async () => {
    let isDone = false;
    const lease = async (): Promise<void> => {
      while (!isDone)
        await askDatabase(
          address,
          "BEGIN; UPDATE user_leases SET quota = quota + 1; UPDATE users SET quota = quota - 1; COMMIT",
        );
    };
    const leasing = lease();
    for (let round = 0; round < 10; round += 1) expect((await examineDatabase(address)).faults).toEqual([]);
    isDone = true;
    await leasing;
  });

  it("says why a database cannot be read", async () => {
    await expect(examineDatabase(addressWith({ pathname: "/nowhere" }))).rejects.toMatchObject({
      fault: { code: "database-missing", database: "nowhere" },
    });
    expect((await examineDatabase(await newDatabase())).faults).toEqual([{ code: "schema-other" }]);
  });
});
