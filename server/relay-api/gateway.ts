import type { IncomingMessage, ServerResponse } from "node:http";
import type { Asked, ClientApi } from "@tollgate/contract/relay/client-api";
import type { ClientError, GatewayErrorCode } from "@tollgate/contract/relay/error";
import { DEFAULT_API } from "@tollgate/protocols/client-apis";
import { isRefusal, splitPresented } from "@tollgate/relay/admission/admit";
import { waitSeconds } from "@tollgate/relay/limits/waiting";
import { refusalHeaders } from "@tollgate/relay/pipeline/refusal-headers";
import type { ApiKey, Describe, Refusal } from "@tollgate/relay/ports";
import { failRequest } from "../http/fail-request";
import { createRequestId, REQUEST_ID_HEADER } from "../http/request-id";
import { programLanguageOf } from "../locales/languages";
import type { GatewayDirectory } from "../state/gateway-directory";
import { ADDRESSES, type Address } from "./address-book";
import { admitRequest, mayBeNew } from "./admit-request";
import { apiOf, idHeaderOf } from "./client-terms";
import { inTurn } from "./in-turn";
import { listedModel } from "./models";
import { presentedKey } from "./presented-key";
import { describeAndTell } from "./refusals";
import { type BodyCall, hasBody, type RelaySettings, relayRequest } from "./relay-request";
import { sendJson } from "./send-json";

export interface GatewaySettings extends RelaySettings {
  directory: GatewayDirectory;
  /** The figures that `/dashboard/billing` answers of a key; undefined when it is gone. */
  readBilling(key: ApiKey, kind: "subscription" | "usage"): Promise<unknown>;
  /** Counts a call against the limit of the management API. @returns 0, or how many milliseconds it has to wait. */
  takeCall(request: IncomingMessage): number;
  /** Told of each error that a client is told. */
  onRefused(code: GatewayErrorCode): void;
}

const CORS_HEADERS = { "access-control-allow-origin": "*" } as const;
const PREFLIGHT_HEADERS = {
  ...CORS_HEADERS,
  "access-control-allow-methods": "GET,POST,PUT,DELETE,OPTIONS",
  // The wildcard does not cover Authorization (https://fetch.spec.whatwg.org/#cors-non-wildcard-request-header-name).
  "access-control-allow-headers": "authorization, *",
  "access-control-max-age": "43200",
} as const;

/** Proxies that are not told otherwise take `Upgrade` out of a handshake, and leave its key (RFC 6455, section 4.1). */
const isWebSocket = ({ headers }: IncomingMessage): boolean =>
  headers["sec-websocket-key"] !== undefined || headers.upgrade?.toLowerCase() === "websocket";

/** Headers of every answer to one client: the request's id also where its library looks for it. */
const baseHeaders = (request: IncomingMessage, path: string, requestId: string): Record<string, string> => {
  // One after another: names that are computed within the braces may cost 25,000 instructions.
  const headers: Record<string, string> = {};
  headers[REQUEST_ID_HEADER] = requestId;
  headers[idHeaderOf(request, path)] = requestId;
  return request.headers.origin === undefined ? headers : Object.assign(headers, CORS_HEADERS);
};

/** One request without a body. */
interface ShortCall {
  /** In whose shape it is answered. */
  api: ClientApi;
  /** undefined where there is nothing at its address. */
  asked: Exclude<Asked, BodyCall["asked"]> | undefined;
  /** Method and path that were probably meant, where there is nothing. */
  meant: Address["meant"];
  request: IncomingMessage;
  response: ServerResponse;
  /** As the address is declared, else without a slash at its end. */
  path: string;
  query: string;
  requestId: string;
  headers: Record<string, string>;
  describe: Describe;
}

