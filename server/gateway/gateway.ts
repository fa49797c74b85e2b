import type { IncomingMessage, ServerResponse } from "node:http";
import type { ClientProtocol } from "@tollgate/contract/relay/protocol";
import { RequestInvalid, type RequestOutline } from "@tollgate/contract/relay/protocol";
import { CLIENT_PROTOCOLS } from "@tollgate/protocols/protocols";
import { admit, isRefusal } from "@tollgate/relay/pipeline/admit";
import type { KeyEntry, Refusal } from "@tollgate/relay/ports";
import type { Relay } from "@tollgate/relay/relay";
import { languageOf } from "../http/language";
import { createRequestId, REQUEST_ID_HEADER } from "../http/request-id";
import type { Directory } from "../state/directory";
import { describeModel } from "./models";
import { readBody } from "./read-body";
import { findOperation } from "./read-operation";
import { DESCRIBE, unknownPathBody } from "./refusals";
import { runOperation } from "./run-operation";

export interface GatewaySettings {
  directory: Directory;
  relay: Relay;
  bodyLimitBytes: number;
  /** The figures that `/dashboard/billing` answers of a key; undefined when it is gone. */
  readBilling(key: KeyEntry, kind: "subscription" | "usage"): Promise<unknown>;
  /** Counts a call against the limit of the management API; false when it is used up. */
  takeCall(request: IncomingMessage): boolean;
  reportError(error: Error): void;
  /** Milliseconds since the epoch. */
  now(): number;
  /** True once the process is about to stop. */
  isStopping(): boolean;
}

const CHAT_PATHS: Readonly<Record<string, ClientProtocol>> = {
  "/v1/chat/completions": CLIENT_PROTOCOLS["openai-chat"],
  "/v1/messages": CLIENT_PROTOCOLS["anthropic-messages"],
};

/** Endpoints of the contract (section 1.11) that are not offered yet: they say so, instead of being unknown. */
const NOT_IMPLEMENTED = /^\/v1\/(?:files|fine-tunes|fine_tuning|responses|messages\/count_tokens)/;

const BILLING = /^(?:\/v1)?\/dashboard\/billing\/(subscription|usage)$/;

const CORS_HEADERS = { "access-control-allow-origin": "*" } as const;
const PREFLIGHT_HEADERS = {
  ...CORS_HEADERS,
  "access-control-allow-methods": "GET,POST,PUT,DELETE,OPTIONS",
  // The wildcard does not cover Authorization (https://fetch.spec.whatwg.org/#cors-non-wildcard-request-header-name).
  "access-control-allow-headers": "authorization, *",
  "access-control-max-age": "43200",
} as const;

/** The key where the protocols' clients put it. */
const presentedKey = (request: IncomingMessage): string | undefined => {
  const { authorization } = request.headers;
  if (authorization !== undefined) return authorization;
  const apiKey = request.headers["x-api-key"];
  return typeof apiKey === "string" ? apiKey : undefined;
};

const jsonReason = (error: unknown): string => (error instanceof Error ? error.message.slice(0, 200) : "");

/** A model as the Messages API describes it; nobody knows when it came out. */
const describeMessagesModel = (id: string) => ({
  type: "model",
  id,
  display_name: id,
  created_at: "1970-01-01T00:00:00Z",
});

/** What is not escaped properly stands for itself: no model has such a name. */
const decodeId = (text: string): string => {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
};

