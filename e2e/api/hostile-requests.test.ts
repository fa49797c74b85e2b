import { request } from "node:http";
import { createRandom } from "@tollgate/testkit/random";
import { startServer } from "@tollgate/testkit/server-process";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { type Account, addChannel, type Stage, startStage } from "./relay/stage";

/*
 * S1, S2, S5, S8: no request ends the process or keeps it from the others. Every route is asked, by guests too, with
 * bodies that are cheap to send and would be dear to read. How much is read of them is asserted beside the code that
 * reads, by counting; here a real process has to live, answer, and end when it is told to.
 */

/** Every failure names it; SEED=<number> repeats a run. */
const SEED = Number(process.env.SEED ?? Date.now() % 1_000_000);

const anyNumber = createRandom(SEED);
const random = (count: number): number => Math.floor(anyNumber() * count);

const MODEL = "gpt-3.5-turbo";
const DEEP = 5000;
const nest = (open: string, close: string, depth = DEEP): string => open.repeat(depth) + close.repeat(depth);

/** Bodies of some kilobytes; `field` is one that readers look into. */
const SMALL: Record<string, (field: string) => string> = {
  "lists within lists": () => nest("[", "]"),
  "objects within objects": () => `${'{"a":'.repeat(DEEP)}1${"}".repeat(DEEP)}`,
  "lists without an end": () => "[".repeat(10_000),
  "deep tools": (field) =>
    `{"model":"${MODEL}","${field}":[{"role":"user","content":"hi","parts":[{"text":"hi"}]}],"max_tokens":5,"tools":${nest("[", "]")}}`,
  "deep arguments": (field) =>
    `{"model":"${MODEL}","${field}":[{"role":"assistant","content":[{"type":"tool_use","id":"a","name":"f","input":${nest("[", "]")}}],"parts":[{"functionCall":{"name":"f","args":{"a":${nest("[", "]")}}}}]}],"max_tokens":5}`,
  "names of JavaScript's own": (field) =>
    `{"model":"${MODEL}","${field}":{"__proto__":{"toString":1},"constructor":null,"length":-1},"type":{"toString":1}}`,
  "wrong types everywhere": (field) =>
    `{"model":${nest("[", "]", 100)},"${field}":{"type":{"toString":1},"content":7,"text":[null]},"stream":"yes","tools":5}`,
  "a number beyond all": (field) => `{"model":"${MODEL}","${field}":[1e999,-0,${"9".repeat(400)}]}`,
  "a NUL and half a pair": (field) => `{"model":"\\u0000\\ud800","${field}":"\\udc00"}`,
  nothing: () => "",
};

/** Bodies of a megabyte and more. */
const LARGE: Record<string, (field: string) => string> = {
  "empty objects": (field) => `{"model":"${MODEL}","${field}":[${"{},".repeat(500_000)}{}]}`,
  "objects that all look different": (field) =>
    `{"model":"${MODEL}","${field}":[${Array.from({ length: 60_000 }, (_, i) => `{"n${i}":1}`).join(",")}]}`,
  "names with one hash": (field) =>
    `{"model":"${MODEL}","${field}":{${Array.from(
      { length: 30_000 },
      (_, i) => `"${i.toString(2).padStart(16, "0").replaceAll("0", "a@").replaceAll("1", "b!")}":1`,
    ).join(",")}}}`,
  "blanks between": (field) => `{"model":"${MODEL}",${" ".repeat(2_000_000)}"${field}":[]}`,
  "a long text of blanks": (field) =>
    `{"model":"${MODEL}","max_tokens":5,"${field}":[{"role":"user","content":"${" ".repeat(400_000)}","parts":[{"text":"${" ".repeat(400_000)}"}]}]}`,
  "a long name": (field) => `{"model":"${MODEL}","${field}":[],"${"N".repeat(1_000_000)}":1}`,
  escapes: (field) => `{"model":"${MODEL}","${field}":"${"\\u4e2d".repeat(300_000)}"}`,
};

interface HostileRoute {
  method: string;
  path: string;
  /** Where a body is looked into. */
  field: string;
}

const post = (field: string, ...paths: string[]): HostileRoute[] =>
  paths.map((path) => ({ method: "POST", path, field }));

const OPERATIONS = [
  "completions",
  "edits",
  "embeddings",
  "moderations",
  "rerank",
  "images/generations",
  "images/edits",
  "images/variations",
  "audio/speech",
  "audio/transcriptions",
  "audio/translations",
].map((name) => `/v1/${name}`);

