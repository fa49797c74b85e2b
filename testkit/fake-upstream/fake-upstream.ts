import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import { setTimeout as wait } from "node:timers/promises";
import { type Answer, type AnswerShape, cutIntoPieces } from "../answer-shapes/answer";
import { ANTHROPIC_MESSAGES } from "../answer-shapes/anthropic-messages";
import { GEMINI_GENERATE } from "../answer-shapes/gemini-generate";
import { OPENAI_CHAT } from "../answer-shapes/openai-chat";
import { OPENAI_COMPLETIONS } from "../answer-shapes/openai-completions";
import { encodeGeminiEmbeddings, OPENAI_OPERATIONS } from "../answer-shapes/openai-operations";
import { OPENAI_RESPONSES } from "../answer-shapes/openai-responses";
import { listenOnLoopback } from "../loopback-server";
import { applyFault, type Delivery, type FaultName, parseFaultName, shapeAnswer } from "./faults";
import { DEFAULT_TEXT, DEFAULT_USAGE, type UpstreamScript } from "./upstream-script";

/** A request as the fake upstream received it. */
export interface RecordedRequest {
  method: string;
  /** With the query string. */
  path: string;
  headers: IncomingMessage["headers"];
  rawBody: Buffer;
  /** The parsed JSON body; undefined when it is none. */
  body: Record<string, unknown> | undefined;
  /** The form, read by another reader than the product's; undefined when the body is none. */
  form: FormData | undefined;
  /** The other side left before it had the whole answer. */
  isAbandoned: boolean;
}

export interface FakeUpstream {
  /** Base address, without a slash at the end. */
  readonly url: string;
  /** Everything that was asked since the start or the last `reset`, oldest first. */
  readonly requests: readonly RecordedRequest[];
  /**
   * Says what happens to the next requests: each script serves one request, the last one all that follow.
   * @throws Error when a fault is unknown.
   */
  script(...scripts: UpstreamScript[]): void;
  /** Keys that are refused as invalid; tests add and delete. */
  readonly deadKeys: Set<string>;
  /** Forgets scripts, recorded requests and dead keys. */
  reset(): void;
  /** @throws Error when a request asked for an unknown fault by its model's name. */
  close(): Promise<void>;
}

/**
 * Separates a model's name from the fault that it asks for: "fake-gpt--empty-stream". A channel's model mapping can
 * so choose a fault for one channel only.
 */
const FAULT_MARK = "--";

const SHAPES: Record<string, AnswerShape> = {
  "/v1/chat/completions": OPENAI_CHAT,
  "/v1/completions": OPENAI_COMPLETIONS,
  "/v1/messages": ANTHROPIC_MESSAGES,
  "/v1/responses": OPENAI_RESPONSES,
};

/** Here the path names the model and the kind of answer. */
const GEMINI_PATH = /^\/v1beta\/models\/([^/]+):(generateContent|streamGenerateContent)$/;

const GEMINI_EMBEDDINGS = /^\/v1beta\/models\/([^/]+):batchEmbedContents$/;

/** What is asked of which shape. */
interface Asked {
  shape: AnswerShape;
  model: string;
  isStream: boolean;
  isUsageWanted: boolean;
}

const readAsked = (pathname: string, body: Record<string, unknown> | undefined): Asked | undefined => {
  const [, model, method] = GEMINI_PATH.exec(pathname) ?? [];
  if (model !== undefined) {
    const isStream = method === "streamGenerateContent";
    return { shape: GEMINI_GENERATE, model: decodeURIComponent(model), isStream, isUsageWanted: true };
  }
  const shape = SHAPES[pathname];
  const options = body?.stream_options as { include_usage?: unknown } | null | undefined;
  return (
    shape && {
      shape,
      model: String(body?.model ?? ""),
      isStream: body?.stream === true,
      isUsageWanted: options?.include_usage === true,
    }
  );
};

/** What an account of this upstream holds, in the answers that a balance is read from: 100 − 12.34 USD. */
const BILLING: Record<string, unknown> = {
  "/v1/dashboard/billing/subscription": {
    object: "billing_subscription",
    has_payment_method: true,
    soft_limit_usd: 100,
    hard_limit_usd: 100,
    system_hard_limit_usd: 100,
    access_until: 0,
  },
  "/v1/dashboard/billing/usage": { object: "list", total_usage: 1234 },
};

const parseBody = (bytes: Buffer): Record<string, unknown> | undefined => {
  try {
    const parsed: unknown = JSON.parse(bytes.toString());
    return typeof parsed === "object" && parsed !== null ? (parsed as Record<string, unknown>) : undefined;
  } catch {
    return undefined;
  }
};

