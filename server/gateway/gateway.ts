import type { IncomingMessage, ServerResponse } from "node:http";
import type { ClientProtocol } from "@tollgate/contract/relay/protocol";
import { CLIENT_PROTOCOLS } from "@tollgate/protocols/protocols";
import { isRefusal, splitPresented } from "@tollgate/relay/admission/admit";
import type { KeyEntry, Refusal, RequestLimiter, TokenCounter } from "@tollgate/relay/ports";
import type { Relay } from "@tollgate/relay/relay";
import { failRequest } from "../http/fail-request";
import { refuseUpload } from "../http/refuse-upload";
import { createRequestId, REQUEST_ID_HEADER } from "../http/request-id";
import { programLanguageOf } from "../locales/languages";
import type { GatewayDirectory } from "../state/gateway-directory";
import { admitRequest } from "./admit-request";
import { ArrayResponse } from "./array-response";
import type { BodyBytes } from "./body-bytes";
import type { BodyLog } from "./body-log";
import { type ChatRoute, findChatRoute } from "./chat-route";
import { countPrompt } from "./count-prompt";
import { decodeSegment } from "./decode-segment";
import { inTurn } from "./in-turn";
import { describeGeminiModel, describeMessagesModel, describeModel } from "./models";
import { pageOf } from "./page-of";
import { presentedKey } from "./presented-key";
import { readAdmitted } from "./read-admitted";
import { readChat, readChatInSteps } from "./read-chat";
import { LARGE_BODY_BYTES } from "./read-json";
import { findOperation } from "./read-operation";
import { refusalOf } from "./refusal-of";
import { DESCRIBE, unknownPathBody } from "./refusals";
import { runLarge } from "./run-large";
import { runOperation } from "./run-operation";

export interface GatewaySettings {
  directory: GatewayDirectory;
  relay: Relay;
  bodyLog: Pick<BodyLog, "watch">;
  bodyLimitBytes: number;
  bodyBytes: BodyBytes;
  /** The figures that `/dashboard/billing` answers of a key; undefined when it is gone. */
  readBilling(key: KeyEntry, kind: "subscription" | "usage"): Promise<unknown>;
  tokenCounter: TokenCounter;
  limiter: RequestLimiter;
  /** The caller's address. */
  addressOf(request: IncomingMessage): string;
  /** Counts a call against the limit of the management API; false when it is used up. */
  takeCall(request: IncomingMessage): boolean;
  reportError(error: Error): void;
  /** Milliseconds since the epoch. */
  now(): number;
  /** True once the process is about to stop. */
  isStopping(): boolean;
  /** True while charges cannot be stored. */
  isStorageFailing(): boolean;
}

/** Endpoints of the contract (section 1.11) that are not offered yet: they say so, instead of being unknown. */
const NOT_IMPLEMENTED =
  /^\/v1\/(?:files|fine-tunes|fine_tuning|responses\/compact$)|^\/v1(?:beta)?\/models\/[^/]+:(?:embedContent|batchEmbedContents|asyncBatchEmbedContent|batchGenerateContent|predict|predictLongRunning)$/;

/** What is done to an answer by its id, and what only makes sense for stored ones. */
const STORED_RESPONSE = /^\/v1\/(?:responses(?!\/compact$)|conversations)(?:\/|$)/;

/** A list of models, or one of them behind a slash. */
const MODELS = /^\/v1(?:beta)?\/models(|\/.+)$/;

/** Endpoints whose clients speak the Messages API. */
const MESSAGES = /^\/v1\/messages(?:\/|$)/;

const BILLING = /^(?:\/v1)?\/dashboard\/billing\/(subscription|usage)$/;

const CORS_HEADERS = { "access-control-allow-origin": "*" } as const;
const PREFLIGHT_HEADERS = {
  ...CORS_HEADERS,
  "access-control-allow-methods": "GET,POST,PUT,DELETE,OPTIONS",
  // The wildcard does not cover Authorization (https://fetch.spec.whatwg.org/#cors-non-wildcard-request-header-name).
  "access-control-allow-headers": "authorization, *",
  "access-control-max-age": "43200",
} as const;

/** Whose list of models is asked for: the clients tell by their headers, Google's also by the path. */
type ModelList = "openai" | "anthropic" | "gemini";

const MODEL_LISTS: Readonly<Record<ModelList, { client: ClientProtocol; describe: (id: string) => object }>> =
  {
    openai: { client: CLIENT_PROTOCOLS["openai-chat"], describe: describeModel },
    anthropic: { client: CLIENT_PROTOCOLS["anthropic-messages"], describe: describeMessagesModel },
    gemini: { client: CLIENT_PROTOCOLS["gemini-generate"], describe: describeGeminiModel },
  };

