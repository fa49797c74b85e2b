import { spawn } from "node:child_process";
import { existsSync, readFileSync } from "node:fs";
import { Agent, request } from "node:http";
import { join } from "node:path";
import { setTimeout as wait } from "node:timers/promises";
import { fileURLToPath } from "node:url";
import { type FakeUpstream, startFakeUpstream } from "@tollgate/testkit/fake-upstream/fake-upstream";
import { keepContractRatio } from "@tollgate/testkit/keep-contract-ratio";
import { type PostgresServer, startPostgres } from "@tollgate/testkit/postgres-server";
import { createDataDir, type ServerProcess, startServer } from "@tollgate/testkit/server-process";
import pg from "pg";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { type Account, addAccount, addChannel, type Session, signInAsRoot } from "../api/relay/stage";
import { answerAsAsked, ClientBook, send, startLoad } from "./client-book";
import { MODEL } from "./site";

/*
 * A gateway whose data is brought to a database under load, and back to a folder.
 */

const TOLLGATE = fileURLToPath(new URL("../../dist/server/tollgate.js", import.meta.url));

const RICH = 100_000_000;
const CLIENTS = 6;

let postgres: PostgresServer;
let upstream: FakeUpstream;
let server: ServerProcess;
let root: Session;
let account: Account;
/** A user with a plan, whose own money is put aside while the plan lasts. */
let planned: Account;
let subscription: number;
let masterKey: string;

interface Ended {
  status: number | null;
  text: string;
}

const start = (command: string, env: Record<string, string>, ...words: string[]) =>
  spawn(process.execPath, [TOLLGATE, command, ...words], {
    env: { PATH: process.env.PATH ?? "", ...env },
  });

/** Runs one of the built commands to its end. */
const run = async (command: string, env: Record<string, string>, ...words: string[]): Promise<Ended> => {
  const child = start(command, env, ...words);
  let text = "";
  for (const stream of [child.stdout, child.stderr])
    stream.on("data", (chunk: Buffer) => {
      text += chunk.toString();
    });
  const status = await new Promise<number | null>((resolve) => child.on("close", resolve));
  return { status, text };
};

beforeAll(async () => {
  [postgres, upstream] = await Promise.all([startPostgres(), startFakeUpstream()]);
  server = await startServer();
  root = await signInAsRoot(server.url);
  await keepContractRatio(root);
  await addChannel(root, { base_url: upstream.url, models: MODEL });
  account = await addAccount(server.url, root, "rich", RICH);
  planned = await addAccount(server.url, root, "planned", 5000, { unlimited_quota: true });
  await root.data("PUT", "/api/option/", { key: "PlansEnabled", value: "true" });
  const plan = await root.data<{ id: number }>("POST", "/api/plan/", {
    ...{ title: "Month", price: 1000, duration_unit: "month", duration_count: 1 },
    ...{ quota: 500, reset: "never", beyond: "stop" },
  });
  const bought = await planned.owner.data<{ id: number }>("POST", "/api/subscription/", { plan_id: plan.id });
  subscription = bought.id;
  masterKey = readFileSync(join(server.dataDir, "master.key"), "utf8").trim();
  answerAsAsked(upstream, 5);
});

afterAll(async () => {
  await server?.stop();
  await Promise.all([upstream?.close(), postgres?.stop()]);
});

const settledOf = async (): Promise<number> => RICH - (await account.figures()).user.quota;

/** One client of each protocol, which asks again and again on one connection. */
const CALLS: Readonly<Record<string, { path: string; code: RegExp; body: object }>> = {
  chat: {
    path: "/v1/chat/completions",
    code: /"code":"data_moving"/,
    body: { model: MODEL, messages: [{ role: "user", content: "hi" }] },
  },
  responses: { path: "/v1/responses", code: /"code":"data_moving"/, body: { model: MODEL, input: "hi" } },
  messages: {
    path: "/v1/messages",
    code: /"type":"error".*"error_code":"data_moving"/,
    body: { model: MODEL, max_tokens: 5, messages: [{ role: "user", content: "hi" }] },
  },
  gemini: {
    path: `/v1beta/models/${MODEL}:generateContent`,
    code: /"status":"UNAVAILABLE".*"reason":"DATA_MOVING"/,
    body: { contents: [{ role: "user", parts: [{ text: "hi" }] }] },
  },
};

interface Seen {
  ports: Set<number | undefined>;
  errors: string[];
  away: { text: string; retryAfter: string | undefined }[];
}

