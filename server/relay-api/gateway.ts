import type { IncomingMessage, ServerResponse } from "node:http";
import type { GatewayErrorCode } from "@tollgate/contract/relay/error";
import { DEFAULT_API } from "@tollgate/protocols/client-apis";
import { createRequestId, REQUEST_ID_HEADER } from "../http/request-id";
import { programLanguageOf } from "../locales/languages";
import type { GatewayDirectory } from "../state/gateway-directory";
import { ADDRESSES } from "./address-book";
import { answerShort, type ShortSettings } from "./answer-short";
import { apiOf, idHeaderOf } from "./client-terms";
import { inTurn } from "./in-turn";
import { describeAndReport } from "./refusals";
import { hasBody, type RelaySettings, relayRequest } from "./relay-request";
import { sendJson } from "./send-json";

export interface GatewaySettings extends RelaySettings, ShortSettings {
  directory: GatewayDirectory;
  /** Called for each error sent to a client. */
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

/** By default proxies remove `Upgrade` from a handshake, but keep its key (RFC 6455, section 4.1). */
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

/** Serves all addresses of the client APIs: those below /v1, and /dashboard/billing. */
export const createGateway = (settings: GatewaySettings) => {
  const describers = describeAndReport(settings.onRefused);

  /** Answers one request: the same way for all APIs. */
  const serve = (request: IncomingMessage, response: ServerResponse): void => {
    const requestId = createRequestId(settings.now());
    const target = request.url ?? "";
    const queryStart = target.indexOf("?");
    const sentPath = queryStart === -1 ? target : target.slice(0, queryStart);
    const query = queryStart === -1 ? "" : target.slice(queryStart + 1);
    const { path, found, meant } = ADDRESSES.resolve(request.method ?? "", sentPath, query);
    // From here on, the request has the declared address.
    if (found && path !== sentPath) request.url = query === "" ? path : `${path}?${query}`;
    const headers = baseHeaders(request, path, requestId);
    if (request.method === "OPTIONS") {
      response.writeHead(204, { ...PREFLIGHT_HEADERS, [REQUEST_ID_HEADER]: requestId });
      response.end();
      return;
    }
    const language = programLanguageOf(request.headers["accept-language"]);
    const describe = describers[language];
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
      answerShort(settings, {
        api,
        asked,
        meant,
        request,
        response,
        path,
        query,
        requestId,
        headers,
        describe,
        language,
      });
    }
  };

  return (request: IncomingMessage, response: ServerResponse): void =>
    inTurn(response, () => serve(request, response));
};
