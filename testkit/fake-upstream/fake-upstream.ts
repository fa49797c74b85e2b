import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import { setTimeout as wait } from "node:timers/promises";
import { type Answer, type AnswerShape, cutIntoPieces } from "../answer-shapes/answer";
import { OPENAI_CHAT } from "../answer-shapes/openai-chat";
import { OPENAI_OPERATIONS } from "../answer-shapes/openai-operations";
import { SPARK } from "../answer-shapes/spark";
import { listenOnLoopback } from "../loopback-server";
import { answerSockets } from "./answer-socket";
import { checkSparkUrl } from "./check-credential";
import { FAKE_KEYS } from "./credentials";
import { createEmbedders } from "./embedders";
import type { Arrival } from "./endpoint";
import { createEndpoints } from "./endpoints";
import { applyFault, type Delivery, type FaultName, parseFaultName, shapeAnswer } from "./faults";
import { checkAssertion } from "./service-account";
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
  /** Lets each of the next requests be answered by what it asks, in place of scripts in order. */
  reply(by: (request: RecordedRequest) => UpstreamScript): void;
  /** Keys that are refused as invalid; tests add and delete. */
  readonly deadKeys: Set<string>;
  /** Forgets scripts, recorded requests and dead keys. */
  reset(): void;
  /** Lets no access token be good any more that was fetched so far. */
  revokeTokens(): void;
  /** @throws Error when a request asked for an unknown fault by its model's name. */
  close(): Promise<void>;
}

/**
 * Separates a model's name from the fault that it asks for: "fake-gpt--empty-stream". A channel's model mapping can
 * so choose a fault for one channel only.
 */
const FAULT_MARK = "--";

/** What a request asks for, as far as the answer depends on it. */
interface Ask {
  model: string;
  isStream: boolean;
  isUsageWanted: boolean;
}

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
 * Starts an upstream on a free loopback port that answers as each vendor does, chats and every operation of OpenAI's
 * shape, plainly and as streams, checks keys and signatures, and fails by name when told to.
 */