const parseForm = async (bytes: Buffer, contentType: string): Promise<FormData | undefined> => {
  if (!contentType.startsWith("multipart/form-data")) return undefined;
  try {
    return await new Response(bytes, { headers: { "content-type": contentType } }).formData();
  } catch {
    return undefined;
  }
};

const readBytes = async (request: IncomingMessage): Promise<Buffer> => {
  const chunks: Buffer[] = [];
  for await (const chunk of request) chunks.push(chunk as Buffer);
  return Buffer.concat(chunks);
};

const buildAnswer = (script: UpstreamScript, model: string, serial: number, hugeText?: string): Answer => {
  const toolCalls = script.toolCalls ?? [];
  const text = script.text ?? (toolCalls.length > 0 ? "" : DEFAULT_TEXT);
  return {
    id: `fake-${serial}`,
    model,
    createdAt: 1_700_000_000,
    reasoning: script.reasoning ?? "",
    pieces: hugeText === undefined ? cutIntoPieces(text, script.pieces ?? 6) : [hugeText],
    toolCalls,
    usage: script.usage ?? DEFAULT_USAGE,
    finish: script.finish ?? (toolCalls.length > 0 ? "tool-calls" : "stop"),
  };
};

const hasGone = (response: ServerResponse): boolean => response.destroyed || response.socket === null;

const deliver = async (delivery: Delivery, response: ServerResponse, signal: AbortSignal): Promise<void> => {
  const { socket } = response;
  if (delivery.headDelayMs > 0) await wait(delivery.headDelayMs, undefined, { signal });
  if (delivery.isRefused) {
    socket?.resetAndDestroy();
    return;
  }
  response.writeHead(delivery.status, delivery.headers);
  response.flushHeaders();
  for (const part of delivery.parts) {
    if (delivery.partDelayMs > 0) await wait(delivery.partDelayMs, undefined, { signal });
    const bytes = Buffer.from(part);
    const pieces = delivery.isSplit ? Array.from(bytes, (byte) => Buffer.of(byte)) : [bytes];
    for (const piece of pieces) {
      if (hasGone(response)) return;
      response.write(piece);
      // One write per turn of the event loop travels by itself.
      if (pieces.length > 1 || delivery.parts.length > 1) await new Promise(setImmediate);
    }
  }
  if (delivery.ending === "end") {
    response.end();
  } else if (delivery.ending === "reset") {
    // Until everything written has really left: a reset throws away what still waits to be sent.
    await wait(20, undefined, { signal });
    socket?.resetAndDestroy();
  }
};

/**
 * Starts an upstream on a free loopback port that answers Anthropic Messages, Gemini's generateContent, OpenAI's
 * Responses and every operation of OpenAI's shape, plainly and as streams, and fails by name when told to.
 */