/** Asks with a key that is wrong, so that nothing is charged, until it is stopped. */
const askAgain = (path: string, body: object): { seen: Seen; stop(): Promise<void> } => {
  const agent = new Agent({ keepAlive: true, maxSockets: 1 });
  const seen: Seen = { ports: new Set(), errors: [], away: [] };
  let isStopped = false;
  const askOnce = (): Promise<void> =>
    new Promise((resolve) => {
      const headers = { authorization: "Bearer sk-wrong", "anthropic-version": "2023-06-01" };
      const call = request(server.url + path, { method: "POST", agent, headers }, (answer) => {
        let text = "";
        answer.on("data", (bytes: Buffer) => {
          text += bytes.toString();
        });
        answer.on("end", () => {
          seen.ports.add(call.socket?.localPort);
          const retryAfter = answer.headers["retry-after"];
          if (answer.statusCode === 503) seen.away.push({ text, retryAfter });
          else if (answer.statusCode !== 401) seen.errors.push(`${answer.statusCode} ${text}`);
          resolve();
        });
      });
      call.on("error", (error) => {
        seen.errors.push(error.message);
        resolve();
      });
      call.end(JSON.stringify(body));
    });
  const run = (async () => {
    while (!isStopped) {
      await askOnce();
      await wait(5);
    }
    agent.destroy();
  })();
  return {
    seen,
    stop: () => {
      isStopped = true;
      return run;
    },
  };
};

const paid = (book: ClientBook): number => book.of("whole").reduce((sum, { price }) => sum + price, 0);

const ask = async (text: string): Promise<void> => {
  const client = new pg.Client({ connectionString: postgres.address(), application_name: "test" });
  await client.connect();
  try {
    await client.query(text);
  } finally {
    await client.end();
  }
};

const STAYED = "Tollgate goes on with its data folder: nothing was moved.";

/** How often the gateway came back to its folder. */
const timesStayed = (): number => server.stdout.split(STAYED).length - 1;

const isServed = async (): Promise<boolean> =>
  (await send(server.url, { key: account.key, input: 1, output: 1 })).kind === "whole";

describe("a gateway whose data was not moved", () => {
  it("goes on with its folder where the command is killed", async () => {
    const child = start("promote", { DATA_DIR: server.dataDir }, "--to", postgres.address());
    try {
      await expect.poll(() => server.stdout).toContain("lets go of its data folder");
    } finally {
      child.kill("SIGKILL");
    }
    await expect.poll(timesStayed).toBe(1);
    expect(await isServed()).toBe(true);
  });

  it("goes on with its folder where both sides differ", async () => {
    await ask(
      "CREATE RULE put_fault AS ON INSERT TO users DO ALSO UPDATE users SET used_quota = used_quota + 1",
    );
    await ask("UPDATE users SET used_quota = used_quota + 1");
    const refused = await run("promote", { DATA_DIR: server.dataDir }, "--to", postgres.address());
    await ask("DROP RULE put_fault ON users");
    expect(refused.text).toMatch(/users: 3 rows read, 3 written, quota \d+ and \d+: DIFFERENT/);
    expect(refused.text).toContain("nothing was switched");
    expect(refused.status).toBe(1);
    await expect.poll(timesStayed).toBe(2);
    expect(await isServed()).toBe(true);
  });
});

