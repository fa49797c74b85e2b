import { Agent, request } from "node:http";
import { addChannel } from "@tollgate/demo/build-world";
import budgets from "../budgets.json" with { type: "json" };
import { CHAT_MODEL, CHAT_PATH } from "../load/chat-request";
import { median } from "../load/median";
import { startStage } from "../load/stage";
import { print, printTable } from "../print";
import { startTollgate } from "../targets/start-tollgate";
import type { Part } from "./part";

/*
 * Measures how long one request blocks the relay's thread: while it is sent and answered, another connection requests
 * /healthz without a pause, and its longest answer is the result.
 */

const MEGABYTE = 1_000_000;
/** A little under the largest body that is read. */
const LARGE = 31 * MEGABYTE;

interface Hostile {
  path: string;
  isGuest?: true;
  body: () => string;
}

const chat = (content: string): string =>
  `{"model":"${CHAT_MODEL}","max_tokens":5,"messages":[{"role":"user","content":${content}}]}`;

const KINDS: Record<string, Hostile> = {
  "lists within lists, 31 MB": { path: CHAT_PATH, body: () => "[".repeat(LARGE) },
  "empty objects, 31 MB": { path: CHAT_PATH, body: () => chat(`[${"{},".repeat(LARGE / 3)}{}]`) },
  "objects of different names, 2 MB": {
    path: CHAT_PATH,
    body: () => chat(`[${Array.from({ length: 120_000 }, (_, i) => `{"n${i}":1}`).join(",")}]`),
  },
  "blanks between, 31 MB": { path: CHAT_PATH, body: () => chat(`[${" ".repeat(LARGE)}]`) },
  "escapes, 31 MB": { path: CHAT_PATH, body: () => chat(`"${"\\n".repeat(LARGE / 2)}"`) },
  "escapes as many as are read, 12 MB": {
    path: CHAT_PATH,
    body: () => chat(`"${"\\u4e2d".repeat(1_999_000)}"`),
  },
  "a text, 31 MB": { path: CHAT_PATH, body: () => chat(`"${"word ".repeat(LARGE / 5)}"`) },
  "a text of Chinese characters, 31 MB": {
    path: CHAT_PATH,
    body: () => chat(`"${"中文字 ".repeat(LARGE / 10)}"`),
  },
  "a picture, 31 MB": {
    path: CHAT_PATH,
    body: () =>
      chat(`[{"type":"image_url","image_url":{"url":"data:image/png;base64,${"QUJD".repeat(LARGE / 4)}"}}]`),
  },
  "a text of blanks, 400 KB, counted": {
    path: "/v1/messages/count_tokens",
    body: () => chat(`"${" ".repeat(400_000)}"`),
  },
  "an answer of two million numbers, 26 MB": {
    path: "/v1/embeddings",
    body: () => `{"model":"${CHAT_MODEL}","input":"hello"}`,
  },
  "a guest's 4 MB for a sign-in": {
    path: "/api/user/login",
    isGuest: true,
    body: () => `{"username":"${"[".repeat(4 * MEGABYTE)}"}`,
  },
  "a guest's 4 MB for an unknown path": {
    path: "/api/unknown",
    isGuest: true,
    body: () => `[${"{},".repeat((4 * MEGABYTE) / 3)}{}]`,
  },
};

/** Channel types of the upstreams, each with a model to request. */
const UPSTREAMS = {
  chat: { type: 8, model: "gpt-4" },
  responses: { type: 1, model: "gpt-5-codex" },
  anthropic: { type: 14, model: "gpt-4" },
  gemini: { type: 24, model: "gpt-4" },
} as const;
type Shape = keyof typeof UPSTREAMS;

const MESSAGES = [{ role: "user", content: "hello" }];

/** Each client's request for a stream. */
const CLIENTS: Readonly<Record<Shape, (model: string) => { path: string; body: object }>> = {
  chat: (model) => ({ path: CHAT_PATH, body: { model, stream: true, messages: MESSAGES } }),
  responses: (model) => ({ path: "/v1/responses", body: { model, stream: true, input: "hello" } }),
  anthropic: (model) => ({
    path: "/v1/messages",
    body: { model, stream: true, max_tokens: 50, messages: MESSAGES },
  }),
  gemini: (model) => ({
    path: `/v1beta/models/${model}:streamGenerateContent?alt=sse`,
    body: { contents: [{ role: "user", parts: [{ text: "hello" }] }] },
  }),
};

