import { Agent, request } from "node:http";
import budgets from "../budgets.json" with { type: "json" };
import { CHAT_MODEL, CHAT_PATH } from "../load/chat-request";
import { median } from "../load/median";
import { startStage } from "../load/stage";
import { say, sayTable } from "../print";
import { startTollgate } from "../targets/start-tollgate";
import type { Part } from "./part";

/*
 * How long one request keeps the relay's thread from everybody else: while it is sent and answered, another connection
 * asks for /healthz without a pause, and the longest of its answers tells.
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
    // A body that nobody wants may be refused while it is sent.
    sent.on("error", (error) => {
      if (!isAnswered) reject(error);
    });
    sent.end(body);
  });

const NOTHING = Buffer.alloc(0);

/** Asks for /healthz until it is told to stop. @returns how long the longest answer took. */
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
  for (const [kind, { path, isGuest, body }] of Object.entries(KINDS)) {
    const bytes = Buffer.from(body());
    const headers = { "content-type": "application/json", ...(isGuest ? {} : target.headers) };
    const blocks: number[] = [];
    let status = 0;
    for (let i = 0; i < (isQuick ? 1 : 5); i += 1) {
      const stopWatch = watch(target.port);
      // Who is refused while it still sends may find the connection closed before it reads why.
      const sent = send(agent, target.port, "POST", path, headers, bytes).catch(() => undefined);
      status = (await sent)?.status ?? 0;
      blocks.push(await stopWatch());
    }
    const blockMs = median(blocks);
    worst = Math.max(worst, blockMs);
    rows.push([kind, String(status), blockMs.toFixed(1), Math.max(...blocks).toFixed(1)]);
  }
  agent.destroy();
  await target.stop();
  await stage.stop();
  say("  The longest answer of /healthz while one such request is sent and answered: median and longest.");
  sayTable(["request", "status", "median ms", "longest ms"], rows);
  return [
    {
      what: "The relay's thread, kept by one request of the worst kind",
      measured: worst,
      budget: budgets.hostileBlockMs,
      unit: " ms",
    },
  ];
};
