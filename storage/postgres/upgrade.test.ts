import { readFileSync } from "node:fs";
import pg from "pg";
import { afterEach, beforeAll, beforeEach, describe, expect, it, vi } from "vitest";
import { ACCOUNTS_MIGRATIONS } from "../accounts/postgres/migrations";
import { BODIES_MIGRATIONS } from "../bodies/postgres/migrations";
import { examineDatabase } from "../doctor/examine-database";
import { LOG_MIGRATIONS } from "../log/postgres/migrations";
import { askDatabase, newDatabase } from "../testing/new-database";
import { postgresSchema } from "../testing/postgres-schema";
import { migrateDatabase } from "./migrate";

const FIXTURE = readFileSync(new URL("../fixtures/database-b2580da4.sql", import.meta.url), "utf8");

const migrateAll = async (address: string): Promise<void> => {
  await migrateDatabase(address, "accounts", ACCOUNTS_MIGRATIONS);
  await migrateDatabase(address, "log", LOG_MIGRATIONS);
  await migrateDatabase(address, "bodies", BODIES_MIGRATIONS);
};

let older: string;

beforeAll(async () => {
  older = await newDatabase();
  await askDatabase(older, FIXTURE);
});

describe("a database of commit b2580da4", () => {
  it("has the schema of a new database after a start, and keeps its data", async () => {
    const made = await newDatabase();
    await migrateAll(older);
    await migrateAll(made);
    expect(await postgresSchema(older)).toEqual(await postgresSchema(made));
    expect(await askDatabase(older, "SELECT username, quota::text FROM users")).toEqual([
      { username: "alice", quota: "747" },
    ]);
    expect((await examineDatabase(older)).faults).toEqual([]);
  });
});

describe("an upgrade while another client reads a table", () => {
  let address: string;
  let reader: pg.Client;

  beforeEach(async () => {
    address = await newDatabase();
    await askDatabase(address, FIXTURE);
    reader = new pg.Client({ connectionString: address });
    await reader.connect();
    await reader.query("BEGIN; SELECT 1 FROM public.users");
  });
  afterEach(() => reader.end());

  it("lets running nodes write meanwhile, reports that it waits once, and is done afterwards", async () => {
    const reports: Error[] = [];
    const upgrade = migrateDatabase(address, "accounts", ACCOUNTS_MIGRATIONS, (error) => reports.push(error));
    await vi.waitFor(async () => {
      const waiting = await askDatabase(
        address,
        "SELECT 1 FROM pg_locks WHERE NOT granted AND relation IS NOT NULL",
      );
      expect(waiting).toHaveLength(1);
    }, 5000);
    const startedMs = performance.now();
    await askDatabase(address, "UPDATE public.users SET quota = quota");
    expect(performance.now() - startedMs).toBeLessThan(3000);
    await vi.waitFor(() => expect(reports).toHaveLength(1), 5000);
    await reader.query("COMMIT");
    await upgrade;
    expect(reports).toMatchObject([{ fault: { code: "database-upgrade-waits" } }]);
  }, 20_000);

  it("is given up after a time, with nothing changed", async () => {
    const upgrade = migrateDatabase(address, "accounts", ACCOUNTS_MIGRATIONS, () => {}, 0);
    await expect(upgrade).rejects.toMatchObject({ fault: { code: "database-upgrade-locked" } });
    const applied = await askDatabase(address, "SELECT max(name) AS newest FROM public.accounts_migrations");
    expect(applied).toEqual([{ newest: "0019-settled-refunds" }]);
  });
});

describe("a database from before commit b2580da4", () => {
  it.each([
    ["accounts", ACCOUNTS_MIGRATIONS, "0019-settled-refunds"],
    ["log", LOG_MIGRATIONS, "0004-model-health"],
  ] as const)("is refused with its %s", async (store, migrations, newest) => {
    const address = await newDatabase();
    await askDatabase(address, FIXTURE);
    await askDatabase(address, `DELETE FROM public.${store}_migrations WHERE name = '${newest}'`);
    await expect(migrateDatabase(address, store, migrations)).rejects.toMatchObject({
      fault: { code: "database-schema-too-old" },
    });
  });
});
