import type { IncomingMessage, RequestListener, ServerResponse } from "node:http";
import { refusalHeaders } from "@tollgate/relay/pipeline/refusal-headers";
import type { Refusal } from "@tollgate/relay/ports/client";
import { refuseUpload } from "../http/refuse-upload";
import { createRequestId, REQUEST_ID_HEADER } from "../http/request-id";
import { programLanguageOf } from "../locales/languages";
import { ADDRESSES, isMeantForClientApi, plainTarget } from "../relay-api/address-book";
import { apiOf, isOfClientApi } from "../relay-api/client-terms";
import { describeAndReport } from "../relay-api/refusals";
import { hasBody } from "../relay-api/relay-request";

const MOVING: Refusal = { code: "data-moving" };

/** Targets that the console and the management API answer. */
const isOfClients = (method: string, target: string): boolean =>
  isOfClientApi(target) || (!target.startsWith("/api") && isMeantForClientApi(method, target));

/** Answers to probes: the process runs, and takes no requests. */
const PROBES: Readonly<Record<string, readonly [status: number, word: string]>> = {
  "/healthz": [200, "ok"],
  "/readyz": [503, "data moving"],
};

/**
 * Answers for a gateway that is away for some seconds: 503 with a code, in the shape of the client's API, and when to come
 * again. Connections stay open.
 */
export const createStandIn = (): RequestListener => {
  const describers = describeAndReport(() => {});
  return (request: IncomingMessage, response: ServerResponse): void => {
    const target = plainTarget(request.url ?? "");
    const requestId = createRequestId(Date.now());
    const error = describers[programLanguageOf(request.headers["accept-language"])](MOVING);
    const { method = "" } = request;
    const [sentPath = "", query = ""] = target.split("?", 2);
    const { path, found } = ADDRESSES.resolve(method, sentPath, query);
    const probe = PROBES[path];
    if (probe) {
      const [status, word] = probe;
      refuseUpload(
        request,
        response,
        status,
        { "cache-control": "no-store" },
        JSON.stringify({ status: word }),
      );
      return;
    }
    const api = found && hasBody(found.asked) ? found.api : apiOf(request, path);
    const body = isOfClients(method, target)
      ? api.protocol.encodeError(error, requestId)
      : { success: false, message: error.message };
    const headers = { [REQUEST_ID_HEADER]: requestId, ...refusalHeaders(MOVING, error) };
    refuseUpload(request, response, error.status, headers, JSON.stringify(body));
  };
};
