import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { setTimeout as wait } from "node:timers/promises";
import { type Answer, type AnswerShape, cutIntoPieces } from "../answer-shapes/answer";
import { ANTHROPIC_MESSAGES } from "../answer-shapes/anthropic-messages";
import { OPENAI_CHAT } from "../answer-shapes/openai-chat";

/** About the speed at which a model writes. */
const PIECE_DELAY_MS = 40;
const FIRST_PIECE_DELAY_MS = 300;

const SHAPES: Readonly<Record<string, AnswerShape>> = {
  "/v1/chat/completions": OPENAI_CHAT,
  "/v1/messages": ANTHROPIC_MESSAGES,
};

const readBody = async (request: IncomingMessage): Promise<Record<string, unknown>> => {
  const pieces: Buffer[] = [];
  for await (const piece of request) pieces.push(piece as Buffer);
  try {
    const parsed: unknown = JSON.parse(Buffer.concat(pieces).toString());
    return typeof parsed === "object" && parsed !== null ? (parsed as Record<string, unknown>) : {};
  } catch {
    return {};
  }
};

/** Rough, as a simulation may be: a token for every four characters, or for every Han character. */
const countTokens = (text: string): number =>
  Math.max(1, Math.ceil([...text].reduce((sum, character) => sum + (character > "\u2e80" ? 1 : 0.25), 0)));

const answerText = (question: string): string =>
  /[\u4e00-\u9fff]/.test(question)
    ? "这是一个模拟的回答：演示环境没有连接任何真正的模型。您的请求已经过密钥校验、渠道选择、计量与计费，可以在“日志”页看到这一笔扣费。"
    : "This is a simulated answer: the demo is not connected to any real model. Your request was authenticated, routed, metered and charged, and the log page shows that charge.";

let serial = 0;

const createAnswer = (body: Record<string, unknown>): Answer => {
  serial += 1;
  const question = JSON.stringify(body.messages ?? "");
  const text = answerText(question);
  return {
    id: `simulated-${serial}`,
    model: typeof body.model === "string" ? body.model : "simulated",
    createdAt: Math.floor(Date.now() / 1000),
    reasoning: "",
    pieces: cutIntoPieces(text, 24),
    toolCalls: [],
    usage: { input: countTokens(question), output: countTokens(text) },
    finish: "stop",
  };
};

const serve = async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
  const shape = SHAPES[(request.url ?? "").split("?")[0] ?? ""];
  const body = await readBody(request);
  if (!shape) {
    response.writeHead(404, { "content-type": "application/json" });
    response.end(
      JSON.stringify(OPENAI_CHAT.encodeError(404, "the simulated upstream does not know this path")),
    );
    return;
  }
  const answer = createAnswer(body);
  await wait(FIRST_PIECE_DELAY_MS);
  if (body.stream !== true) {
    response.writeHead(200, { "content-type": "application/json" });
    response.end(JSON.stringify(shape.encodeJson(answer, "documented")));
    return;
  }
  response.writeHead(200, { "content-type": "text/event-stream" });
  for (const event of shape.encodeEvents(answer, "documented", true)) {
    if (response.destroyed) return;
    response.write(event);
    await wait(PIECE_DELAY_MS);
  }
  response.end();
};

export interface SimulatedUpstream {
  url: string;
  close(): Promise<void>;
}

/** Starts an upstream that answers everything, at a human pace, and says in each answer that it is simulated. */
export const startSimulatedUpstream = async (port = 0): Promise<SimulatedUpstream> => {
  const server = createServer((request, response) => {
    serve(request, response).catch(() => response.destroy());
  });
  await new Promise<void>((resolve) => server.listen(port, "127.0.0.1", resolve));
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
};