export const startFakeUpstream = async (): Promise<FakeUpstream> => {
  const requests: RecordedRequest[] = [];
  const closing = new AbortController();
  let scripts: UpstreamScript[] = [];
  let replyBy: ((request: RecordedRequest) => UpstreamScript) | undefined;
  let attempts = new Map<FaultName, number>();
  let serial = 0;
  let failure: unknown;
  /** Access tokens of Baidu and Google that are good. */
  const tokens = new Set<string>();
  const isIssued = (token: string): boolean => tokens.has(token);
  const endpoints = createEndpoints(isIssued);
  const embedders = createEmbedders(isIssued);

  const deadKeys = new Set<string>();

  const isRefused = ({ headers }: IncomingMessage): boolean =>
    deadKeys.has(
      headers.authorization?.replace(/^Bearer /, "") ??
        String(headers["x-api-key"] ?? headers["x-goog-api-key"] ?? ""),
    );

  const takeScript = (): UpstreamScript => {
    // A request is planned in the same turn of the event loop in which it is recorded: the newest is the one.
    const asking = requests.at(-1);
    if (replyBy && asking) return replyBy(asking);
    return (scripts.length > 1 ? scripts.shift() : scripts[0]) ?? {};
  };

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
    shape: Pick<AnswerShape, "encodeError" | "encodeErrorEvent" | "errorStatus">,
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
      errorStatus: shape.errorStatus,
      error: shape.encodeError,
      errorEvent: shape.encodeErrorEvent,
    });
  };

  const plan = (shape: AnswerShape, { model, isStream, isUsageWanted }: Ask): Delivery => {
    const begun = begin(model);
    const { answer, placement } = begun;
    const headers = {
      "content-type": isStream
        ? (shape.streamType ?? "text/event-stream; charset=utf-8")
        : "application/json",
    };
    const parts = isStream
      ? shape.encodeEvents(answer, placement, isUsageWanted)
      : [JSON.stringify(shape.encodeJson(answer, placement))];
    return spoil({ headers, parts }, isStream, shape, begun);
  };

  /** Embeddings in a vendor's own shape. */
  const planEmbeddings = (arrival: Arrival): Delivery | undefined => {
    const embedder = embedders.find(
      ({ path, isAsked }) => path.test(arrival.path) && (isAsked?.(arrival) ?? true),
    );
    if (!embedder) return undefined;
    const { shape, encode, checkCredential } = embedder;
    const { contentType, parts } = encode(arrival.body);
    const begun = begin(String(arrival.body.model ?? embedder.path.exec(arrival.path)?.[1] ?? ""));
    const good = spoil({ headers: { "content-type": contentType }, parts }, false, shape, begun);
    const wrong = checkCredential(arrival);
    if (wrong === "") return good;
    return {
      ...good,
      status: shape.errorStatus ?? 401,
      parts: [JSON.stringify(shape.encodeError(401, wrong))],
    };
  };

  const planOperation = (pathname: string, fields: Record<string, unknown>): Delivery | undefined => {
    // Vendors have their embeddings below addresses of their own.
    const encode = OPENAI_OPERATIONS[pathname.endsWith("/embeddings") ? "/v1/embeddings" : pathname];
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

  /** Baidu's token service. */
  const issueToken = (query: URLSearchParams, response: ServerResponse): void => {
    const isKnown =
      query.get("grant_type") === "client_credentials" &&
      `${query.get("client_id")}|${query.get("client_secret")}` === FAKE_KEYS.baidu;
    if (!isKnown) {
      const refusal = { error: "invalid_client", error_description: "unknown client id" };
      answerJson(response, 401, refusal);
      return;
    }
    serial += 1;
    const access_token = `24.fake-${serial}`;
    tokens.add(access_token);
    answerJson(response, 200, { access_token, expires_in: 2_592_000 });
  };

  /** Google's token service. */
  const issueGoogleToken = (form: URLSearchParams, response: ServerResponse): void => {
    const wrong = checkAssertion(form);
    if (wrong !== "") {
      answerJson(response, 400, { error: "invalid_grant", error_description: wrong });
      return;
    }
    serial += 1;
    const access_token = `ya29.fake-${serial}`;
    tokens.add(access_token);
    answerJson(response, 200, { access_token, expires_in: 3599, token_type: "Bearer" });
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
    const { pathname, searchParams: query } = new URL(path, "http://fake");
    const endpoint =
      request.method === "POST" ? endpoints.find((each) => each.path.test(pathname)) : undefined;
    const signal = AbortSignal.any([leaving.signal, closing.signal]);
    const fields = recorded.form ? Object.fromEntries(recorded.form) : recorded.body;
    const arrival: Arrival = {
      path: pathname,
      query,
      headers: request.headers,
      rawBody,
      body: recorded.body ?? {},
    };
    const operation =
      fields && request.method === "POST"
        ? (planEmbeddings(arrival) ?? planOperation(pathname, fields))
        : undefined;
    if (operation) {
      await deliver(operation, response, signal);
      return;
    }
    if (request.method === "GET" && BILLING[pathname] !== undefined) {
      answerJson(response, 200, BILLING[pathname]);
    } else if (request.method === "POST" && pathname === "/oauth/2.0/token") {
      issueToken(query, response);
    } else if (request.method === "POST" && pathname === "/vertex/token") {
      issueGoogleToken(new URLSearchParams(rawBody.toString()), response);
    } else if (endpoint === undefined) {
      answerJson(
        response,
        404,
        OPENAI_CHAT.encodeError(404, `The fake upstream has no ${request.method} ${path}`),
      );
    } else if (isRefused(request)) {
      answerJson(response, 401, endpoint.shape.encodeError(401, "Incorrect API key provided"));
    } else if (recorded.body === undefined) {
      answerJson(response, 400, endpoint.shape.encodeError(400, "The fake upstream was sent no JSON"));
    } else {
      const { shape } = endpoint;
      const wrong = endpoint.checkCredential(arrival);
      if (wrong !== "") {
        answerJson(response, shape.errorStatus ?? 401, shape.encodeError(401, wrong));
        return;
      }
      const match = endpoint.path.exec(pathname);
      const ask: Ask = {
        model: match ? endpoint.readModel(arrival, match) : "",
        isStream: endpoint.isStream(arrival),
        isUsageWanted: endpoint.isUsageWanted?.(arrival) ?? true,
      };
      await deliver(plan(shape, ask), response, signal);
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
  const endSockets = answerSockets(server, {
    refuse(request) {
      const { pathname, searchParams } = new URL(request.url ?? "/", "http://fake");
      if (scripts[0]?.fault === "html-502") {
        takeScript();
        return { status: 502, type: "text/html", body: "<html><h1>502 Bad Gateway</h1></html>" };
      }
      const wrong = checkSparkUrl(pathname, searchParams);
      return wrong === ""
        ? undefined
        : { status: 401, type: "application/json", body: JSON.stringify({ message: wrong }) };
    },
    plan(request, message) {
      const body = parseBody(message);
      requests.push({
        method: "GET",
        path: request.url ?? "/",
        headers: request.headers,
        rawBody: message,
        body,
        form: undefined,
        isAbandoned: false,
      });
      const parameter = body?.parameter as { chat?: { domain?: unknown } } | undefined;
      return plan(SPARK, {
        model: String(parameter?.chat?.domain ?? ""),
        isStream: true,
        isUsageWanted: true,
      });
    },
  });
  const url = await listenOnLoopback(server);

  return {
    url,
    requests,
    deadKeys,
    script: (...next) => {
      for (const { fault } of next) if (fault !== undefined) parseFaultName(fault);
      scripts = next;
      replyBy = undefined;
      attempts = new Map();
    },
    reply: (by) => {
      replyBy = by;
    },
    reset: () => {
      scripts = [];
      replyBy = undefined;
      attempts = new Map();
      requests.length = 0;
      deadKeys.clear();
    },
    revokeTokens: () => tokens.clear(),
    close: async () => {
      closing.abort();
      endSockets();
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
      if (failure !== undefined) throw failure;
    },
  };
};
