import { once } from "node:events";
import { readdirSync, statSync } from "node:fs";
import { connect } from "node:net";
import { join } from "node:path";
import { caseCount } from "@tollgate/testkit/seeds";
import Database from "libsql";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { type Account, addChannel, addKey, type Session, type Stage, startStage } from "./relay/stage";

/*
 * S19, S21: all that a key can do which is good for nothing, thousands of times. What it leaves behind is counted in rows
 * and bytes.
 */

const MODEL = "gpt-3.5-turbo";
const TIMES = caseCount(10_000);
const AT_ONCE = 16;

let stage: Stage;
let good: Account;

beforeAll(async () => {
  stage = await startStage({ GLOBAL_API_RATE_LIMIT: "0", BODY_LIMIT_BYTES: "100000" });
  await addChannel(stage.root, { type: 8, base_url: stage.upstream.url, models: `${MODEL},other` });
  good = await stage.addAccount("good", 1_000_000_000);
});

afterAll(() => stage?.close());

interface Cause {
  key: string;
  body?: string;
  /** Ends the upload in the middle. */
  isAborted?: boolean;
}

const chat = (model: string): string =>
  JSON.stringify({ model, messages: [{ role: "user", content: "hi" }], input: "hi", contents: [] });

const makeCauses = async (): Promise<Record<string, Cause>> => {
  const poor = await stage.addAccount("poor", 0, { unlimited_quota: true });
  const keyOf = async (owner: Session, token: Record<string, unknown>): Promise<string> =>
    (await addKey(owner, { unlimited_quota: true, ...token })).key;
  const disabled = await addKey(good.owner, { unlimited_quota: true });
  await good.owner.data("PUT", "/api/token/?status_only=true", { id: disabled.id, status: 2 });
  return {
    "no key": { key: "" },
    "a key that is none": { key: `sk-${"x".repeat(48)}` },
    "a disabled key": { key: disabled.key },
    "an expired key": { key: await keyOf(good.owner, { expired_time: 1 }) },
    "an exhausted key": { key: await keyOf(good.owner, { unlimited_quota: false, remain_quota: 0 }) },
    "a user without balance": { key: poor.key },
    "an unknown model": { key: await keyOf(good.owner, {}), body: chat("made-up") },
    "a model that is not allowed": { key: await keyOf(good.owner, { models: "other" }) },
    "an address that is not allowed": { key: await keyOf(good.owner, { subnet: "192.0.2.0/24" }) },
    "a body that is too large": { key: await keyOf(good.owner, {}), body: "x".repeat(100_001) },
    "a body that is no JSON": { key: await keyOf(good.owner, {}), body: "{" },
    "an aborted upload": { key: await keyOf(good.owner, {}), isAborted: true },
  };
};

const ENDPOINTS = [
  "POST /v1/chat/completions",
  "POST /v1/responses",
  "POST /v1/messages",
  `POST /v1beta/models/${MODEL}:generateContent`,
  "POST /v1/embeddings",
  "POST /v1/images/generations",
  "POST /v1/audio/speech",
  "POST /v1/messages/count_tokens",
  "GET /v1/models",
  "GET /v1/models/made-up",
  "GET /v1/responses/made-up",
  "GET /dashboard/billing/usage",
  "GET /v1/usage",
  "GET /v1/generation?id=made-up",
  "GET /api/user/self",
  "GET /api/log/self/receipt?request_id=made-up",
  "POST /api/token/",
];

const headersOf = (key: string): Record<string, string> =>
  key === "" ? {} : { authorization: `Bearer ${key}` };

