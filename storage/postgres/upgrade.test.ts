import { readFileSync } from "node:fs";
import { beforeAll, describe, expect, it } from "vitest";
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
