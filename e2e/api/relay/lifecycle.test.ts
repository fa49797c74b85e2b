import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as wait } from "node:timers/promises";
import type { ApiKeyWire } from "@tollgate/contract/api/api-keys";
import type { UserWire } from "@tollgate/contract/api/user";
import { type FakeUpstream, startFakeUpstream } from "@tollgate/testkit/fake-upstream/fake-upstream";
import { keepContractRatio } from "@tollgate/testkit/keep-contract-ratio";
import { type ServerProcess, startServer } from "@tollgate/testkit/server-process";
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import {
  type Account,
  addAccount,
  addChannel,
  addKey,
  readFigures,
  readUsage,
  readUsageSum,
  signIn,
  signInAsRoot,
} from "./stage";
import { PATHS, sendRaw, smallRequest, understand } from "./wire";

const MODEL = "gpt-3.5-turbo";
/** 13 prompt and 5 completion tokens: ceil((13 + 5 × 2) × 0.75). */
const PRICE = 18;
const QUOTA = 10_000_000;

let upstream: FakeUpstream;
let dataDir: string;
let server: ServerProcess;
let account: Account;

/** The data folder outlives the processes here, so it is this file's own. */
beforeAll(async () => {
  dataDir = mkdtempSync(join(tmpdir(), "tollgate-lifecycle-"));
  [upstream, server] = await Promise.all([startFakeUpstream(), startServer({ dataDir })]);
  const root = await signInAsRoot(server.url);
  await keepContractRatio(root);
  await addChannel(root, { base_url: upstream.url, models: MODEL, name: "kept" });
  account = await addAccount(server.url, root, "alice", QUOTA);
});

afterAll(async () => {
  await server?.stop();
  await upstream?.close();
  rmSync(dataDir, { recursive: true, force: true });
});

beforeEach(() => upstream.reset());

describe("a second process on the same data folder", () => {
  it("is refused in words, and the first one goes on charging", async () => {
    await expect(startServer({ dataDir })).rejects.toThrow(/is in use by another process of Tollgate/);
    const root = await signInAsRoot(server.url);
    const used = async () => (await root.data<UserWire>("GET", `/api/user/${account.userId}`)).used_quota;
    const before = await used();
    expect((await ask(account.key)).status).toBe(200);
    expect((await used()) - before).toBe(PRICE);
  });
});

const startAgain = async () => {
  server = await startServer({ dataDir });
  return signInAsRoot(server.url);
};

const ask = (key: string, more: Record<string, unknown> = {}) =>
  sendRaw(server.url + PATHS.chat, { authorization: `Bearer ${key}` }, smallRequest(MODEL, more));

/** Everything that an administrator and a user see. */
const readAll = async () => {
  const root = await signInAsRoot(server.url);
  const owner = await signIn(server.url, account.username, "password-1");
  return {
    users: await root.data("GET", "/api/user/?p=0"),
    channels: await root.data("GET", "/api/channel/?p=0"),
    options: await root.data("GET", "/api/option/"),
    logs: await readUsage(root, ""),
    tokens: await owner.data("GET", "/api/token/?p=0"),
  };
};

describe("a restart", () => {
  it("keeps users, keys, channels, options, balances and the log", async () => {
    const root = await signInAsRoot(server.url);
    await root.data("PUT", "/api/option/", { key: "SystemName", value: "Gate of the north" });
    await root.data("PUT", "/api/option/", { key: "RetryTimes", value: "1" });
    expect((await ask(account.key)).status).toBe(200);
    const before = await readAll();
    expect(await server.stop()).toBe(0);

    await startAgain();
    const after = await readAll();
    expect(after).toEqual(before);
    // The key opens the same door, and the channel still knows its own key.
    const answer = await ask(account.key);
    expect(understand("chat", false, answer.text).text).not.toBe("");
    expect(upstream.requests.at(-1)?.headers.authorization).toBe("Bearer upstream-key");
  });

  it("says nothing of secrets while it starts and stops", () => {
    const printed = server.stdout + server.stderr;
    expect(printed).not.toContain("upstream-key");
    expect(printed).not.toContain(account.key.slice(3));
  });
});