/** Proxies that are not told otherwise take `Upgrade` out of a handshake, and leave its key (RFC 6455, section 4.1). */
const isWebSocket = ({ headers }: IncomingMessage): boolean =>
  headers["sec-websocket-key"] !== undefined || headers.upgrade?.toLowerCase() === "websocket";

const modelListOf = (request: IncomingMessage, path: string): ModelList => {
  if (path.startsWith("/v1beta/") || request.headers["x-goog-api-key"] !== undefined) return "gemini";
  return request.headers["anthropic-version"] === undefined ? "openai" : "anthropic";
};

/** Serves everything below /v1, and /dashboard/billing. */
export const createGateway = (settings: GatewaySettings) => {
  const { directory, relay } = settings;

  const sendJson = (
    response: ServerResponse,
    status: number,
    headers: Record<string, string>,
    value: unknown,
  ): void => {
    const body = JSON.stringify(value);
    response.writeHead(status, {
      ...headers,
      "content-type": "application/json; charset=utf-8",
      "content-length": Buffer.byteLength(body),
    });
    response.end(body);
  };

  /** Headers of every answer to one client: the request's id also where its library looks for it. */
  const baseHeaders = (request: IncomingMessage, path: string, requestId: string): Record<string, string> => {
    const isAnthropic = request.headers["anthropic-version"] !== undefined || MESSAGES.test(path);
    // One after another: names that are computed within the braces may cost 25,000 instructions.
    const headers: Record<string, string> = {};
    headers[REQUEST_ID_HEADER] = requestId;
    if (isAnthropic) headers["request-id"] = requestId;
    else headers["x-request-id"] = requestId;
    return request.headers.origin === undefined ? headers : Object.assign(headers, CORS_HEADERS);
  };

  const sendModels = (
    response: ServerResponse,
    headers: Record<string, string>,
    key: KeyEntry,
    list: ModelList,
    query: string,
  ) => {
    const models = directory.modelsOfKey(key);
    const described = models.map(MODEL_LISTS[list].describe);
    if (list === "openai") sendJson(response, 200, headers, { object: "list", data: described });
    else if (list === "gemini") sendJson(response, 200, headers, { models: described });
    else sendJson(response, 200, headers, pageOf(models.map(describeMessagesModel), query));
  };

  const runChat = (
    request: IncomingMessage,
    response: ServerResponse,
    route: ChatRoute,
    query: string,
    requestId: string,
    headers: Record<string, string>,
  ): void => {
    const { client, address } = route;
    const describe = DESCRIBE[programLanguageOf(request.headers["accept-language"])];
    const refuse = (refusal: Refusal): void => {
      if (response.destroyed) return;
      if (response.headersSent) {
        failRequest(response);
        return;
      }
      const error = describe(refusal);
      const all = { ...headers, ...refusal.headers };
      const body = JSON.stringify(client.encodeError(error, requestId));
      refuseUpload(request, response, error.status, all, body);
    };
    const presented = presentedKey(request, address ? query : "");
    readAdmitted(settings, request, response, presented, (read) => {
      if (isRefusal(read)) {
        refuse(read);
        return;
      }
      const { key, pinned, rawBody, memory } = read;
      const run = (body: unknown): void => {
        if (route.isCount) {
          const job = { client, address, body, key, models: directory.modelsOfKey(key) };
          countPrompt(job, settings, (result) => {
            if ("refusal" in result) refuse(result.refusal);
            else sendJson(response, 200, { ...headers, ...result.headers }, result.counted);
          });
          return;
        }
        const outline = client.outline(body, address);
        const call = {
          requestId,
          userId: key.user.id,
          contentType: "application/json",
          rawBody,
        };
        const watched = settings.bodyLog.watch(call, response);
        relay.run({
          client,
          key,
          pinned,
          rawBody,
          body: body as Record<string, unknown>,
          outline,
          response: route.isArray ? new ArrayResponse(watched) : watched,
          requestId,
          clientHeaders: request.headers,
          headers,
          describe,
          memory,
        });
      };
      const fail = (error: unknown): void => {
        // One request must not end the process.
        const refusal = refusalOf(error);
        if (!refusal) settings.reportError(error as Error);
        refuse(refusal ?? { code: "internal" });
      };
      try {
        if (rawBody.length > LARGE_BODY_BYTES)
          runLarge(settings, response, readChatInSteps(rawBody, route), run, refuse, fail);
        else run(readChat(rawBody, route));
      } catch (error) {
        fail(error);
      }
    });
  };

  /** Answers one request. */
  const serve = (request: IncomingMessage, response: ServerResponse): void => {
    const requestId = createRequestId(settings.now());
    const target = request.url ?? "";
    const queryStart = target.indexOf("?");
    let path = queryStart === -1 ? target : target.slice(0, queryStart);
    if (path.endsWith("/")) path = path.slice(0, -1);
    const headers = baseHeaders(request, path, requestId);
    if (request.method === "OPTIONS") {
      response.writeHead(204, { ...PREFLIGHT_HEADERS, [REQUEST_ID_HEADER]: requestId });
      response.end();
      return;
    }
    const query = queryStart === -1 ? "" : target.slice(queryStart + 1);
    if (isWebSocket(request)) {
      // Programs that try a WebSocket first (Codex) go on over HTTP after this status alone.
      const refused = DESCRIBE[programLanguageOf(request.headers["accept-language"])]({
        code: "websocket-not-offered",
      });
      const upgrade = { connection: "upgrade", upgrade: "HTTP/1.1" };
      const body = CLIENT_PROTOCOLS["openai-chat"].encodeError(refused, requestId);
      sendJson(response, refused.status, { ...headers, ...upgrade }, body);
      return;
    }
    const chat = request.method === "POST" ? findChatRoute(path, query) : undefined;
    if (chat) {
      runChat(request, response, chat, query, requestId, headers);
      return;
    }
    const describe = DESCRIBE[programLanguageOf(request.headers["accept-language"])];
    const address = request.method === "POST" ? findOperation(path) : undefined;
    if (address) {
      const presented = presentedKey(request);
      runOperation(settings, { address, request, response, presented, requestId, headers, describe });
      return;
    }
    const list = modelListOf(request, path);
    const { client: shape, describe: describeOne } = MODEL_LISTS[list];
    const refuse = (refusal: Refusal): void => {
      const error = describe(refusal);
      sendJson(response, error.status, headers, shape.encodeError(error, requestId));
    };
    const billing = request.method === "GET" ? BILLING.exec(path)?.[1] : undefined;
    const [, modelId] = MODELS.exec(path) ?? [];
    const isModels = request.method === "GET" && modelId !== undefined;
    if (!isModels && billing === undefined) {
      const isModelDeletion = request.method === "DELETE" && path.startsWith("/v1/models/");
      if (STORED_RESPONSE.test(path)) refuse({ code: "responses-not-stored" });
      else if (isModelDeletion || NOT_IMPLEMENTED.test(path)) refuse({ code: "not-implemented" });
      else if (list !== "openai")
        refuse({ code: "not-found", params: { target: `${request.method} ${path}` } });
      else sendJson(response, 404, headers, unknownPathBody(request.method ?? "", target));
      return;
    }
    if (billing !== undefined && !settings.takeCall(request)) {
      response.writeHead(429, headers);
      response.end();
      return;
    }
    const presented = presentedKey(request, list === "gemini" ? query : "");
    const admission = admitRequest(settings, request, splitPresented(presented));
    if (isRefusal(admission)) {
      refuse(admission);
      return;
    }
    if (billing !== undefined) {
      settings
        .readBilling(admission.key, billing === "usage" ? "usage" : "subscription")
        .then(
          (figures) => {
            if (figures === undefined) refuse({ code: "token-invalid" });
            else sendJson(response, 200, headers, figures);
          },
          (error: Error) => {
            settings.reportError(error);
            refuse({ code: "internal" });
          },
        )
        .catch((error: Error) => {
          settings.reportError(error);
          failRequest(response);
        });
      return;
    }
    if (!modelId) {
      sendModels(response, headers, admission.key, list, query);
      return;
    }
    const id = decodeSegment(modelId.slice(1));
    if (directory.modelsOfKey(admission.key).includes(id)) {
      sendJson(response, 200, headers, describeOne(id));
      return;
    }
    if (list !== "openai") {
      const missing = { status: 404, code: "model_not_found", message: `The model '${id}' does not exist` };
      sendJson(response, 404, headers, shape.encodeError(missing, requestId));
      return;
    }
    sendJson(response, 404, headers, {
      error: {
        message: `The model '${id}' does not exist`,
        type: "invalid_request_error",
        param: "model",
        code: "model_not_found",
      },
    });
  };

  return (request: IncomingMessage, response: ServerResponse): void =>
    inTurn(response, () => serve(request, response));
};