/** @returns the status; 0 where the client has left. */
const send = async (endpoint: string, { key, body = chat(MODEL), isAborted }: Cause): Promise<number> => {
  const [method = "", path = ""] = endpoint.split(" ");
  if (isAborted) {
    const socket = connect(Number(new URL(stage.server.url).port), "127.0.0.1");
    await once(socket, "connect");
    const head = `${method} ${path} HTTP/1.1\r\nhost: a\r\nauthorization: Bearer ${key}\r\ncontent-length: 1000\r\n\r\n{`;
    socket.write(head, () => socket.destroy());
    await once(socket, "close");
    return 0;
  }
  const answer = await fetch(stage.server.url + path, {
    method,
    headers: headersOf(key),
    ...(method === "GET" ? {} : { body }),
  });
  await answer.arrayBuffer();
  return answer.status;
};

const manyTimes = async (count: number, step: (index: number) => Promise<unknown>): Promise<void> => {
  let next = 0;
  const work = async (): Promise<void> => {
    while (next < count) {
      const index = next;
      next += 1;
      await step(index);
    }
  };
  await Promise.all(Array.from({ length: AT_ONCE }, work));
};

const bytesOf = (folder: string): number =>
  readdirSync(folder, { recursive: true, encoding: "utf8" })
    .map((name) => statSync(join(folder, name)))
    .reduce((sum, file) => sum + (file.isFile() ? file.size : 0), 0);

const rowsOf = (table: string): { rows: number; times: number } => {
  const file = new Database(join(stage.server.dataDir, "logs.sqlite"));
  try {
    const sum = table === "failures" ? "coalesce(sum(occurrences), 0)" : "0";
    return file.prepare(`SELECT count(*) AS rows, ${sum} AS times FROM ${table}`).get() as {
      rows: number;
      times: number;
    };
  } finally {
    file.close();
  }
};

describe("a key that is good for nothing (S19)", () => {
  it("leaves a few rows for thousands of requests, while good ones are served", async () => {
    const causes = Object.values(await makeCauses());
    await stage.setOption("RefusalsPerMinute", "0");
    const pairs = ENDPOINTS.flatMap((endpoint) => causes.map((cause) => [endpoint, cause] as const));
    const startedAt = Date.now();
    const before = bytesOf(stage.server.dataDir);
    const refused: number[] = [];
    await manyTimes(TIMES, async (index) => {
      const [endpoint, cause] = pairs[index % pairs.length] as (typeof pairs)[number];
      const status = await send(endpoint, cause);
      if (status >= 500 && status !== 503) refused.push(status);
    });
    expect(refused).toEqual([]);
    // The page waits for all that was written.
    await stage.root.data("GET", "/api/log/?p=0");
    const minutes = Math.ceil((Date.now() - startedAt) / 60_000) + 1;
    const failures = rowsOf("failures");
    expect(failures.times).toBeGreaterThan(TIMES / pairs.length);
    expect(failures.rows).toBeLessThanOrEqual(minutes * pairs.length);
    expect(rowsOf("receipts").rows).toBeLessThanOrEqual(minutes * pairs.length);
    expect(bytesOf(stage.server.dataDir) - before).toBeLessThan(16 * 1024 * 1024);
    expect(await send("POST /v1/chat/completions", { key: good.key })).toBe(200);
  });

  it("is refused unread beyond the limit, with the time to wait, and stores nothing more", async () => {
    await stage.setOption("RefusalsPerMinute", "30");
    const poor = await stage.addAccount("poorer", 0, { unlimited_quota: true });
    const statuses: number[] = [];
    for (let index = 0; index < 40; index += 1)
      statuses.push(await send("POST /v1/chat/completions", { key: poor.key }));
    expect(statuses.slice(0, 30)).toEqual(Array(30).fill(403));
    expect(statuses).toContain(429);
    const answer = await fetch(`${stage.server.url}/v1/messages`, {
      method: "POST",
      headers: headersOf(poor.key),
      body: chat(MODEL),
    });
    if (answer.status === 429) {
      expect(Number(answer.headers.get("retry-after"))).toBeGreaterThan(0);
      expect(await answer.json()).toMatchObject({ type: "error", error: { type: "rate_limit_error" } });
    }
    // Others at the same address are served, also with a key of the same kind that is good.
    expect(await send("POST /v1/chat/completions", { key: good.key })).toBe(200);
  });

  it("serves within seconds once it is good again", async () => {
    await stage.setOption("RefusalsPerMinute", "60");
    const late = await stage.addAccount("late", 0, { unlimited_quota: true });
    await manyTimes(80, () => send("POST /v1/chat/completions", { key: late.key }));
    await stage.root.data("PUT", "/api/user/", { id: late.userId, quota: 1_000_000 });
    await expect.poll(() => send("POST /v1/chat/completions", { key: late.key })).toBe(200);
    expect(await send("POST /v1/chat/completions", { key: late.key })).toBe(200);
  });

  it("has a receipt that says how often the same happened", async () => {
    await stage.setOption("RefusalsPerMinute", "0");
    const poor = await stage.addAccount("poorest", 0, { unlimited_quota: true });
    const ids: string[] = [];
    for (let index = 0; index < 6; index += 1) {
      const answer = await fetch(`${stage.server.url}/v1/chat/completions`, {
        method: "POST",
        headers: headersOf(poor.key),
        body: chat(MODEL),
      });
      await answer.arrayBuffer();
      ids.push(answer.headers.get("x-request-id") ?? "");
    }
    const times: number[] = [];
    await expect
      .poll(async () => {
        times.length = 0;
        for (const id of ids) {
          const { body } = await poor.owner.api("GET", `/api/log/self/receipt?request_id=${id}`);
          const { success, data } = body as { success: boolean; data?: { times?: number } };
          if (success) times.push(data?.times ?? 1);
        }
        return times.reduce((sum, each) => sum + each, 0);
      })
      .toBe(6);
    // A minute may have ended between them.
    expect(times.length).toBeLessThanOrEqual(2);
  });
});

