import { type Envelope, envelopeSchema } from "@tollgate/contract/control/envelope";
import { apiBaseUrl } from "./base-address";

/** The server answered 200 and said no (`success: false`); `message` is the server's own text, possibly empty. */
export class RefusedError extends Error {
  override readonly name = "RefusedError";
  constructor(
    message: string,
    readonly envelope: Envelope,
  ) {
    super(message);
  }
}

/** The server answered with an HTTP status other than 2xx. */
export class HttpError extends Error {
  override readonly name = "HttpError";
  constructor(
    readonly status: number,
    message: string,
  ) {
    super(message);
  }
}

/** The server answered 2xx with something that is not an envelope (a proxy's page, say). */
export class UnreadableError extends Error {
  override readonly name = "UnreadableError";
}

type QueryValue = string | number | boolean | undefined;

export interface ApiRequest {
  query?: Record<string, QueryValue>;
  body?: unknown;
  signal?: AbortSignal;
}

const addressOf = (path: string, query: Record<string, QueryValue> = {}): string => {
  const search = new URLSearchParams();
  for (const [name, value] of Object.entries(query)) if (value !== undefined) search.set(name, String(value));
  const text = search.toString();
  return `${apiBaseUrl()}${path}${text === "" ? "" : `?${text}`}`;
};

const parseJson = (text: string): unknown => {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
};

/** The best sentence that a failed answer offers: an envelope's message, a relay error's, or its status line. */
const explain = (response: Response, body: unknown): string => {
  const envelope = envelopeSchema.safeParse(body);
  if (envelope.success && envelope.data.message !== "") return envelope.data.message;
  const error = (body as { error?: { message?: unknown } } | undefined)?.error?.message;
  if (typeof error === "string" && error !== "") return error;
  return `HTTP ${response.status}${response.statusText === "" ? "" : ` ${response.statusText}`}`;
};

/**
 * One call of the /api contract.
 * @returns the envelope, whose `success` is true.
 * @throws RefusedError, HttpError, UnreadableError, or fetch's own TypeError when nothing answered.
 */
export const callApi = async (
  method: "GET" | "POST" | "PUT" | "DELETE",
  path: string,
  { query, body, signal }: ApiRequest = {},
): Promise<Envelope & Record<string, unknown>> => {
  const response = await fetch(addressOf(path, query), {
    method,
    signal,
    // With another origin the session cookie travels only when asked for.
    credentials: apiBaseUrl() === "" ? "same-origin" : "include",
    ...(body === undefined
      ? {}
      : { headers: { "Content-Type": "application/json" }, body: JSON.stringify(body) }),
  });
  const answer = parseJson(await response.text());
  if (!response.ok) throw new HttpError(response.status, explain(response, answer));
  const envelope = envelopeSchema.safeParse(answer);
  if (!envelope.success) throw new UnreadableError("not an envelope");
  // One route of the contract answers a bare list: {object, data} without `success`.
  const isBareList =
    typeof answer === "object" && answer !== null && !("success" in answer) && "data" in answer;
  if (!envelope.data.success && !isBareList) throw new RefusedError(envelope.data.message, envelope.data);
  return envelope.data;
};