const RELAY_ROUTES: HostileRoute[] = [
  ...post("messages", "/v1/chat/completions", "/v1/messages", "/v1/messages/count_tokens"),
  ...post("input", "/v1/responses", "/v1/responses/input_tokens", ...OPERATIONS),
  ...post("prompt", "/v1/completions", `/v1/engines/${MODEL}/embeddings`),
  ...post(
    "contents",
    ...["generateContent", "streamGenerateContent", "countTokens"].map(
      (method) => `/v1beta/models/${MODEL}:${method}`,
    ),
  ),
  ...post(
    "input",
    "/v1/files",
    "/v1/unknown",
    "/v1/responses/x",
    "/",
    "/assets/x.js",
    "/api",
    "/api/unknown",
  ),
  ...[
    "/v1/models",
    "/v1beta/models",
    `/v1/models/${MODEL}`,
    "/dashboard/billing/usage",
    "/healthz",
    "/readyz",
  ].map((path) => ({ method: "GET", path, field: "input" })),
];

let stage: Stage;
let account: Account;
let other: Account;
let rootCookie: string;

beforeAll(async () => {
  stage = await startStage();
  await addChannel(stage.root, {
    type: 8,
    base_url: stage.upstream.url,
    models: `${MODEL},whisper-1,dall-e-2,text-embedding-ada-002`,
  });
  account = await stage.addAccount("hostile", 1_000_000_000);
  other = await stage.addAccount("patient", 1_000_000_000);
  rootCookie = (await stage.server.signIn()).cookie;
});

afterAll(async () => {
  await stage?.close();
});

/** Sends a body whatever the method is. @throws why the connection ended without an answer */
const send = (
  { method, path }: Omit<HostileRoute, "field">,
  headers: Record<string, string>,
  body: string | Buffer,
): Promise<{ status: number; text: string }> =>
  new Promise((resolve, reject) => {
    const bytes = Buffer.from(body);
    let isAnswered = false;
    const sent = request(
      stage.server.url + path,
      { method, headers: { ...headers, "content-length": bytes.length }, agent: false },
      (answer) => {
        isAnswered = true;
        const pieces: Buffer[] = [];
        answer.on("data", (piece: Buffer) => pieces.push(piece));
        answer.on("end", () => {
          resolve({ status: answer.statusCode ?? 0, text: Buffer.concat(pieces).toString() });
        });
        answer.on("error", reject);
      },
    );
    sent.on("error", (error) => {
      if (!isAnswered) reject(error);
    });
    sent.end(bytes);
  });

const isAlive = async (): Promise<boolean> => (await fetch(`${stage.server.url}/healthz`)).status === 200;

/** What a route may say to nonsense: no failure of the gateway's own, except that nothing could be had upstream. */
const expectAnswered = async (
  route: HostileRoute,
  who: string,
  headers: Record<string, string>,
  kinds: Record<string, (field: string) => string>,
  names: readonly string[],
): Promise<void> => {
  for (const name of names) {
    const body = kinds[name]?.(route.field) ?? "";
    const where = `SEED=${SEED}: ${who} ${route.method} ${route.path} with ${name}`;
    const { status, text } = await send(route, headers, body).catch((error: Error) => {
      throw new Error(`${where}: ${error.message}`);
    });
    expect([500, 0], `${where}: ${text.slice(0, 300)}`).not.toContain(status);
  }
};

const smallKinds = Object.keys(SMALL);
const largeKinds = Object.keys(LARGE);
const someLarge = (): string[] => [largeKinds[random(largeKinds.length)] ?? "blanks between"];

describe("S1, S5, S8: hostile bodies", () => {
  it("of every kind, for every call of /v1, with and without a key", async () => {
    for (const route of RELAY_ROUTES) {
      const key = { authorization: `Bearer ${account.key}` };
      await expectAnswered(route, "key", key, SMALL, smallKinds);
      await expectAnswered(route, "key", key, LARGE, someLarge());
      await expectAnswered(route, "guest", {}, SMALL, ["lists within lists", "nothing"]);
      await expectAnswered(route, "guest", {}, LARGE, someLarge());
    }
    expect(await isAlive()).toBe(true);
  });

  it("of every kind, for every call of /api, for guests and for root", async () => {
    const document = (await (await fetch(`${stage.server.url}/api/openapi.json`)).json()) as {
      paths: Record<string, Record<string, unknown>>;
    };
    const routes = Object.entries(document.paths).flatMap(([path, calls]) =>
      Object.keys(calls).map((method) => ({
        method: method.toUpperCase(),
        path: path.replace(/\{\w+\}/g, "1"),
        field: "username",
      })),
    );
    expect(routes.length).toBeGreaterThan(60);
    for (const route of routes) {
      await expectAnswered(route, "guest", {}, SMALL, ["lists within lists", "wrong types everywhere"]);
      await expectAnswered(route, "guest", {}, LARGE, someLarge());
      if (route.method !== "POST" && route.method !== "PUT") continue;
      const session = { cookie: rootCookie };
      await expectAnswered(route, "root", session, SMALL, smallKinds);
      await expectAnswered(route, "root", session, LARGE, someLarge());
    }
    expect(await isAlive()).toBe(true);
  });

  it("in three shapes, with 5,000 lists in tools, for the calls that count", async () => {
    const tools = nest("[", "]");
    const key = { authorization: `Bearer ${account.key}` };
    const messages = '"messages":[{"role":"user","content":"hi"}]';
    for (const [path, body] of [
      ["/v1/messages/count_tokens", `{"model":"${MODEL}",${messages},"tools":${tools}}`],
      ["/v1/responses/input_tokens", `{"model":"${MODEL}","input":"hi","tools":${tools}}`],
      [`/v1beta/models/${MODEL}:countTokens`, `{"contents":[{"parts":[{"text":"hi"}]}],"tools":${tools}}`],
    ] as const) {
      const { status, text } = await send({ method: "POST", path }, key, body);
      expect(status).toBe(400);
      expect(text).toContain("at most 128 levels");
    }
  });
});