/** Streams of `hostile-answers.ts`, and their clients: for a client of the upstream's own shape they pass unchanged. */
const STREAMS: readonly (readonly [what: string, answer: string, upstream: Shape, clients: Shape[]])[] = [
  ["a picture, 18 MB", "gemini-picture", "gemini", ["chat", "anthropic", "responses", "gemini"]],
  ["a call of 85,000 objects, 16 MB", "gemini-objects", "gemini", ["chat", "anthropic", "gemini"]],
  ["a call full of quotes, 18 MB", "gemini-quotes", "gemini", ["anthropic", "responses"]],
  ["a text, 18 MB", "chat-text", "chat", ["chat", "anthropic", "responses", "gemini"]],
  ["arguments of 85,000 objects, 16 MB", "chat-arguments", "chat", ["chat", "responses", "gemini"]],
  ["deltas of 60 MB", "chat-deltas", "chat", ["anthropic", "responses"]],
  ["tiny deltas, 18 MB", "chat-tiny", "chat", ["chat", "responses"]],
  ["two million empty events", "chat-empty", "chat", ["chat", "anthropic"]],
  ["an event of three million lines", "chat-lines", "chat", ["chat", "anthropic"]],
  ["a text, 18 MB", "anthropic-text", "anthropic", ["chat", "anthropic"]],
  ["a text, 18 MB", "responses-text", "responses", ["anthropic", "responses"]],
];

interface Reply {
  status: number;
  ms: number;
}

const send = (
  agent: Agent,
  port: number,
  method: string,
  path: string,
  headers: Readonly<Record<string, string>>,
  body: Buffer,
): Promise<Reply> =>
  new Promise((resolve, reject) => {
    const startedAt = performance.now();
    let isAnswered = false;
    const sent = request(
      {
        agent,
        host: "127.0.0.1",
        port,
        method,
        path,
        headers: { ...headers, "content-length": String(body.length) },
      },
      (answer) => {
        isAnswered = true;
        answer.resume();
        answer.on("end", () =>
          resolve({ status: answer.statusCode ?? 0, ms: performance.now() - startedAt }),
        );
        answer.on("error", reject);
      },
    );
    // An unwanted body may be refused while it is sent.
    sent.on("error", (error) => {
      if (!isAnswered) reject(error);
    });
    sent.end(body);
  });

const NOTHING = Buffer.alloc(0);

/** Requests /healthz until stopped. @returns the duration of the longest answer. */
const watch = (port: number): (() => Promise<number>) => {
  const agent = new Agent({ keepAlive: true, maxSockets: 1 });
  let isOver = false;
  const longest = (async () => {
    let longestMs = 0;
    while (!isOver) {
      const { ms } = await send(agent, port, "GET", "/healthz", {}, NOTHING);
      longestMs = Math.max(longestMs, ms);
    }
    agent.destroy();
    return longestMs;
  })();
  return () => {
    isOver = true;
    return longest;
  };
};

export const hostileBodies: Part = async ({ isQuick }) => {
  const stage = await startStage(true);
  const target = await startTollgate(stage.settings);
  const agent = new Agent({ keepAlive: false });
  const rows: string[][] = [];
  let worst = 0;
  const measure = async (
    kind: string,
    { path, isGuest, body }: Hostile,
    channelId?: number,
  ): Promise<void> => {
    const bytes = Buffer.from(body());
    const pinned = channelId === undefined ? "" : `-${channelId}`;
    const known = { authorization: `${target.headers.authorization}${pinned}` };
    const headers = { "content-type": "application/json", ...(isGuest ? {} : known) };
    const blocks: number[] = [];
    let status = 0;
    for (let i = 0; i < (isQuick ? 1 : 5); i += 1) {
      const stopWatch = watch(target.port);
      // A client refused while sending may find the connection closed before reading the reason.
      const sent = send(agent, target.port, "POST", path, headers, bytes).catch(() => undefined);
      status = (await sent)?.status ?? 0;
      blocks.push(await stopWatch());
    }
    const blockMs = median(blocks);
    worst = Math.max(worst, blockMs);
    rows.push([kind, String(status), blockMs.toFixed(1), Math.max(...blocks).toFixed(1)]);
  };
  for (const [kind, hostile] of Object.entries(KINDS)) await measure(kind, hostile);
  for (const [what, answer, upstream, clients] of STREAMS) {
    const { type, model } = UPSTREAMS[upstream];
    const base_url = `${stage.settings.upstreamUrl}/hostile/${answer}`;
    const channel = await addChannel(target.root, { name: answer, type, base_url, models: model });
    for (const client of clients) {
      const { path, body } = CLIENTS[client](model);
      const kind = `stream: ${what}, ${upstream} → ${client}`;
      await measure(kind, { path, body: () => JSON.stringify(body) }, channel);
    }
  }
  agent.destroy();
  await target.stop();
  await stage.stop();
  print("  The longest answer of /healthz while one such request is sent and answered: median and longest.");
  printTable(["request", "status", "median ms", "longest ms"], rows);
  return [
    {
      what: "The relay's thread, kept by one request of the worst kind",
      measured: worst,
      budget: budgets.hostileBlockMs,
      unit: " ms",
    },
  ];
};
