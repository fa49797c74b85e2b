import { spawn } from "node:child_process";
import { fileURLToPath } from "node:url";
import { type PostgresServer, startPostgres } from "@tollgate/testkit/postgres-server";
import { createDataDir, type ServerProcess, startServer } from "@tollgate/testkit/server-process";
import pg from "pg";
import { afterAll, beforeAll, expect, it } from "vitest";

const TOLLGATE = fileURLToPath(new URL("../../dist/server/tollgate.js", import.meta.url));

let postgres: PostgresServer;
let nodes: ServerProcess[];
let env: Record<string, string>;

const ask = async (text: string): Promise<unknown[]> => {
  const client = new pg.Client({ connectionString: postgres.address() });
  await client.connect();
  return (await client.query(text).finally(() => client.end())).rows;
};

const LINK = /\/setup#(\w+)/;

beforeAll(async () => {
  postgres = await startPostgres();
  env = {
    DATABASE_URL: postgres.address(),
    MASTER_KEY: Buffer.alloc(32, 7).toString("base64"),
    ALLOW_DEFAULT_PASSWORD: "0",
  };
  // At the same moment, on an empty database.
  nodes = await Promise.all([startServer({ env }), startServer({ env }), startServer({ env })]);
});
afterAll(async () => {
  await Promise.all(nodes.map((node) => node.stop()));
  await postgres.stop();
});

it("several nodes that start at once make one root, whose set-up link works on each of them, once", async () => {
  const [one, other] = nodes as [ServerProcess, ServerProcess];
  expect(await ask("SELECT username FROM users")).toEqual([{ username: "root" }]);
  const code = LINK.exec(one.stdout)?.[1];
  const passwordOf = (index: number): string => `correct-horse-${index}`;
  const check = (node: ServerProcess) => node.api("POST", "/api/setup/check", { code });
  expect((await check(other)).body).toMatchObject({ data: { state: "open", username: "root" } });
  expect(
    (await other.api("POST", "/api/setup", { code: `${code}x`, password: passwordOf(0) })).body,
  ).toMatchObject({
    success: false,
  });
  // With a password of each one's own: the link works for one of them, and the others are told.
  const used = await Promise.all(
    nodes.map(async (node, index) => {
      const { body } = await node.api("POST", "/api/setup", { code, password: passwordOf(index) });
      return (body as { success: boolean }).success;
    }),
  );
  expect(used.filter(Boolean)).toHaveLength(1);
  const password = passwordOf(used.indexOf(true));
  for (const node of nodes) {
    await expect.poll(async () => (await check(node)).body).toMatchObject({ data: { state: "done" } });
    expect((await node.signIn("root", password)).cookie).not.toBe("");
  }
  expect(nodes.map(({ stderr }) => stderr)).toEqual(["", "", ""]);
});

it("the command acts beside nodes that run, which hear of it, and leaves none of its own", async () => {
  const status = await new Promise((done) => {
    const child = spawn(process.execPath, [TOLLGATE, "user", "reset-password", "root", "--password-stdin"], {
      env: { PATH: process.env.PATH ?? "", DATA_DIR: createDataDir(), ...env },
      stdio: ["pipe", "ignore", "inherit"],
    });
    child.stdin.end("another password\n");
    child.on("close", done);
  });
  expect(status).toBe(0);
  for (const node of nodes)
    await expect
      .poll(() =>
        node.signIn("root", "another password").then(
          ({ cookie }) => cookie !== "",
          () => false,
        ),
      )
      .toBe(true);
  expect(await ask("SELECT count(*)::int AS living FROM nodes WHERE expires_at > now()")).toEqual([
    { living: 3 },
  ]);
  expect(nodes.map(({ stderr }) => stderr)).toEqual(["", "", ""]);
});