/** Serves all addresses of the client APIs: those below /v1, and /dashboard/billing. */
export const createGateway = (settings: GatewaySettings) => {
  const { directory } = settings;
  const describers = describeAndTell(settings.onRefused);

  /**
   * Answers what needs no body: what a key may use and has spent, and what there is not.
   * @param isAgain for the second time, because its key may have been made by another node when the request came.
   */
  const answerShort = (call: ShortCall, isAgain = false): void => {
    const { api, asked, meant, request, response, path, query, requestId, headers, describe } = call;
    const send = (value: unknown): void => sendJson(response, 200, headers, value);
    const refuse = (refusal: Refusal, encode?: (error: ClientError) => unknown): void => {
      const error = describe(refusal);
      const body = encode?.(error) ?? api.protocol.encodeError(error, requestId);
      sendJson(response, error.status, { ...headers, ...refusalHeaders(refusal, error) }, body);
    };
    const { models } = api;
    if (!asked || !models) {
      // The contract repeats the address as it was sent (section 0.3).
      const named = api.encodeUnknownPath ? request.url?.split("?")[0] : path;
      const target = `${request.method} ${named}`;
      const refusal: Refusal =
        meant === undefined
          ? { code: "not-found", params: { target } }
          : { code: "address-mistyped", params: { target, meant } };
      refuse(refusal, api.encodeUnknownPath);
      return;
    }
    if (asked.kind === "refusal") {
      refuse({ code: asked.code });
      return;
    }
    const waitMs = asked.kind === "billing" && !isAgain ? settings.takeCall(request) : 0;
    if (waitMs > 0) {
      response.writeHead(429, { ...headers, "retry-after": String(waitSeconds(waitMs)) });
      response.end();
      return;
    }
    const presented = splitPresented(presentedKey(request, api.keyParameter, query));
    const admission = admitRequest(settings, request, presented);
    if (!isAgain && settings.catchUp && isRefusal(admission) && mayBeNew(admission, presented)) {
      settings
        .catchUp()
        .then((isCaughtUp) => {
          if (response.destroyed) return;
          // Whether the key is good is not known: who is told that it is not gives up.
          if (isCaughtUp) answerShort(call, true);
          else refuse({ code: "node-not-admitting" });
        })
        .catch((error: Error) => {
          settings.reportError(error);
          failRequest(response);
        });
      return;
    }
    if (isRefusal(admission)) {
      refuse(admission);
      return;
    }
    const { key } = admission;
    switch (asked.kind) {
      case "models":
        send(models.encode(directory.modelsOfKey(key).map(listedModel), query));
        return;
      case "model":
        if (directory.modelsOfKey(key).includes(asked.id)) send(models.describe(listedModel(asked.id)));
        else refuse({ code: "model-not-listed", params: { model: asked.id } }, models.encodeMissing);
        return;
      case "billing":
        settings
          .readBilling(key, asked.figures)
          .then(
            (figures) => {
              if (figures === undefined) refuse({ code: "token-invalid" });
              else send(figures);
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
    }
  };

  /** Answers one request: the same way for all APIs. */
  const serve = (request: IncomingMessage, response: ServerResponse): void => {
    const requestId = createRequestId(settings.now());
    const target = request.url ?? "";
    const queryStart = target.indexOf("?");
    const sentPath = queryStart === -1 ? target : target.slice(0, queryStart);
    const query = queryStart === -1 ? "" : target.slice(queryStart + 1);
    const { path, found, meant } = ADDRESSES.resolve(request.method ?? "", sentPath, query);
    // Whatever reads the address from here on reads the declared one.
    if (found && path !== sentPath) request.url = query === "" ? path : `${path}?${query}`;
    const headers = baseHeaders(request, path, requestId);
    if (request.method === "OPTIONS") {
      response.writeHead(204, { ...PREFLIGHT_HEADERS, [REQUEST_ID_HEADER]: requestId });
      response.end();
      return;
    }
    const describe = describers[programLanguageOf(request.headers["accept-language"])];
    if (isWebSocket(request)) {
      // Programs that try a WebSocket first (Codex) go on over HTTP after this status alone.
      const refused = describe({ code: "websocket-not-offered" });
      const upgrade = { connection: "upgrade", upgrade: "HTTP/1.1" };
      const body = DEFAULT_API.protocol.encodeError(refused, requestId);
      sendJson(response, refused.status, { ...headers, ...upgrade }, body);
      return;
    }
    const asked = found?.asked;
    if (found && asked && hasBody(asked)) {
      const { api } = found;
      relayRequest(settings, { api, asked, request, response, query, requestId, headers, describe });
    } else if (!asked || !hasBody(asked)) {
      const api = apiOf(request, path);
      answerShort({ api, asked, meant, request, response, path, query, requestId, headers, describe });
    }
  };

  return (request: IncomingMessage, response: ServerResponse): void =>
    inTurn(response, () => serve(request, response));
};