export const startFakeUpstream = async (): Promise<FakeUpstream> => {
  const requests: RecordedRequest[] = [];
  const closing = new AbortController();
  let scripts: UpstreamScript[] = [];
  let attempts = new Map<FaultName, number>();
  let serial = 0;
  let failure: unknown;

  const deadKeys = new Set<string>();

  const isRefused = ({ headers }: IncomingMessage): boolean =>
    deadKeys.has(
      headers.authorization?.replace(/^Bearer /, "") ??
        String(headers["x-api-key"] ?? headers["x-goog-api-key"] ?? ""),
    );

  const takeScript = (): UpstreamScript => (scripts.length > 1 ? scripts.shift() : scripts[0]) ?? {};

  const countAttempt = (fault: FaultName): number => {
    const attempt = attempts.get(fault) ?? 0;
    attempts.set(fault, attempt + 1);
    return attempt;
  };

  /** What was scripted for a model's request, and its answer. */
  const begin = (asked: string) => {
    const script = takeScript();
    const mark = asked.indexOf(FAULT_MARK);
    const fault = mark < 0 ? script.fault : parseFaultName(asked.slice(mark + FAULT_MARK.length));
    const { placement, hugeText } = shapeAnswer(fault);
    serial += 1;
    return { script, fault, placement, answer: buildAnswer(script, asked, serial, hugeText) };
  };

  const spoil = (
    good: Pick<Delivery, "headers" | "parts">,
    isStream: boolean,
    shape: Pick<AnswerShape, "encodeError" | "encodeErrorEvent">,
    { script, fault }: ReturnType<typeof begin>,
  ): Delivery => {
    const whole: Delivery = {
      ...good,
      status: 200,
      headDelayMs: 0,
      partDelayMs: 0,
      isSplit: false,
      ending: "end",
      isRefused: false,
    };
    if (fault === undefined) return whole;
    return applyFault(fault, whole, {
      isStream,
      delayMs: script.delayMs ?? 1000,
      attempt: countAttempt(fault),
      error: shape.encodeError,
      errorEvent: shape.encodeErrorEvent,
    });
  };

  const plan = ({ shape, model, isStream, isUsageWanted }: Asked): Delivery => {
    const begun = begin(model);
    const { answer, placement } = begun;
    const headers = {
      "content-type": isStream ? "text/event-stream; charset=utf-8" : "application/json",
    };
    const parts = isStream
      ? shape.encodeEvents(answer, placement, isUsageWanted)
      : [JSON.stringify(shape.encodeJson(answer, placement))];
    return spoil({ headers, parts }, isStream, shape, begun);
  };

  const planOperation = (pathname: string, fields: Record<string, unknown>): Delivery | undefined => {
    const embedder = GEMINI_EMBEDDINGS.exec(pathname)?.[1];
    if (embedder !== undefined) {
      const { contentType, parts } = encodeGeminiEmbeddings(fields);
      return spoil(
        { headers: { "content-type": contentType }, parts },
        false,
        GEMINI_GENERATE,
        begin(embedder),
      );
    }
    const encode = OPENAI_OPERATIONS[pathname];
    if (!encode) return undefined;
    const begun = begin(String(fields.model ?? ""));
    const { answer, placement, script } = begun;
    const hasUsage = placement !== "none";
    const { contentType, parts, isStream } = encode({ fields, answer, hasUsage, seconds: script.seconds });
    return spoil({ headers: { "content-type": contentType }, parts }, isStream, OPENAI_CHAT, begun);
  };

  const answerJson = (response: ServerResponse, status: number, body: unknown): void => {
    response.writeHead(status, { "content-type": "application/json" }).end(JSON.stringify(body));
  };

  const answer = async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
    const rawBody = await readBytes(request);
    const path = request.url ?? "/";
    const recorded: RecordedRequest = {
      method: request.method ?? "",
      path,
      headers: request.headers,
      rawBody,
      body: parseBody(rawBody),
      form: await parseForm(rawBody, request.headers["content-type"] ?? ""),
      isAbandoned: false,
    };
    requests.push(recorded);
    const leaving = new AbortController();
    response.on("close", () => {
      if (!response.writableFinished) recorded.isAbandoned = true;
      leaving.abort();
    });
    const pathname = path.split("?")[0] ?? path;
    const asked = readAsked(pathname, recorded.body);
    const signal = AbortSignal.any([leaving.signal, closing.signal]);
    const fields = recorded.form ? Object.fromEntries(recorded.form) : recorded.body;
    const operation = fields && request.method === "POST" ? planOperation(pathname, fields) : undefined;
    if (operation) {
      await deliver(operation, response, signal);
      return;
    }
    if (request.method === "GET" && BILLING[pathname] !== undefined) {
      answerJson(response, 200, BILLING[pathname]);
    } else if (asked === undefined || request.method !== "POST") {
      answerJson(
        response,
        404,
        OPENAI_CHAT.encodeError(404, `The fake upstream has no ${request.method} ${path}`),
      );
    } else if (isRefused(request)) {
      answerJson(response, 401, asked.shape.encodeError(401, "Incorrect API key provided"));
    } else if (recorded.body === undefined) {
      answerJson(response, 400, asked.shape.encodeError(400, "The fake upstream was sent no JSON"));
    } else {
      await deliver(plan(asked), response, signal);
    }
  };

  const server = createServer((request, response) => {
    answer(request, response).catch((error: unknown) => {
      if (error instanceof Error && (error.name === "AbortError" || "code" in error)) return;
      failure ??= error;
      if (!response.headersSent) answerJson(response, 500, { error: { message: String(error) } });
      else response.destroy();
    });
  });
  // Small pieces must travel as they are written.
  server.on("connection", (socket) => socket.setNoDelay(true));
  const url = await listenOnLoopback(server);

  return {
    url,
    requests,
    deadKeys,
    script: (...next) => {
      for (const { fault } of next) if (fault !== undefined) parseFaultName(fault);
      scripts = next;
      attempts = new Map();
    },
    reset: () => {
      scripts = [];
      attempts = new Map();
      requests.length = 0;
      deadKeys.clear();
    },
    close: async () => {
      closing.abort();
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
      if (failure !== undefined) throw failure;
    },
  };
};
