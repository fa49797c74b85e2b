import { type PostgresServer, startPostgres } from "@tollgate/testkit/postgres-server";
import { startServer } from "@tollgate/testkit/server-process";
import pg from "pg";
import { afterAll, beforeAll, describe, expect, it } from "vitest";

const SECRET = "very-secret";
const MASTER_KEY = Buffer.alloc(32, 7).toString("base64");

let postgres: PostgresServer;

const ask = async (address: string, text: string): Promise<void> => {
  const client = new pg.Client({ connectionString: address });
  await client.connect();
  await client.query(text).finally(() => client.end());
};

/** An empty database. */
const newDatabase = async (name: string): Promise<string> => {
  await ask(postgres.address(), `CREATE DATABASE ${name}`);
  return postgres.address(name);
};

/** The same place, for a user. */
const asUser = (address: string, user: string): string => {
  const url = new URL(address);
  return Object.assign(url, { username: user, password: SECRET }).href;
};

beforeAll(async () => {
  postgres = await startPostgres();
  await ask(
    postgres.address(),
    "CREATE ROLE protected LOGIN PASSWORD 'right'; CREATE ROLE reader LOGIN; CREATE ROLE old LOGIN SUPERUSER",
  );
});
afterAll(() => postgres.stop());

/** Starts a node that does not become ready. @returns what it said, and the code with which it ended. */
const refusalOf = async (env: Record<string, string>) => {
  const server = startServer({ env: { MASTER_KEY, ...env } });
  const error = await server.then(
    async (started) => {
      await started.kill();
      throw new Error("it started");
    },
    (failure: Error) => failure.message,
  );
  const [, code, said] = /^The product ended \((\d+)\) before it was ready\.\n(.*)$/s.exec(error) ?? [];
  return { code, said: said?.trim() ?? error };
};

const expectRefusal = async (env: Record<string, string>, said: string): Promise<void> => {
  const refusal = await refusalOf(env);
  expect(refusal).toEqual({ code: "1", said });
  expect(refusal.said).not.toContain(SECRET);
};

describe("a node says in a sentence why it does not start, without the password, and ends with 1, where", () => {
  it("there is no master key, or none of the length", async () => {
    const DATABASE_URL = `postgres://user:${SECRET}@127.0.0.1/database`;
    await Promise.all([
      expectRefusal(
        { DATABASE_URL, MASTER_KEY: "" },
        "the environment cannot be used:\nMASTER_KEY: must be set where DATABASE_URL is, to the same key on all nodes (openssl rand -base64 32 makes one)",
      ),
      expectRefusal(
        { DATABASE_URL, MASTER_KEY: "c2hvcnQ=" },
        "MASTER_KEY must be base64 of at least 32 bytes",
      ),
    ]);
  });

  it.each([
    `postgres://user:${SECRET}@host:port/database`,
    `mysql://user:${SECRET}@127.0.0.1/database`,
    SECRET,
  ])("the address is none: %s", async (DATABASE_URL) => {
    await expectRefusal(
      { DATABASE_URL },
      "The address of the database server cannot be read: it is written as postgres://user:password@host:port/database, with special characters of the password escaped (%2F for /, %40 for @).",
    );
  });

  it("no server listens", async () => {
    await expectRefusal(
      { DATABASE_URL: `postgres://user:${SECRET}@127.0.0.1:1/database` },
      "The database server 127.0.0.1 cannot be reached (ECONNREFUSED): see whether it runs and takes connections from here.",
    );
  });

  it("the password is wrong, or missing", async () => {
    const { searchParams } = new URL(postgres.address());
    const said = `The database server ${searchParams.get("host")} does not let the user protected in: see to the user's name and its password.`;
    const wrong = asUser(postgres.address(), "protected");
    await Promise.all([
      expectRefusal({ DATABASE_URL: wrong }, said),
      expectRefusal({ DATABASE_URL: wrong.replace(`:${SECRET}`, "") }, said),
    ]);
  });

  it("there is no such database", async () => {
    const address = postgres.address("nothing");
    await expectRefusal(
      { DATABASE_URL: address },
      `The database server ${new URL(address).searchParams.get("host")} has no database nothing: make it, or name another one.`,
    );
  });

  it("the user may not make tables, or may not use those that there are", async () => {
    const empty = await newDatabase("empty");
    await ask(empty, "REVOKE CREATE ON SCHEMA public FROM PUBLIC");
    const used = await newDatabase("used");
    const owner = await startServer({ env: { MASTER_KEY, DATABASE_URL: used } });
    await owner.kill();
    for (const [name, address] of Object.entries({ empty, used }))
      await expectRefusal(
        { DATABASE_URL: asUser(address, "reader") },
        `The user reader may not make tables in the database ${name}: give it the rights, or make it the owner.`,
      );
  });

  it("the server is too old", async () => {
    const address = await newDatabase("aged");
    // What a server of that age would say of itself.
    await ask(
      address,
      `CREATE SCHEMA aged; CREATE FUNCTION aged.current_setting(name text) RETURNS text LANGUAGE sql AS $$
         SELECT CASE name WHEN 'server_version_num' THEN '130004' WHEN 'server_version' THEN '13.4'
           ELSE pg_catalog.current_setting(name) END $$;
       ALTER ROLE old IN DATABASE aged SET search_path = aged, pg_catalog, public`,
    );
    await expectRefusal(
      { DATABASE_URL: asUser(address, "old") },
      "The database server is PostgreSQL 13.4; at least 14 is needed.",
    );
  });

  it("the schema is newer, the master key is another one, or the named copy is no copy", async () => {
    const address = await newDatabase("ours");
    const other = await newDatabase("theirs");
    const host = new URL(address).searchParams.get("host");
    // The database itself is no other one: a site without a copy may name it twice.
    const node = await startServer({
      env: { MASTER_KEY, DATABASE_URL: address, DATABASE_READ_URL: address },
    });
    await Promise.all([
      expectRefusal(
        { DATABASE_URL: address, MASTER_KEY: Buffer.alloc(32, 8).toString("base64") },
        "The master key is not the one that the database ours was written with: set MASTER_KEY to that key.",
      ),
      expectRefusal(
        { DATABASE_URL: address, DATABASE_READ_URL: asUser(other, "reader") },
        `The database theirs of the server ${host}, which DATABASE_READ_URL names, is no copy that follows the one of DATABASE_URL: name such a copy, or leave it out.`,
      ),
    ]);
    await ask(address, "INSERT INTO accounts_migrations (name, timestamp) VALUES ('9999-next', '')");
    await expectRefusal(
      { DATABASE_URL: address },
      'The database ours has the migration "9999-next", which this version does not know: it was changed by a newer version.',
    );
    // What is done now and then was done at the start, too, and nothing of it failed.
    expect(await node.stop()).toBe(0);
    expect(node.stderr).toBe("");
  });
});
