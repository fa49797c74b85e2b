import { createHash } from "node:crypto";
import { copyFileSync, existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { callApi, cookiesOf } from "@tollgate/demo/api-client";
import { type MariadbServer, startMariadb } from "@tollgate/testkit/mariadb-server";
import { type PostgresServer, startPostgres } from "@tollgate/testkit/postgres-server";
import { createDataDir, startServer } from "@tollgate/testkit/server-process";
import Database from "libsql";
import mysql from "mysql2/promise";
import pg from "pg";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { appCode } from "../authenticator";
import { runTollgate } from "../run-tollgate";
import { fillMysql, fillPostgres, makeSqliteFile } from "./gateway-database";
import type { Series } from "./gateway-schemas";
import { APP_SECRET, keyOf, PASSWORD } from "./odd-rows";

const NOW = Math.floor(Date.now() / 1000);
const MASTER_KEY = Buffer.alloc(32, 5).toString("base64");
const SERIES: readonly Series[] = ["one-api-0.5", "one-api-0.6", "new-api"];
/** A word that stands nowhere but in addresses. */
const SECRET = "geheim-4711";

interface Report {
  origin: { series: string; version?: string };
  tables: {
    table: string;
    read: number;
    taken: number;
    leftOut: number;
    remarks: { effect: string; code: string; count: number; rows: { id: number | string }[] }[];
  }[];
  quota: Record<"before" | "leftOut" | "changed" | "after", string>;
  unknown: { tables: { table: string }[]; columns: { column: string }[] };
}

/** `users left-out user-deleted 20` … */
const remarksOf = ({ tables }: Report): string[] =>
  tables.flatMap(({ table, remarks }) =>
    remarks.flatMap(({ effect, code, rows }) => rows.map(({ id }) => `${table} ${effect} ${code} ${id}`)),
  );

let mariadb: MariadbServer;
let postgres: PostgresServer;
let folder: string;

beforeAll(async () => {
  folder = createDataDir();
  [mariadb, postgres] = await Promise.all([startMariadb(), startPostgres()]);
});
afterAll(() => Promise.all([mariadb?.stop(), postgres?.stop()]));

const makePostgres = async (name: string): Promise<string> => {
  const client = new pg.Client({ connectionString: postgres.address() });
  await client.connect();
  await client.query(`CREATE DATABASE ${name}`);
  await client.end();
  return postgres.address(name);
};

const makeMysql = async (name: string, series: Series): Promise<string> => {
  const { user, socket } = mariadb;
  const connection = await mysql.createConnection({ socketPath: socket, user, charset: "utf8mb4" });
  await connection.query(`CREATE DATABASE ${name} CHARACTER SET utf8mb4`);
  await connection.query(`USE ${name}`);
  await connection.query(`CREATE USER ${name}@localhost IDENTIFIED BY '${SECRET}'`);
  await connection.query(`GRANT SELECT ON ${name}.* TO ${name}@localhost`);
  await fillMysql(
    async (statements) => {
      for (const statement of statements) await connection.query(statement);
    },
    series,
    NOW,
  );
  await connection.end();
  return `${name}:${SECRET}@unix(${socket})/${name}?charset=utf8mb4&parseTime=True`;
};

const DECISIONS = ["--missing-prices", "refuse"];

/** What is said of all of them, on every engine. */
const COMMON = [
  "users changed quota-negative 3",
  "users changed email-taken 3",
  "users noted password-none 4",
  "users noted username-alike 5",
  "users changed user-role 6",
  "users changed user-status 7",
  "users changed user-role-none 8",
  "users changed github-name 10",
  "users changed identity-taken 12",
  "users changed aff-code-taken 12",
  "users changed username-empty 13",
  "users changed use-below-log 2",
  "tokens changed quota-negative 2",
  "tokens left-out key-of-nobody 3",
  "tokens noted key-with-dash 4",
  "tokens changed name-cut 7",
  "tokens left-out key-taken 8",
  "tokens changed key-status 9",
  "tokens left-out key-empty 10",
  "channels left-out channel-type-unknown 2",
  "channels changed channel-key-missing 3",
  "redemptions left-out code-redeemer-unknown 3",
  "redemptions left-out code-without-quota 4",
  "redemptions changed code-status 5",
  "logs noted line-of-nobody 2",
  "logs changed line-amount 3",
  "logs changed line-time 4",
  "logs left-out line-type-unknown 6",
];

const OF_SERIES: Readonly<Record<Series, readonly string[]>> = {
  "one-api-0.5": ["channels changed channel-mapping-invalid 4"],
  "one-api-0.6": [
    "channels changed channel-mapping-ignored 4",
    "users left-out user-deleted 20",
    "users noted identity-unknown 21",
    "tokens left-out key-of-nobody 20",
    "tokens changed key-networks 25",
    "logs changed line-of-test 20",
  ],
  "new-api": [
    "channels changed channel-mapping-invalid 4",
    "users left-out user-deleted 20",
    "users changed reward-added 21",
    "users noted settings-left 21",
    "users noted identity-unknown 22",
    "tokens left-out key-of-nobody 20",
    "tokens changed key-without-models 23",
    "tokens changed key-networks 25",
    "tokens left-out key-deleted 26",
    "redemptions changed code-expired 20",
    "redemptions left-out code-deleted 23",
    "logs left-out line-of-error 20",
    "logs changed line-of-refund 21",
    "logs left-out line-of-sign-in 22",
    "top_ups changed top-up-as-line 1",
    "top_ups left-out top-up-not-a-line 2",
    "user_subscriptions changed subscription-plan 1",
    "two_fas left-out second-factor 1",
    "two_fas changed second-factor-codes 2",
    "two_fas left-out subscription-of-nobody 3",
    "user_subscriptions left-out subscription-over 2",
    "options changed announcements-imported console_setting.announcements",
    "options changed announcements-unreadable console_setting.announcements",
    "options changed chats-imported Chats",
    "options changed chats-unknown Chats",
  ],
};

const ONLY_SQLITE = [
  "users left-out id-invalid 0",
  "users left-out id-invalid -5",
  "users changed cell-not-text 40",
  "users changed quota-too-large 41",
  "users changed cell-unreadable 42",
  "users changed cell-not-text 42",
  "logs changed cell-cut 30",
];

const digestOf = (path: string): string => createHash("sha256").update(readFileSync(path)).digest("hex");

const expectSums = ({ tables, quota }: Report): void => {
  for (const { read, taken, leftOut } of tables) expect(read).toBe(taken + leftOut);
  expect(BigInt(quota.before) - BigInt(quota.leftOut) + BigInt(quota.changed)).toBe(BigInt(quota.after));
};

describe.each(SERIES)("the database of %s", (series) => {
  const name = series.replaceAll(/\W/g, "_");
  const expected = [...COMMON, ...OF_SERIES[series]];

  it("names every odd row of a file, writes nothing before it is asked to, and passes the doctor then", async () => {
    const path = join(folder, `${name}.db`);
    makeSqliteFile(path, series, NOW);
    const before = digestOf(path);
    const env = { DATA_DIR: join(folder, name) };

    const dry = await runTollgate(["--json", "import", "--from", path, ...DECISIONS], env);
    expect(dry.stderr).not.toMatch(/error/i);
    expect(dry.status).toBe(0);
    const report = JSON.parse(dry.stdout) as Report;
    expect(report.origin.series).toBe(series);
    expect(remarksOf(report)).toEqual(expect.arrayContaining([...expected, ...ONLY_SQLITE]));
    expectSums(report);
    expect(existsSync(env.DATA_DIR)).toBe(false);

    const done = await runTollgate(["import", "--from", path, "--apply", ...DECISIONS], env);
    expect(done.stdout).toContain("All of it was written.");
    expect(digestOf(path)).toBe(before);
    expect(readdirSync(folder).filter((file) => file.startsWith(`${name}.db`))).toEqual([`${name}.db`]);
    expect(readdirSync(env.DATA_DIR).sort()).toEqual([
      "logs.sqlite",
      "master.key",
      "tollgate.db",
      "tollgate.lock",
    ]);
    expect(await runTollgate(["doctor"], env)).toMatchObject({ status: 0 });
    const again = await runTollgate(["import", "--from", path, "--apply", ...DECISIONS], env);
    expect(again).toMatchObject({
      status: 1,
      stderr: expect.stringContaining("already has data of its own"),
    });
  });

  it("is the same in MariaDB, whose password is told nowhere", async () => {
    const address = await makeMysql(name, series);
    const env = { DATA_DIR: join(folder, `${name}-from-mysql`) };
    const report = join(folder, `${name}.json`);
    const words = ["import", "--from", address, "--apply", "--report", report, ...DECISIONS];
    const ran = await runTollgate(words, env);
    expect(ran.status).toBe(0);
    const text = readFileSync(report, "utf8");
    expect(remarksOf(JSON.parse(text) as Report)).toEqual(expect.arrayContaining(expected));
    expectSums(JSON.parse(text) as Report);
    expect(`${ran.stdout}${ran.stderr}${text}`).not.toContain(SECRET);
    expect(`${ran.stdout}${ran.stderr}${text}`).not.toContain(keyOf(1));
    expect(await runTollgate(["doctor"], env)).toMatchObject({ status: 0 });
  });

  it("is the same in PostgreSQL, from which it goes to a database", async () => {
    const address = await makePostgres(`from_${name}`);
    await fillPostgres(address, series, NOW);
    const env = {
      DATA_DIR: join(folder, `${name}-none`),
      DATABASE_URL: await makePostgres(`to_${name}`),
      MASTER_KEY,
    };
    mkdirSync(env.DATA_DIR);
    const words = ["--json", "import", "--from", address, ...DECISIONS];
    const dry = await runTollgate(words, env);
    expect(dry.status).toBe(0);
    const ran = await runTollgate([...words, "--apply"], env);
    expect(ran.status).toBe(0);
    expect(remarksOf(JSON.parse(ran.stdout) as Report)).toEqual(expect.arrayContaining(expected));
    expect(await runTollgate(["doctor"], env)).toMatchObject({ status: 0 });
    const again = await runTollgate([...words, "--apply"], env);
    expect(again).toMatchObject({
      status: 1,
      stdout: expect.stringContaining("already has data of its own"),
    });
  });
});

it("keeps ids, balances and the next id, lets the same people in, and an old name be edited", async () => {
  const path = join(folder, "kept.db");
  makeSqliteFile(path, "new-api", NOW);
  const dataDir = join(folder, "kept");
  // What the first start makes may be there.
  const fresh = await startServer({ dataDir, env: { ALLOW_DEFAULT_PASSWORD: "0" } });
  await fresh.stop();
  const done = await runTollgate(["import", "--from", path, "--apply", ...DECISIONS], {
    DATA_DIR: dataDir,
  });
  expect(done.status).toBe(0);
  const server = await startServer({ dataDir });
  const root = await server.signIn("root", PASSWORD);
  const userOf = async (id: number) =>
    (await root.api("GET", `/api/user/${id}`)).body.data as Record<string, unknown>;
  expect(await userOf(3)).toMatchObject({ username: "user3", quota: 0, used_quota: 100 });
  // The balance, what is left of a plan's period, and a reward.
  expect(await userOf(21)).toMatchObject({ quota: 1000 + 600 + 70, github_id: "12345" });
  expect(await userOf(11)).toMatchObject({ group: "vip", inviter_id: 2, aff_code: "c11" });
  const edited = await root.api("PUT", "/api/user/", {
    ...(await userOf(9)),
    display_name: "Renamed",
    password: "",
  });
  expect(edited.body).toMatchObject({ success: true });
  await server.signIn("alice", PASSWORD);
  // The app of before goes on showing the codes that are asked for.
  const begun = await callApi("POST", `${server.url}/api/user/login`, {
    username: "user22",
    password: PASSWORD,
  });
  expect(begun.body.data).toEqual({ require_2fa: true, needs_setup: false });
  const code = { code: appCode(APP_SECRET) };
  const cookie = cookiesOf(begun);
  const entered = await callApi("POST", `${server.url}/api/user/login/2fa`, code, { cookie });
  expect(entered.body).toMatchObject({ success: true, data: { username: "user22" } });
  await root.api("POST", "/api/user/", { username: "newcomer", password: PASSWORD });
  const found = (await root.api("GET", "/api/user/search?keyword=newcomer")).body.data as { id: number }[];
  // Above every id that a user or a line ever had.
  expect(found[0]?.id).toBe(99);
  await server.stop();
});

it("refuses an unrecognised database, and names the reason", async () => {
  const env = { DATA_DIR: join(folder, "refused") };
  const refusalOf = async (change: string): Promise<string> => {
    const path = join(folder, "other.db");
    makeSqliteFile(path, "one-api-0.5", NOW);
    const file = new Database(path);
    file.exec(change);
    file.close();
    const { status, stderr } = await runTollgate(["import", "--from", path, "--apply"], env);
    expect(status).toBe(1);
    return stderr;
  };
  expect(await refusalOf("CREATE TABLE prices (model TEXT)")).toContain("one-hub");
  expect(await refusalOf("ALTER TABLE channels ADD COLUMN auto_ban INTEGER")).toContain("before 0.8.5");
  expect(await refusalOf("DROP TABLE tokens")).toContain("tokens is missing");
  expect(existsSync(env.DATA_DIR)).toBe(false);
});

it("refuses files that are no database or damaged, and addresses without telling them", async () => {
  const env = { DATA_DIR: join(folder, "nowhere") };
  const whole = join(folder, "whole.db");
  makeSqliteFile(whole, "new-api", NOW);
  const damaged = join(folder, "damaged.db");
  const bytes = readFileSync(whole);
  bytes.fill(0xa5, 4096, 40_960);
  writeFileSync(damaged, bytes);
  const text = join(folder, "text.db");
  writeFileSync(text, "no database at all");
  const cases: [from: string, says: RegExp][] = [
    [text, /is no SQLite database/],
    [folder, /is no SQLite database/],
    [join(folder, "missing.db"), /There is no file/],
    [damaged, /is damaged/],
    [`root:${SECRET}@tcp(127.0.0.1:1)/oneapi`, /No database server answers on 127.0.0.1/],
    [`root:${SECRET}@tcp(127.0.0.1`, /no address that can be read/],
    [`mysql://root:${SECRET}@`, /no address that can be read/],
    [`postgres://root:${SECRET}@127.0.0.1:1/oneapi`, /No database server answers/],
    [`redis://root:${SECRET}@127.0.0.1:1/oneapi`, /no address that can be read/],
    [`root:${SECRET}@unix(${mariadb.socket})/oneapi`, /does not let root in|no database/],
  ];
  for (const [from, says] of cases) {
    const { status, stdout, stderr } = await runTollgate(["import", "--from", from], env);
    expect(stderr).toMatch(says);
    expect(status).toBe(1);
    expect(stdout + stderr).not.toContain(SECRET);
  }
  expect(await runTollgate(["import"], env)).toMatchObject({ status: 2 });
});

it("reads a file whose last changes lie beside it, and leaves both as they are", async () => {
  const path = join(folder, "wal.db");
  makeSqliteFile(path, "one-api-0.6", NOW);
  const file = new Database(path);
  file.exec("PRAGMA journal_mode = WAL");
  file.exec("PRAGMA wal_autocheckpoint = 0");
  file.exec("UPDATE options SET value = 'In the log beside' WHERE key = 'SystemName'");
  // As after a crash: the last change is in the log alone.
  const [copy, beside] = [join(folder, "crashed.db"), join(folder, "crashed.db-wal")];
  copyFileSync(path, copy);
  copyFileSync(`${path}-wal`, beside);
  file.close();
  const before = [copy, beside].map(digestOf);
  const env = { DATA_DIR: join(folder, "crashed") };
  expect(await runTollgate(["import", "--from", copy, "--apply"], env)).toMatchObject({ status: 0 });
  expect([copy, beside].map(digestOf)).toEqual(before);
  expect(
    readdirSync(folder)
      .filter((each) => each.startsWith("crashed.db"))
      .sort(),
  ).toEqual(["crashed.db", "crashed.db-wal"]);
  const server = await startServer({ dataDir: env.DATA_DIR });
  const status = await server.api("GET", "/api/status");
  expect(status.body.data).toMatchObject({ system_name: "In the log beside" });
  await server.stop();
});

it("takes the log from another database where the source has it there", async () => {
  const [main, log] = [join(folder, "split.db"), join(folder, "split-log.db")];
  makeSqliteFile(main, "new-api", NOW);
  copyFileSync(main, log);
  const file = new Database(main);
  file.exec("DROP TABLE logs");
  file.close();
  const other = new Database(log);
  other.exec("DELETE FROM users; DROP TABLE channels");
  other.close();
  const env = { DATA_DIR: join(folder, "split") };
  const words = ["--json", "import", "--from", main, "--logs-from", log, "--apply", ...DECISIONS];
  const ran = await runTollgate(words, env);
  expect(ran.status).toBe(0);
  expect((JSON.parse(ran.stdout) as Report).tables.find(({ table }) => table === "logs")).toMatchObject({
    read: 12,
  });
  expect(await runTollgate(["doctor"], env)).toMatchObject({ status: 0 });
});

it("leaves an incomplete database only to the next import", async () => {
  const path = join(folder, "cut.db");
  makeSqliteFile(path, "one-api-0.6", NOW);
  const env = { DATA_DIR: join(folder, "cut"), DATABASE_URL: await makePostgres("cut"), MASTER_KEY };
  mkdirSync(env.DATA_DIR);
  const words = ["import", "--from", path, "--apply"];
  expect((await runTollgate(words, env, /→ users/)).status).toBe(null);
  await expect(startServer({ dataDir: env.DATA_DIR, env })).rejects.toThrow(/not complete/);
  expect(await runTollgate(words, env)).toMatchObject({ status: 0 });
  expect(await runTollgate(["doctor"], env)).toMatchObject({ status: 0 });
});

it("says before it begins that the report cannot be written", async () => {
  const path = join(folder, "unreported.db");
  makeSqliteFile(path, "one-api-0.5", NOW);
  const env = { DATA_DIR: join(folder, "unreported") };
  const report = join(folder, "no such folder", "report.txt");
  const ran = await runTollgate(["import", "--from", path, "--apply", "--report", report], env);
  expect(ran).toMatchObject({ status: 1 });
  expect(existsSync(join(env.DATA_DIR, "tollgate.db"))).toBe(false);
});

it("refuses running subscriptions without a limit until the operator decides", async () => {
  const path = join(folder, "subscribed.db");
  makeSqliteFile(path, "new-api", NOW);
  const file = new Database(path);
  file.exec("UPDATE user_subscriptions SET amount_total = 0 WHERE id = 1");
  file.close();
  const env = { DATA_DIR: join(folder, "subscribed") };
  const words = ["import", "--from", path, "--apply", ...DECISIONS];
  const refused = await runTollgate(words, env);
  expect(refused).toMatchObject({
    status: 1,
    stderr: expect.stringContaining("--unlimited-subscriptions"),
  });
  expect(existsSync(join(env.DATA_DIR, "tollgate.db"))).toBe(false);
  const done = await runTollgate([...words, "--unlimited-subscriptions", "9000"], env);
  expect(done.stdout).toContain("9000 left until");
  expect(await runTollgate(["doctor"], env)).toMatchObject({ status: 0 });
});

it("refuses offered models without a price until the operator decides", async () => {
  const path = join(folder, "unpriced.db");
  makeSqliteFile(path, "one-api-0.6", NOW);
  const file = new Database(path);
  file.exec("UPDATE channels SET models = models || ',house-model'");
  file.close();
  const env = { DATA_DIR: join(folder, "unpriced") };
  const words = ["import", "--from", path, "--apply"];
  const refused = await runTollgate(words, env);
  expect(refused).toMatchObject({ status: 1, stderr: expect.stringContaining("house-model") });
  expect(refused.stderr).toContain("--missing-prices");
  const done = await runTollgate([...words, "--missing-prices", "fallback"], env);
  expect(done).toMatchObject({ status: 0, stdout: expect.stringContaining("cost the ratio 30") });
});