/** Serves everything below /v1, and /dashboard/billing. */
export const createGateway = (settings: GatewaySettings) => {
  const { directory, relay, bodyLimitBytes } = settings;

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

  /** Headers of every answer to one client. */
  const baseHeaders = (request: IncomingMessage, requestId: string): Record<string, string> =>
    request.headers.origin === undefined
      ? { [REQUEST_ID_HEADER]: requestId }
      : { [REQUEST_ID_HEADER]: requestId, ...CORS_HEADERS };

  const sendModels = (
    response: ServerResponse,
    headers: Record<string, string>,
    key: KeyEntry,
    isAnthropic: boolean,
  ) => {
    const models = directory.modelsOf(key.user.group);
    if (!isAnthropic) {
      sendJson(response, 200, headers, { object: "list", data: models.map(describeModel) });
      return;
    }
    const data = models.map(describeMessagesModel);
    sendJson(response, 200, headers, {
      data,
      has_more: false,
      first_id: data[0]?.id ?? null,
      last_id: data.at(-1)?.id ?? null,
    });
  };

  const runChat = (
    request: IncomingMessage,
    response: ServerResponse,
    client: ClientProtocol,
    requestId: string,
    headers: Record<string, string>,
  ): void => {
    const describe = DESCRIBE[languageOf(request.headers["accept-language"])];
    const refuse = (refusal: Refusal): void => {
      if (response.destroyed) return;
      const error = describe(refusal);
      // The rest of the body is read and dropped, so that a client that is still sending gets to see the answer.
      request.resume();
      sendJson(response, error.status, headers, client.encodeError(error, requestId));
    };
    const admission = admit(directory, presentedKey(request), Math.floor(settings.now() / 1000));
    if (isRefusal(admission)) {
      refuse(admission);
      return;
    }
    if (settings.isStopping()) {
      refuse({ code: "shutting-down" });
      return;
    }
    readBody(request, bodyLimitBytes, (rawBody) => {
      if (!Buffer.isBuffer(rawBody)) {
        refuse(rawBody as Refusal);
        return;
      }
      let body: unknown;
      let outline: RequestOutline;
      try {
        body = JSON.parse(rawBody.toString("utf8"));
      } catch (error) {
        refuse({ code: "body-not-json", params: { reason: jsonReason(error) } });
        return;
      }
      try {
        outline = client.outline(body);
      } catch (error) {
        if (!(error instanceof RequestInvalid)) throw error;
        refuse({
          code: "request-invalid",
          params: { reason: error.message },
          ...(error.param === undefined ? {} : { field: error.param }),
        });
        return;
      }
      try {
        relay.run({
          client,
          key: admission.key,
          pinned: admission.pinned,
          rawBody,
          body: body as Record<string, unknown>,
          outline,
          response,
          requestId,
          headers,
          describe,
        });
      } catch (error) {
        // One request must not end the process.
        const isTooDeep = error instanceof RangeError;
        if (!isTooDeep) settings.reportError(error as Error);
        refuse(
          isTooDeep
            ? { code: "request-invalid", params: { reason: "the body is nested too deeply" } }
            : { code: "internal" },
        );
      }
    });
  };

  /** Answers one request. */
  return (request: IncomingMessage, response: ServerResponse): void => {
    const requestId = createRequestId(settings.now());
    const target = request.url ?? "";
    const queryStart = target.indexOf("?");
    let path = queryStart === -1 ? target : target.slice(0, queryStart);
    if (path.endsWith("/")) path = path.slice(0, -1);
    const headers = baseHeaders(request, requestId);
    if (request.method === "OPTIONS") {
      response.writeHead(204, { ...PREFLIGHT_HEADERS, [REQUEST_ID_HEADER]: requestId });
      response.end();
      return;
    }
    const chat = request.method === "POST" ? CHAT_PATHS[path] : undefined;
    if (chat) {
      runChat(request, response, chat, requestId, headers);
      return;
    }
    const describe = DESCRIBE[languageOf(request.headers["accept-language"])];
    const address = request.method === "POST" ? findOperation(path) : undefined;
    if (address) {
      const presented = presentedKey(request);
      runOperation(settings, { address, request, response, presented, requestId, headers, describe });
      return;
    }
    const isAnthropic = request.headers["anthropic-version"] !== undefined;
    const shape = CLIENT_PROTOCOLS[isAnthropic ? "anthropic-messages" : "openai-chat"];
    const refuse = (refusal: Refusal): void => {
      const error = describe(refusal);
      sendJson(response, error.status, headers, shape.encodeError(error, requestId));
    };
    const billing = request.method === "GET" ? BILLING.exec(path)?.[1] : undefined;
    const isModels = request.method === "GET" && (path === "/v1/models" || path.startsWith("/v1/models/"));
    if (!isModels && billing === undefined) {
      const isModelDeletion = request.method === "DELETE" && path.startsWith("/v1/models/");
      if (isModelDeletion || NOT_IMPLEMENTED.test(path)) refuse({ code: "not-implemented" });
      else if (isAnthropic) refuse({ code: "not-found", params: { target: `${request.method} ${path}` } });
      else sendJson(response, 404, headers, unknownPathBody(request.method ?? "", target));
      return;
    }
    if (billing !== undefined && !settings.takeCall(request)) {
      response.writeHead(429, headers);
      response.end();
      return;
    }
    const admission = admit(directory, presentedKey(request), Math.floor(settings.now() / 1000));
    if (isRefusal(admission)) {
      refuse(admission);
      return;
    }
    if (billing !== undefined) {
      settings.readBilling(admission.key, billing === "usage" ? "usage" : "subscription").then(
        (figures) => {
          if (figures === undefined) refuse({ code: "token-invalid" });
          else sendJson(response, 200, headers, figures);
        },
        (error: Error) => {
          settings.reportError(error);
          refuse({ code: "internal" });
        },
      );
      return;
    }
    if (path === "/v1/models") {
      sendModels(response, headers, admission.key, isAnthropic);
      return;
    }
    const id = decodeId(path.slice("/v1/models/".length));
    if (directory.modelsOf(admission.key.user.group).includes(id)) {
      sendJson(response, 200, headers, isAnthropic ? describeMessagesModel(id) : describeModel(id));
      return;
    }
    if (isAnthropic) {
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
};
