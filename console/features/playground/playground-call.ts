import { tryParseJson } from "@tollgate/contract/values/parse-json";
import { PLAYGROUND_BASE, PLAYGROUND_GROUP_HEADER } from "@tollgate/contract/values/playground";
import { addressOf, explain, HttpError } from "../../lib/api-client";
import { apiBaseUrl } from "../../lib/base-address";
import { currentLanguage } from "../../lib/i18n";

/** Why a request came to nothing. */
export interface PlaygroundFailure {
  /** HTTP status; 0 without an answer. */
  status: number;
  /** The gateway's own words; "" without any. */
  message: string;
  /** Names the receipt; "" where the request did not reach the gateway. */
  requestId: string;
}

/** An answer with a status other than 2xx. */
export class PlaygroundError extends HttpError {
  constructor(
    status: number,
    message: string,
    readonly requestId: string,
  ) {
    super(status, message);
  }
}

/** What a request is sent with. */
export interface PlaygroundCall {
  /** Address of the client API, such as "/v1/chat/completions". */
  path: string;
  /** "" for the groups of the user. */
  group: string;
  /** Sent with POST; GET without it. */
  body?: unknown;
  signal?: AbortSignal;
}

/** Id of the request, by which its receipt is found. */
export const requestIdOf = ({ headers }: Response): string => headers.get("x-oneapi-request-id") ?? "";

/**
 * Sends a request of the client API by the session.
 * @returns the answer, whose body is not read yet.
 * @throws PlaygroundError, or fetch's own TypeError when no server answered.
 */
export const callPlayground = async ({ path, group, body, signal }: PlaygroundCall): Promise<Response> => {
  const response = await fetch(addressOf(PLAYGROUND_BASE + path), {
    method: body === undefined ? "GET" : "POST",
    ...(signal ? { signal } : {}),
    credentials: apiBaseUrl() === "" ? "same-origin" : "include",
    headers: {
      "Accept-Language": currentLanguage(),
      [PLAYGROUND_GROUP_HEADER]: encodeURIComponent(group),
      ...(body === undefined ? {} : { "Content-Type": "application/json" }),
    },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  });
  if (response.ok) return response;
  const text = await response.text();
  throw new PlaygroundError(response.status, explain(tryParseJson(text)), requestIdOf(response));
};

/** The failure of a request, for its page. @param requestId of an answer that broke off. */
export const failureOf = (error: unknown, requestId = ""): PlaygroundFailure => {
  if (error instanceof PlaygroundError)
    return { status: error.status, message: error.message, requestId: error.requestId };
  return { status: 0, message: "", requestId };
};
