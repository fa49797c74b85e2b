import { spawnSync } from "node:child_process";
import { randomInt } from "node:crypto";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as wait } from "node:timers/promises";
import { fileURLToPath } from "node:url";
import { type FakeUpstream, startFakeUpstream } from "@tollgate/testkit/fake-upstream/fake-upstream";
import { type ServerProcess, startServer } from "@tollgate/testkit/server-process";
import Database from "libsql";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { type Account, addAccount, addChannel, addKey, signInAsRoot } from "./stage";

/*
 * The process is killed under load, again and again. What the clients saw is the truth: an answer that arrived whole was
 * charged before its last byte, so its charge and its line must be there, once.
 */

const ROUNDS = 5;
const CLIENTS = 12;
const QUOTA = 100_000_000;
/** How long the load runs before the process is killed. */
const LEAST_MS = 200;
const MAX_MS = 1200;
/** A model that the upstream answers word by word, so that streams are under way when the process dies. */
const SLOW = "word-by-word";

const TOLLGATE = fileURLToPath(new URL("../../../dist/server/tollgate.js", import.meta.url));

/** The ids of answers that arrived whole, and how many were asked for. */
interface Seen {
  whole: string[];
  asked: number;
}

let upstream: FakeUpstream;
let dataDir: string;
let server: ServerProcess;
let keys: string[];

beforeAll(async () => {
  dataDir = mkdtempSync(join(tmpdir(), "tollgate-kill-"));
  [upstream, server] = await Promise.all([startFakeUpstream(), startServer({ dataDir })]);
  upstream.script({ delayMs: 15 });
  const root = await signInAsRoot(server.url);
  await addChannel(root, {
    base_url: upstream.url,
    models: `gpt-3.5-turbo,${SLOW}`,
    model_mapping: JSON.stringify({ [SLOW]: "gpt-3.5-turbo--slow" }),
  });
  await root.data("PUT", "/api/option/", { key: "FallbackModelRatio", value: "1" });
  const accounts: Account[] = await Promise.all(
    ["alice", "bob"].map((name) => addAccount(server.url, root, name, QUOTA)),
  );
  const unlimited = await addKey(accounts[0]!.owner, { unlimited_quota: true });
  keys = [...accounts.map(({ key }) => key), unlimited.key];
});

afterAll(async () => {
  await server?.stop();
  await upstream?.close();
  rmSync(dataDir, { recursive: true, force: true });
});

const pick = <T>(choices: readonly T[]): T => choices[randomInt(choices.length)] as T;

/** One client: asks, reads to the end, asks again, until the process is gone. */
const ask = async (seen: Seen): Promise<void> => {
  for (;;) {
    const isStream = pick([true, false]);
    const body = {
      model: pick(["gpt-3.5-turbo", SLOW]),
      messages: [{ role: "user", content: "hi" }],
      max_tokens: 5,
      stream: isStream,
    };
    try {
      seen.asked += 1;
      const answer = await fetch(`${server.url}/v1/chat/completions`, {
        method: "POST",
        headers: { authorization: `Bearer ${pick(keys)}` },
        body: JSON.stringify(body),
      });
      const text = await answer.text();
      if (answer.status !== 200) continue;
      const isWhole = isStream ? text.trimEnd().endsWith("data: [DONE]") : JSON.parse(text) !== undefined;
      if (isWhole) seen.whole.push(answer.headers.get("x-oneapi-request-id") ?? "");
    } catch {
      // The connection broke: the process is gone.
      return;
    }
  }
};

const examine = (): { status: number | null; text: string } => {
  const { status, stdout, stderr } = spawnSync(process.execPath, [TOLLGATE, "doctor"], {
    env: { PATH: process.env.PATH, DATA_DIR: dataDir },
    encoding: "utf8",
  });
  return { status, text: stdout + stderr };
};

interface StoredLine {
  request_id: string;
  quota: number;
  user_id: number;
}

const readLines = (): StoredLine[] => {
  const connection = new Database(join(dataDir, "logs.sqlite"));
  try {
    return connection
      .prepare(
        `SELECT receipts.request_id, logs.quota, logs.user_id FROM logs
         JOIN receipts ON receipts.id = logs.receipt_id WHERE logs.type = 2`,
      )
      .all() as StoredLine[];
  } finally {
    connection.close();
  }
};

interface StoredUser {
  id: number;
  quota: number;
  used_quota: number;
  request_count: number;
}

const readUsers = (): StoredUser[] => {
  const connection = new Database(join(dataDir, "tollgate.db"));
  try {
    return connection.prepare("SELECT * FROM users WHERE username IN ('alice', 'bob')").all() as StoredUser[];
  } finally {
    connection.close();
  }
};

describe("a process that is killed under load", () => {
  it("has charged and logged every answer that arrived whole exactly once, and leaks no hold", async () => {
    const seen: Seen = { whole: [], asked: 0 };
    let left = 0;
    for (let round = 0; round < ROUNDS; round += 1) {
      const clients = Array.from({ length: CLIENTS }, () => ask(seen));
      await wait(randomInt(LEAST_MS, MAX_MS));
      await server.kill();
      await Promise.all(clients);
      const { status, text } = examine();
      expect(status, text).toBe(0);
      if (text.includes("in the journal alone")) left += 1;
      server = await startServer({ dataDir });
    }
    // The interesting moment: charges are durable, but the balances do not know yet.
    expect(left).toBeGreaterThan(0);
    expect(seen.whole.length).toBeGreaterThan(ROUNDS);

    await server.stop();
    const { status, text } = examine();
    expect(status, text).toBe(0);
    const lines = readLines();
    const times = new Map<string, number>();
    for (const { request_id } of lines) times.set(request_id, (times.get(request_id) ?? 0) + 1);
    expect(seen.whole.filter((id) => times.get(id) !== 1)).toEqual([]);
    expect([...times.values()].filter((count) => count !== 1)).toEqual([]);
    expect(lines.length).toBeLessThanOrEqual(seen.asked);
    for (const user of readUsers()) {
      const own = lines.filter((line) => line.user_id === user.id);
      expect(user.request_count).toBe(own.length);
      expect(user.used_quota).toBe(own.reduce((sum, line) => sum + line.quota, 0));
      expect(user.quota).toBe(QUOTA - user.used_quota);
    }
    // No hold is left: all of a balance can be held again.
    server = await startServer({ dataDir });
    const root = await signInAsRoot(server.url);
    const least = Math.min(...readUsers().map(({ quota }) => quota));
    await root.data("PUT", "/api/option/", { key: "PreConsumedQuota", value: String(Math.floor(least / 2)) });
    const answer = await fetch(`${server.url}/v1/chat/completions`, {
      method: "POST",
      headers: { authorization: `Bearer ${keys[1]}` },
      body: JSON.stringify({ model: "gpt-3.5-turbo", messages: [{ role: "user", content: "hi" }] }),
    });
    expect(answer.status, await answer.text()).toBe(200);
  });
});