describe("a gateway under load", () => {
  it("goes on with a database: clients were charged exactly for their answers, before and after", async () => {
    const before = { settled: await settledOf(), requests: (await account.figures()).user.requests };
    const book = new ClientBook();
    let count = 0;
    const load = startLoad(server.url, book, CLIENTS, () => {
      count += 1;
      return {
        key: account.key,
        input: 1 + (count % 7),
        output: 1 + (count % 11),
        isStream: count % 2 === 0,
      };
    });
    const patient = Object.values(CALLS).map((call) => ({ ...call, ...askAgain(call.path, call.body) }));
    await wait(500);
    const promoted = await run("promote", { DATA_DIR: server.dataDir }, "--to", postgres.address());
    expect(promoted.text).toMatch(/logs: \d+ rows read, \d+ written, quota (\d+) = \1: equal/);
    expect(promoted.status).toBe(0);
    const served = book.of("whole").length;
    await expect.poll(() => book.of("whole").length).toBeGreaterThan(served + 20);
    await load.stop();
    // Each client was told to come again in its protocol's shape, and kept its one connection.
    for (const { seen, code, stop } of patient) {
      await stop();
      expect(seen.errors).toEqual([]);
      expect(seen.ports.size).toBe(1);
      const moving = seen.away.filter(({ text }) => /data_moving/i.test(text));
      expect(moving.length).toBeGreaterThan(0);
      for (const { text, retryAfter } of moving)
        expect([code.test(text), retryAfter, text]).toEqual([true, "2", text]);
      for (const { retryAfter } of seen.away) expect(retryAfter).toBeDefined();
    }
    // A request in between was told to come again, or was not connected at all; no answer broke off.
    expect(book.of("broken")).toEqual([]);
    expect(book.of("refused").filter(({ status }) => status !== 503)).toEqual([]);
    const settled = before.settled + paid(book);
    expect(await settledOf()).toBe(settled);
    const figures = await account.figures();
    expect(figures.user.requests).toBe(before.requests + book.of("whole").length);
    expect(await root.data("GET", `/api/log/stat?type=2&username=rich`)).toMatchObject({ quota: settled });
    expect(existsSync(join(server.dataDir, "promote.json"))).toBe(false);
    expect(server.stdout).toContain("goes on with the database");
  });

  it("has the plans that people bought, their remaining quota and the money set aside for them", async () => {
    const quotaOf = async (): Promise<number> => (await planned.figures()).user.quota;
    expect(await quotaOf()).toBe(500);
    const outcome = await send(server.url, { key: planned.key, input: 20, output: 5 });
    const price = outcome.kind === "whole" ? outcome.price : 0;
    expect(price).toBeGreaterThan(0);
    const [shown] = await planned.owner.data<object[]>("GET", "/api/subscription/self");
    expect(shown).toMatchObject({ id: subscription, state: "active", left: 500 - price, spent: price });
    await root.data("POST", `/api/subscription/${subscription}/end`);
    await expect.poll(quotaOf).toBe(4000);
  });

  it("is proved by the doctor, and not started on the old folder again", async () => {
    const examined = await run("doctor", { DATABASE_URL: postgres.address(), MASTER_KEY: masterKey });
    expect(examined).toMatchObject({ status: 0 });
    await server.stop();
    await expect(startServer({ dataDir: server.dataDir })).rejects.toThrow(/was taken to the database/);
    server = await startServer({
      dataDir: server.dataDir,
      env: { DATABASE_URL: postgres.address(), MASTER_KEY: masterKey },
    });
    expect(await send(server.url, { key: account.key, input: 1, output: 1 })).toMatchObject({
      kind: "whole",
    });
  });

  it("is backed up from the database: a folder with clean books, and every answer that had arrived before", async () => {
    const database = { DATABASE_URL: postgres.address(), MASTER_KEY: masterKey };
    const book = new ClientBook();
    const load = startLoad(server.url, book, CLIENTS, () => ({ key: account.key, input: 2, output: 3 }));
    await expect.poll(() => book.of("whole").length).toBeGreaterThan(30);
    const arrived = book.of("whole").map(({ id }) => id);
    const file = join(createDataDir(), "nodes.tar");
    expect(await run("backup", database, file)).toMatchObject({ status: 0 });
    await load.stop();
    const folder = join(createDataDir(), "restored");
    const there = { DATA_DIR: folder, MASTER_KEY: masterKey };
    expect(await run("restore", there, file)).toMatchObject({ status: 0 });
    const restored = await startServer({ dataDir: folder, env: { MASTER_KEY: masterKey } });
    const someone = await signInAsRoot(restored.url);
    // Each has its receipt, also where its line was on its way when the copy was made.
    for (const id of arrived)
      expect(await someone.data("GET", `/api/log/receipt?request_id=${id}`)).toMatchObject({
        request_id: id,
      });
    await restored.stop();
    const examined = await run("doctor", there);
    expect(examined, examined.text).toMatchObject({ status: 0 });
  });

  it("goes back to a folder once no node is left", async () => {
    const used = await readUsed();
    const folder = join(createDataDir(), "back");
    const env = { DATABASE_URL: postgres.address(), MASTER_KEY: masterKey, DATA_DIR: server.dataDir };
    const refused = await run("promote", env, "--to", folder);
    expect(refused).toMatchObject({
      status: 1,
      text: expect.stringContaining("nodes work with the database"),
    });
    await server.stop();
    const back = await run("promote", env, "--to", `sqlite:${folder}`);
    expect(back.text).toContain("All of it is in");
    expect(back.status).toBe(0);
    await expect(startServer({ env })).rejects.toThrow(/was taken to a folder/);
    server = await startServer({ dataDir: folder, env: { MASTER_KEY: masterKey } });
    expect(await readUsed()).toBe(used);
    expect(await send(server.url, { key: account.key, input: 1, output: 1 })).toMatchObject({
      kind: "whole",
    });
    await server.stop();
    const examined = await run("doctor", { DATA_DIR: folder, MASTER_KEY: masterKey });
    expect(examined).toMatchObject({ status: 0 });
  });
});

/** What the user has used, as whichever server runs says. */
const readUsed = async (): Promise<number> => {
  const someone = await signInAsRoot(server.url);
  return (await someone.data<{ used_quota: number }>("GET", `/api/user/${account.userId}`)).used_quota;
};
