import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { setTimeout as wait } from "node:timers/promises";
import { CASHIER_PATH, createSimulatedCashier } from "./simulated-cashier";

/** About the speed at which a model writes. */
const PIECE_DELAY_MS = 40;
const FIRST_PIECE_DELAY_MS = 300;
const PIECE_LENGTH = 6;

/** A simulated model's answer, before it takes the shape of an API. */
interface Answer {
  id: string;
  model: string;
  /** Unix seconds. */
  createdAt: number;
  text: string;
  inputTokens: number;
  outputTokens: number;
}

/** An API's encoding of an answer: whole, and as the events of a stream. */
interface Shape {
  whole(answer: Answer): unknown;
  events(answer: Answer): string[];
}

const piecesOf = (text: string): string[] => text.match(new RegExp(`.{1,${PIECE_LENGTH}}`, "gsu")) ?? [];

/** https://platform.openai.com/docs/api-reference/chat */
const OPENAI_CHAT: Shape = {
  whole: (answer) => ({
    id: answer.id,
    object: "chat.completion",
    created: answer.createdAt,
    model: answer.model,
    choices: [{ index: 0, message: { role: "assistant", content: answer.text }, finish_reason: "stop" }],
    usage: openaiUsage(answer),
  }),
  events: (answer) => {
    const chunk = (fields: object): string =>
      `data: ${JSON.stringify({
        id: answer.id,
        object: "chat.completion.chunk",
        created: answer.createdAt,
        model: answer.model,
        ...fields,
      })}\n\n`;
    const choice = (delta: object, finish_reason: string | null = null) =>
      chunk({ choices: [{ index: 0, delta, finish_reason }], usage: null });
    return [
      choice({ role: "assistant", content: "" }),
      ...piecesOf(answer.text).map((content) => choice({ content })),
      choice({}, "stop"),
      chunk({ choices: [], usage: openaiUsage(answer) }),
      "data: [DONE]\n\n",
    ];
  },
};

const openaiUsage = ({ inputTokens, outputTokens }: Answer) => ({
  prompt_tokens: inputTokens,
  completion_tokens: outputTokens,
  total_tokens: inputTokens + outputTokens,
});

/** https://docs.anthropic.com/en/api/messages and …/messages-streaming */
const ANTHROPIC_MESSAGES: Shape = {
  whole: (answer) => ({
    id: answer.id,
    type: "message",
    role: "assistant",
    model: answer.model,
    content: [{ type: "text", text: answer.text }],
    stop_reason: "end_turn",
    stop_sequence: null,
    usage: { input_tokens: answer.inputTokens, output_tokens: answer.outputTokens },
  }),
  events: (answer) => {
    const event = (type: string, fields: object = {}): string =>
      `event: ${type}\ndata: ${JSON.stringify({ type, ...fields })}\n\n`;
    const message = {
      id: answer.id,
      type: "message",
      role: "assistant",
      model: answer.model,
      content: [],
      stop_reason: null,
      stop_sequence: null,
      usage: { input_tokens: answer.inputTokens, output_tokens: 1 },
    };
    return [
      event("message_start", { message }),
      event("content_block_start", { index: 0, content_block: { type: "text", text: "" } }),
      ...piecesOf(answer.text).map((text) =>
        event("content_block_delta", { index: 0, delta: { type: "text_delta", text } }),
      ),
      event("content_block_stop", { index: 0 }),
      event("message_delta", {
        delta: { stop_reason: "end_turn", stop_sequence: null },
        usage: { output_tokens: answer.outputTokens },
      }),
      event("message_stop"),
    ];
  },
};

const SHAPES: Readonly<Record<string, Shape>> = {
  "/v1/chat/completions": OPENAI_CHAT,
  "/v1/messages": ANTHROPIC_MESSAGES,
};

const readWhole = async (request: IncomingMessage): Promise<string> => {
  const pieces: Buffer[] = [];
  for await (const piece of request) pieces.push(piece as Buffer);
  return Buffer.concat(pieces).toString();
};

const readJson = (text: string): Record<string, unknown> => {
  try {
    const parsed: unknown = JSON.parse(text);
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
    ? "这是一个模拟的回答：演示环境没有连接任何真正的模型。你的请求已经过密钥校验、渠道选择、计量与计费，可以在“日志”页看到这一笔扣费。"
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
    text,
    inputTokens: countTokens(question),
    outputTokens: countTokens(text),
  };
};

const serve = async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
  const shape = SHAPES[(request.url ?? "").split("?")[0] ?? ""];
  const body = readJson(await readWhole(request));
  if (!shape) {
    response.writeHead(404, { "content-type": "application/json" });
    response.end(
      JSON.stringify({
        error: { message: "the simulated upstream does not know this path", type: "invalid_request_error" },
      }),
    );
    return;
  }
  const answer = createAnswer(body);
  await wait(FIRST_PIECE_DELAY_MS);
  if (body.stream !== true) {
    response.writeHead(200, { "content-type": "application/json" });
    response.end(JSON.stringify(shape.whole(answer)));
    return;
  }
  response.writeHead(200, { "content-type": "text/event-stream" });
  for (const event of shape.events(answer)) {
    if (response.destroyed) return;
    response.write(event);
    await wait(PIECE_DELAY_MS);
  }
  response.end();
};

export interface SimulatedUpstream {
  url: string;
  /** The simulated cashier's address, as in the option EPayAddress. */
  cashierUrl: string;
  close(): Promise<void>;
}

/**
 * Starts an upstream that answers everything, at a human pace, and marks each answer as simulated. It has the two
 * protocols of the demo's channels; the test equipment has one that can fail on request. The simulated cashier runs on
 * the same server.
 * @param port 0 for any that is free.
 */
export const startSimulatedUpstream = async (port = 0): Promise<SimulatedUpstream> => {
  const cashier = createSimulatedCashier();
  const serveCashier = async (request: IncomingMessage, response: ServerResponse): Promise<void> =>
    cashier.serve(request, response, await readWhole(request));
  const server = createServer((request, response) => {
    const isPayment = request.url?.startsWith(`${CASHIER_PATH}/`);
    (isPayment ? serveCashier : serve)(request, response).catch(() => response.destroy());
  });
  await new Promise<void>((resolve) => server.listen(port, "127.0.0.1", resolve));
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  return {
    url,
    cashierUrl: `${url}${CASHIER_PATH}/`,
    close: () =>
      new Promise((resolve) => {
        cashier.close();
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
};
