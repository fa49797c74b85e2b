import { join } from "node:path";
import { startFakeUpstream } from "@tollgate/testkit/fake-upstream/fake-upstream";
import { createDataDir, startServer } from "@tollgate/testkit/server-process";
import Database from "libsql";
import { expect, it } from "vitest";
import { runTollgate } from "../run-tollgate";
import { makeBigFile } from "./big-database";
import { keyOf, PASSWORD } from "./odd-rows";

const SIZE = { users: 5000, tokens: 20_000, channels: 300, lines: 1_000_000 };

/** What may be said of them at most, in seconds. */
const LIMIT_S = 120;

interface Report {
  tables: { table: string; taken: number; remarks: { code: string; rows: { id: number }[] }[] }[];
  proof: {
    models: { keys: number; differences: unknown[] };
    prices: { lines: number; differences: unknown[] };
  };
}

it.each(["one-api-0.5", "new-api"] as const)(
  "moves a large %s in, and clients notice no difference",
  async (series) => {
    const folder = createDataDir();
    const path = join(folder, "one-api.db");
    const upstream = await startFakeUpstream();
    makeBigFile(path, series, SIZE, upstream.url);
    const file = new Database(path);
    file.exec(`UPDATE users SET quota = -1 WHERE id = 17;
    UPDATE users SET password = '' WHERE id = 4000;
    UPDATE tokens SET "key" = 'typed-by-hand' WHERE id = 19999;
    UPDATE tokens SET user_id = 70000 WHERE id = 33;
    UPDATE channels SET type = 4711 WHERE id = 299;
    UPDATE logs SET type = 88 WHERE id = 999999`);
    file.close();
    const env = { DATA_DIR: join(folder, "data") };

    const begun = performance.now();
    const ran = await runTollgate(["--json", "import", "--from", path, "--apply"], env);
    const seconds = (performance.now() - begun) / 1000;
    expect(ran.status).toBe(0);
    expect(seconds).toBeLessThan(LIMIT_S);
    const { tables, proof } = JSON.parse(ran.stdout) as Report;
    const said = tables.flatMap(({ table, remarks }) =>
      remarks.flatMap(({ code, rows }) => rows.map(({ id }) => `${table} ${code} ${id}`)),
    );
    expect(said).toEqual(
      expect.arrayContaining([
        "users quota-negative 17",
        "users password-none 4000",
        "tokens key-with-dash 19999",
        "tokens key-of-nobody 33",
        "channels channel-type-unknown 299",
        "logs line-type-unknown 999999",
      ]),
    );
    const taken = Object.fromEntries(tables.map((each) => [each.table, each.taken]));
    expect(taken).toMatchObject({ users: 5000, tokens: 19_999, channels: 299, logs: 999_999 });
    expect(proof.models).toMatchObject({ keys: 19_999 });
    expect(proof.prices).toMatchObject({ lines: 5000, differences: [] });

    const server = await startServer({ dataDir: env.DATA_DIR });
    await server.signIn("user1234", PASSWORD);
    for (const token of [1, 12_345, 20_000]) {
      const answer = await fetch(`${server.url}/v1/chat/completions`, {
        method: "POST",
        headers: { authorization: `Bearer sk-${keyOf(token)}`, "content-type": "application/json" },
        body: JSON.stringify({ model: "gpt-4o-mini", messages: [{ role: "user", content: "Hello" }] }),
      });
      expect(answer.status).toBe(200);
      await answer.json();
    }
    await server.stop();
    await upstream.close();
    expect(await runTollgate(["doctor"], env)).toMatchObject({ status: 0 });
  },
);

it("leaves a folder as it was when it is killed in the middle, and can be begun again", async () => {
  const folder = createDataDir();
  const path = join(folder, "one-api.db");
  makeBigFile(
    path,
    "new-api",
    { users: 100, tokens: 200, channels: 5, lines: 250_000 },
    "http://127.0.0.1:9",
  );
  const env = { DATA_DIR: join(folder, "data") };
  const words = ["import", "--from", path, "--apply"];
  const killed = await runTollgate(words, env, /^logs: 100000$/m);
  expect(killed.status).toBe(null);
  const server = await startServer({ dataDir: env.DATA_DIR });
  // It begins as an empty folder does.
  const root = await server.signIn();
  expect((await root.api("GET", "/api/user/?p=0")).body.data).toHaveLength(1);
  await server.stop();
  // Root has a password now: it is a person's.
  expect(await runTollgate(words, env)).toMatchObject({ status: 1 });
  const other = { DATA_DIR: join(folder, "other") };
  expect((await runTollgate(words, other, /^logs: 100000$/m)).status).toBe(null);
  expect(await runTollgate(words, other)).toMatchObject({ status: 0 });
  expect(await runTollgate(["doctor"], other)).toMatchObject({ status: 0 });
});