describe("SIGTERM in the middle of a stream", () => {
  it("lets the stream end whole, and charges it", async () => {
    const root = await signInAsRoot(server.url);
    const figures = async (by = root) =>
      readFigures(by, await signIn(server.url, account.username, "password-1"), account.userId, account.id);
    const before = await figures();
    upstream.script({ fault: "slow", delayMs: 60, pieces: 12, text: "one two three four five six " });
    const response = await fetch(server.url + PATHS.chat, {
      method: "POST",
      headers: { authorization: `Bearer ${account.key}` },
      body: JSON.stringify(smallRequest(MODEL, { stream: true })),
    });
    const reader = response.body?.getReader();
    if (!reader) throw new Error("no stream");
    const decoder = new TextDecoder();
    let raw = decoder.decode((await reader.read()).value as Uint8Array, { stream: true });
    const address = server.url;
    const stopped = server.stop();
    for (let read = await reader.read(); !read.done; read = await reader.read()) {
      raw += decoder.decode(read.value as Uint8Array, { stream: true });
    }
    expect(await stopped).toBe(0);
    expect(understand("chat", true, raw)).toMatchObject({
      text: "one two three four five six ",
      isEnded: true,
      error: undefined,
    });
    await expect(fetch(`${address}/api/status`)).rejects.toThrow();

    const again = await startAgain();
    const after = await figures(again);
    expect(before.user.quota - after.user.quota).toBe(PRICE);
    expect(after.token.used - before.token.used).toBe(PRICE);
    expect((await readUsage(again, "username=alice"))[0]).toMatchObject({
      prompt_tokens: 13,
      completion_tokens: 5,
      quota: PRICE,
    });
  });
});

describe("kill -9 under load", () => {
  const CLIENTS = 8;
  const LOAD_MS = 2000;

  it("loses no delivered answer, and every balance adds up", async () => {
    const root = await signInAsRoot(server.url);
    const owner = await signIn(server.url, account.username, "password-1");
    const grantedBefore = await readFigures(root, owner, account.userId, account.id);
    // A key for each client tells their lines of the log apart.
    const names = Array.from({ length: CLIENTS }, (_, index) => `client-${index}`);
    const keys: string[] = [];
    for (const name of names) keys.push((await addKey(owner, { name, remain_quota: QUOTA })).key);
    // A real upstream takes its time; it also keeps this small machine from being the limit.
    upstream.script({ fault: "slow-first-byte", delayMs: 8 });

    const delivered = new Array<number>(CLIENTS).fill(0);
    let isDead = false;
    const clients = keys.map(async (key, index) => {
      const isStream = index % 2 === 1;
      while (!isDead) {
        try {
          const answer = await ask(key, { stream: isStream });
          if (understand("chat", isStream, answer.text).isEnded && answer.status === 200) {
            delivered[index] = (delivered[index] ?? 0) + 1;
          }
        } catch {
          // The process is gone, or went in the middle of this answer: it was not delivered.
          return;
        }
      }
    });
    await wait(LOAD_MS);
    await server.kill();
    isDead = true;
    await Promise.all(clients);
    expect(Math.min(...delivered)).toBeGreaterThan(10);

    const again = await startAgain();
    const ownerAgain = await signIn(server.url, account.username, "password-1");
    const tokens = await ownerAgain.data<ApiKeyWire[]>("GET", "/api/token/?p=0");
    const user = await again.data<UserWire>("GET", `/api/user/${account.userId}`);
    let total = 0;
    for (const [index, name] of names.entries()) {
      const logged = await readUsageSum(again, `token_name=${name}`);
      const lines = logged / PRICE;
      // At most one answer of each client was stored and then died on its way.
      expect(lines).toBeGreaterThanOrEqual(delivered[index] ?? 0);
      expect(lines).toBeLessThanOrEqual((delivered[index] ?? 0) + 1);
      const token = tokens.find((one) => one.name === name);
      expect(token?.used_quota).toBe(logged);
      expect((token?.remain_quota ?? 0) + logged).toBe(QUOTA);
      total += logged;
    }
    expect(user.quota).toBe(grantedBefore.user.quota - total);
    expect(user.used_quota).toBe(grantedBefore.user.used + total);
    expect(user.request_count).toBe(grantedBefore.user.requests + total / PRICE);
    expect(user.quota + user.used_quota).toBe(QUOTA);
    for (const token of tokens) expect(token.remain_quota).toBeGreaterThanOrEqual(0);
    const [channel] = await again.data<{ used_quota: number }[]>("GET", "/api/channel/?p=0");
    expect(channel?.used_quota).toBe(user.used_quota);
    // No hold outlived the process.
    upstream.script({});
    expect((await ask(keys[0] ?? "")).status).toBe(200);
  });

  it("is no reason to refuse a balance that is used up to the last unit", async () => {
    // Four clients want the same small balance at once: some are refused, none overdraws it, and a kill changes nothing.
    const root = await signInAsRoot(server.url);
    const poor = await addAccount(server.url, root, "poor", PRICE * 20);
    upstream.script({ fault: "slow-first-byte", delayMs: 2 });
    let isDead = false;
    const clients = Array.from({ length: 4 }, async () => {
      while (!isDead) {
        try {
          await ask(poor.key, { max_tokens: 5 });
        } catch {
          return;
        }
      }
    });
    await wait(300);
    await server.kill();
    isDead = true;
    await Promise.all(clients);
    const again = await startAgain();
    const left = await again.data<UserWire>("GET", `/api/user/${poor.userId}`);
    expect(left.quota).toBeGreaterThanOrEqual(0);
    expect(left.quota + left.used_quota).toBe(PRICE * 20);
    expect(await readUsageSum(again, "username=poor")).toBe(left.used_quota);
  });
});