describe("S5: unsolicited bodies", () => {
  const MEGABYTES = 4_000_000;

  it("guests may send 64 KB, and are told so", async () => {
    const login = { method: "POST", path: "/api/user/login" };
    const body = JSON.stringify({ username: "a".repeat(70_000), password: "b" });
    const { status, text } = await send(login, { "accept-language": "en" }, body);
    expect(status).toBe(413);
    expect(JSON.parse(text)).toEqual({
      success: false,
      message: "The request body is too large: at most 65536 bytes",
    });
    expect(
      (await send(login, {}, JSON.stringify({ username: "a".repeat(60_000), password: "b" }))).status,
    ).toBe(200);
  });

  /** Sends a head alone: a server that waits for the body waits for ever. @returns the status. */
  const sendHead = (url: string, method: string): Promise<number> =>
    new Promise((resolve, reject) => {
      const headers = { "content-length": MEGABYTES };
      const sent = request(url, { method, headers, agent: false }, (answer) => {
        resolve(answer.statusCode ?? 0);
        sent.destroy();
      });
      sent.on("error", reject);
      sent.flushHeaders();
    });

  it.each([
    ["a call for those who are signed in", "POST", "/api/token/", 401],
    ["an unknown path", "POST", "/api/unknown", 404],
    ["a page", "POST", "/anything", 404],
    ["an unknown call of /v1", "POST", "/v1/unknown", 404],
  ])("%s is answered before its body is there", async (_, method, path, status) => {
    expect(await sendHead(stage.server.url + path, method)).toBe(status);
  });

  it("a call too many is answered before its body is there", async () => {
    const limited = await startServer({ env: { GLOBAL_API_RATE_LIMIT: "1" } });
    expect((await fetch(`${limited.url}/api/status`)).status).toBe(200);
    expect(await sendHead(`${limited.url}/api/user/login`, "POST")).toBe(429);
    await limited.stop();
  });

  it("signed-in users may send a megabyte, and are told so", async () => {
    const body = JSON.stringify({ name: "a".repeat(1_100_000) });
    const asRoot = await send({ method: "POST", path: "/api/token/" }, { cookie: rootCookie }, body);
    expect(asRoot.status).toBe(413);
    expect(asRoot.text).toContain("1048576");
  });
});

describe("S2: counting", () => {
  const count = (key: string, content: string): Promise<{ status: number; text: string }> =>
    send(
      { method: "POST", path: "/v1/messages/count_tokens" },
      { authorization: `Bearer ${key}` },
      JSON.stringify({ model: MODEL, messages: [{ role: "user", content }] }),
    );

  it("counts long runs of any character, and another user's text meanwhile", async () => {
    const runs = [" ", "\u3000", "\u00a0", "\n", " \n", "a", "1", "!", "\u4e2d"].map((unit) =>
      unit.repeat(400_000),
    );
    const flood = runs.map((run) => count(account.key, run));
    const small = await count(other.key, "hello");
    expect(JSON.parse(small.text)).toEqual({ input_tokens: 9 });
    for (const { status, text } of await Promise.all(flood)) {
      expect(status).toBe(200);
      expect((JSON.parse(text) as { input_tokens: number }).input_tokens).toBeGreaterThan(100);
    }
  });

  it("is bounded by the rates of its key", async () => {
    const limited = await stage.addAccount("limited", 1_000_000, { rpm: 2 });
    const statuses = [];
    for (let i = 0; i < 3; i += 1) statuses.push((await count(limited.key, "hello")).status);
    expect(statuses).toEqual([200, 200, 429]);
  });

  // The last: it ends the process.
  it("does not keep the process from ending", async () => {
    const texts = Array.from({ length: 20 }, (_, i) =>
      Array.from({ length: 400_000 }, (_, at) =>
        String.fromCharCode(0x4e00 + ((at * 7919 + i * 31) % 20_000)),
      ).join(""),
    );
    const pending = texts.map((text) => count(account.key, text).catch(() => undefined));
    await count(other.key, "hello");
    expect(await stage.server.stop()).toBe(0);
    await Promise.all(pending);
  });
});
