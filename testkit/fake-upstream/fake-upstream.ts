import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import { OPENAI_CHAT } from "../answer-shapes/openai-chat";
import { SPARK } from "../answer-shapes/spark";
import { listenOnLoopback } from "../loopback-server";
import { answerSockets } from "./answer-socket";
import { checkSparkUrl } from "./check-credential";
import { deliver } from "./deliver";
import type { Arrival } from "./endpoint";
import { createEndpoints } from "./endpoints";
import type { Delivery } from "./faults";
import { createPlanner } from "./plan-answers";
import { type RecordedRequest, recordMessage, recordRequest } from "./recorded-request";
import { createTokenServices, type JsonAnswer } from "./token-services";
import type { UpstreamScript } from "./upstream-script";

export interface FakeUpstream {
  /** Base address, without a slash at the end. */
  readonly url: string;
  /** All requests since the start or the last `reset`, oldest first. */
  readonly requests: readonly RecordedRequest[];
  /** The maximum number of them that were answered at the same time. */
  readonly mostAtOnce: number;
  /**
   * Sets the next answers: each script serves one request, the last one all that follow.
   * @throws Error for an unknown fault.
   */
  script(...scripts: UpstreamScript[]): void;
  /** Answers each of the next requests by its content, instead of scripts in order. */
  reply(by: (request: RecordedRequest) => UpstreamScript): void;
  /** Keys that are refused as invalid; tests add and delete. */
  readonly deadKeys: Set<string>;
  /** Forgets scripts, recorded requests and dead keys. */
  reset(): void;
  /** Lets no access token be good any more that was fetched so far. */
  revokeTokens(): void;
  /** @throws Error when a request named an unknown fault as its model. */
  close(): Promise<void>;
}

/** An account of this upstream, in the formats from which balances are read: 100 − 12.34 USD. */
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

const readKey = ({ headers }: RecordedRequest): string =>
  headers.authorization?.replace(/^Bearer /, "") ??
  String(headers["x-api-key"] ?? headers["x-goog-api-key"] ?? "");

const sendJson = (response: ServerResponse, { status, body }: JsonAnswer): void => {
  response.writeHead(status, { "content-type": "application/json" }).end(JSON.stringify(body));
};

/**
 * Starts an upstream on a free loopback port that answers like each vendor, chats and every operation of OpenAI's
 * format, plain and as streams, checks keys and signatures, and fails on request.
 */
export const startFakeUpstream = async (): Promise<FakeUpstream> => {
  const requests: RecordedRequest[] = [];
  const deadKeys = new Set<string>();
  const closing = new AbortController();
  let [atOnce, mostAtOnce] = [0, 0];
  let failure: unknown;
  const tokenServices = createTokenServices();
  const endpoints = createEndpoints(tokenServices.isIssued);
  // A request is planned in the same turn of the event loop in which it is recorded: the newest is the one.
  const planner = createPlanner(() => requests.at(-1), tokenServices.isIssued);

  /** Answers other than a model's: balances and access tokens. */
  const answerAside = ({ method }: RecordedRequest, arrival: Arrival): JsonAnswer | undefined => {
    const balance = BILLING[arrival.path];
    if (method === "GET" && balance !== undefined) return { status: 200, body: balance };
    return method === "POST" ? tokenServices.answer(arrival) : undefined;
  };

  /** The answer of a model, or its refusal. */
  const planChat = (recorded: RecordedRequest, arrival: Arrival): Delivery | JsonAnswer => {
    const { method, path, body } = recorded;
    const endpoint = method === "POST" ? endpoints.find((each) => each.path.test(arrival.path)) : undefined;
    if (!endpoint)
      return {
        status: 404,
        body: OPENAI_CHAT.encodeError(404, `The fake upstream has no ${method} ${path}`),
      };
    const { shape } = endpoint;
    if (deadKeys.has(readKey(recorded)))
      return { status: 401, body: shape.encodeError(401, "Incorrect API key provided") };
    if (body === undefined)
      return { status: 400, body: shape.encodeError(400, "The fake upstream was sent no JSON") };
    const wrong = endpoint.checkCredential(arrival);
    if (wrong !== "") return { status: shape.errorStatus ?? 401, body: shape.encodeError(401, wrong) };
    const match = endpoint.path.exec(arrival.path);
    return planner.planChat(shape, {
      model: match ? endpoint.readModel(arrival, match) : "",
      isStream: endpoint.isStream(arrival),
      isUsageWanted: endpoint.isUsageWanted?.(arrival) ?? true,
    });
  };

  const answer = async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
    const recorded = await recordRequest(request);
    requests.push(recorded);
    atOnce += 1;
    mostAtOnce = Math.max(mostAtOnce, atOnce);
    let isOpen = true;
    // The client may receive the last byte before Node reports it here.
    for (const event of ["prefinish", "close"])
      response.once(event, () => {
        if (isOpen) atOnce -= 1;
        isOpen = false;
      });
    const leaving = new AbortController();
    response.on("close", () => {
      if (!response.writableFinished) recorded.isAbandoned = true;
      leaving.abort();
    });
    const { method, headers, rawBody, form, body } = recorded;
    const { pathname, searchParams: query } = new URL(recorded.path, "http://fake");
    const arrival: Arrival = { path: pathname, query, headers, rawBody, body: body ?? {} };
    const fields = form ? Object.fromEntries(form) : body;
    const planned =
      (fields && method === "POST" ? planner.planOperation(arrival, fields) : undefined) ??
      (method === "GET" ? planner.planQuery(arrival) : undefined) ??
      answerAside(recorded, arrival) ??
      planChat(recorded, arrival);
    if ("parts" in planned)
      await deliver(planned, response, AbortSignal.any([leaving.signal, closing.signal]));
    else sendJson(response, planned);
  };

  const server = createServer((request, response) => {
    answer(request, response).catch((error: unknown) => {
      if (error instanceof Error && (error.name === "AbortError" || "code" in error)) return;
      failure ??= error;
      if (!response.headersSent)
        sendJson(response, { status: 500, body: { error: { message: String(error) } } });
      else response.destroy();
    });
  });
  // Small pieces must travel as they are written.
  server.on("connection", (socket) => socket.setNoDelay(true));
  const endSockets = answerSockets(server, {
    refuse(request) {
      const { pathname, searchParams } = new URL(request.url ?? "/", "http://fake");
      if (planner.takeIf("html-502"))
        return { status: 502, type: "text/html", body: "<html><h1>502 Bad Gateway</h1></html>" };
      const wrong = checkSparkUrl(pathname, searchParams);
      return wrong === ""
        ? undefined
        : { status: 401, type: "application/json", body: JSON.stringify({ message: wrong }) };
    },
    plan(request, message) {
      const recorded = recordMessage(request, message);
      requests.push(recorded);
      const parameter = recorded.body?.parameter as { chat?: { domain?: unknown } } | undefined;
      return planner.planChat(SPARK, {
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
    get mostAtOnce() {
      return mostAtOnce;
    },
    deadKeys,
    script: (...next) => planner.script(next),
    reply: planner.reply,
    reset: () => {
      planner.reset();
      requests.length = 0;
      mostAtOnce = atOnce;
      deadKeys.clear();
    },
    revokeTokens: tokenServices.revoke,
    close: async () => {
      closing.abort();
      endSockets();
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
      if (failure !== undefined) throw failure;
    },
  };
};
