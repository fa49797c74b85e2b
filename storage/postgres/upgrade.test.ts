import { readFileSync } from "node:fs";
import { beforeAll, describe, expect, it } from "vitest";
import { ACCOUNTS_MIGRATIONS } from "../accounts/postgres/migrations";
import { BODIES_MIGRATIONS } from "../bodies/postgres/migrations";
import { examineDatabase } from "../doctor/examine-database";
import { LOG_MIGRATIONS } from "../log/postgres/migrations";
import { askDatabase, newDatabase } from "../testing/new-database";
import { migrateDatabase } from "./migrate";

const FIXTURE = readFileSync(new URL("../fixtures/database-b2580da4.sql", import.meta.url), "utf8");

/** Everything that a schema consists of, apart from partitions, which depend on the day. */
const SCHEMA = {
  columns: `SELECT table_name, column_name, data_type, domain_name, collation_name, column_default, is_nullable, is_identity
    FROM information_schema.columns WHERE table_schema = 'public'`,
  indexes: "SELECT indexdef FROM pg_indexes WHERE schemaname = 'public'",
  constraints: `SELECT conrelid::regclass::text AS of, contypid::regtype::text AS type, conname, pg_get_constraintdef(oid) AS says
    FROM pg_constraint WHERE connamespace = 'public'::regnamespace`,
  views: "SELECT viewname, definition FROM pg_views WHERE schemaname = 'public'",
  triggers: "SELECT pg_get_triggerdef(oid) AS says FROM pg_trigger WHERE NOT tgisinternal",
  functions: "SELECT proname, prosrc FROM pg_proc WHERE pronamespace = 'public'::regnamespace",
} as const;

const schemaOf = async (address: string): Promise<Record<string, string[]>> => {
  const parts: Record<string, string[]> = {};
  for (const [part, query] of Object.entries(SCHEMA)) {
    const rows = await askDatabase(address, query);
    parts[part] = rows
      // A server repeats a condition with more or fewer brackets, by whether it read the statement or its own text of it.
      .map((row) => JSON.stringify(row).replaceAll(/[()]|\\n *WHERE true/g, ""))
      .filter((text) => !/_day_\d|_migrations/.test(text))
      .sort();
  }
  return parts;
};

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
    expect(await schemaOf(older)).toEqual(await schemaOf(made));
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