/** The status line and the headers of an answer to bytes that no library sends. */
const exchange = async (bytes: string): Promise<string> => {
  const socket = connect(Number(new URL(stage.server.url).port), "127.0.0.1");
  socket.write(bytes, "latin1");
  let text = "";
  for await (const chunk of socket) {
    text += (chunk as Buffer).toString("latin1");
    if (text.includes("\r\n\r\n")) break;
  }
  socket.destroy();
  return text.toLowerCase();
};

describe("malformed requests (S21)", () => {
  it.each([
    ["two hosts", "host: a\r\nhost: b\r\n"],
    ["two hosts that are the same", "host: a\r\nHOST: a\r\n"],
    ["no host", ""],
  ])("with %s are refused with 400, at every address", async (_, hosts) => {
    for (const path of ["/", "/v1/models", "/api/status", "/healthz"])
      expect(await exchange(`GET ${path} HTTP/1.1\r\n${hosts}\r\n`)).toMatch(
        /^http\/1.1 400.*\r\ncache-control: no-store\r\n/s,
      );
  });

  it("may name no host over HTTP/1.0", async () => {
    expect(await exchange("GET /healthz HTTP/1.0\r\n\r\n")).toMatch(/^http\/1.1 200/);
  });

  it.each([
    "/api/%zz",
    "/api/%",
    "/api/%E0%A4%A",
    "/api/user/%c0%af",
    "/api//",
    "/api/..%2f..",
    "/api/unknown",
    "/api/user/self",
    "/api/status?%zz=%",
    "/api;x",
    "/api/\x80\xff",
    "/api/a b",
  ])("below /api are answered with no-store (%j)", async (path) => {
    for (const method of ["GET", "POST", "PUT", "DELETE", "OPTIONS", "HEAD", "PATCH"]) {
      const answer = await exchange(`${method} ${path} HTTP/1.1\r\nhost: a\r\ncontent-length: 0\r\n\r\n`);
      expect(answer, `${method} ${path}`).toContain("\r\ncache-control: no-store\r\n");
    }
  });
});
