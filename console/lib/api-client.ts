import { type Envelope, envelopeSchema } from "@tollgate/contract/management/envelope";
import { tryParseJson } from "@tollgate/contract/values/parse-json";
import { apiBaseUrl } from "./base-address";
import { currentLanguage } from "./i18n";
import { askForPresence } from "./presence";

/** An answer with status 200 and `success: false`; `message` is the server's own text, possibly empty. */
export class RefusedError extends Error {
  override readonly name = "RefusedError";
  constructor(
    message: string,
    readonly envelope: Envelope,
  ) {
    super(message);
  }
}

/** An answer with an HTTP status other than 2xx; `message` is the server's explanation, possibly empty. */
export class HttpError extends Error {
  override readonly name = "HttpError";
  constructor(
    readonly status: number,
    message: string,
    /** The envelope's field, as in a refusal. */
    readonly field?: string,
  ) {
    super(message);
  }
}

/** The field that a refusal is about, by its name on the wire; only this project's gateway names it. */
export const refusedField = (error: unknown): string | undefined => {
  if (error instanceof RefusedError) return error.envelope.field;
  // Some calls answer a body that does not fit with 400. Other statuses have their own meaning, such as a sign-in.
  return error instanceof HttpError && error.status === 400 ? error.field : undefined;
};

/** The server does not have this call: another product, or an older version. */
export const isUnknownCall = (error: unknown): boolean => error instanceof HttpError && error.status === 404;

/** A 2xx answer in an unexpected format (a proxy's page, for example). */
export class UnreadableError extends Error {
  override readonly name = "UnreadableError";
}

export type QueryValue = string | number | boolean | undefined;

export interface ApiRequest {
  query?: Record<string, QueryValue>;
  body?: unknown;
  signal?: AbortSignal;
  /** This route may answer {object, data}, without `success`. */
  allowsBareList?: boolean;
}

/** Address of a call; undefined parameters are left out. */
export const addressOf = (path: string, query: Record<string, QueryValue> = {}): string => {
  const search = new URLSearchParams();
  for (const [name, value] of Object.entries(query)) if (value !== undefined) search.set(name, String(value));
  const text = search.toString();
  return `${apiBaseUrl()}${path}${text === "" ? "" : `?${text}`}`;
};

/** The message in a failed answer: an envelope's or a relay error's; empty if it has neither. */
export const explain = (body: unknown): string => {
  const envelope = envelopeSchema.safeParse(body);
  if (envelope.success && envelope.data.message !== "") return envelope.data.message;
  const error = (body as { error?: { message?: unknown } } | undefined)?.error?.message;
  return typeof error === "string" ? error : "";
};

/**
 * Calls the /api contract.
 * @returns the envelope, whose `success` is true.
 * @throws RefusedError, HttpError, UnreadableError, or fetch's own TypeError when no server answered.
 */
const callOnce = async (
  method: "GET" | "POST" | "PUT" | "DELETE",
  path: string,
  { query, body, signal, allowsBareList }: ApiRequest = {},
): Promise<Envelope & Record<string, unknown>> => {
  const response = await fetch(addressOf(path, query), {
    method,
    signal,
    // A call to another origin carries the session cookie only with "include".
    credentials: apiBaseUrl() === "" ? "same-origin" : "include",
    headers: {
      // The page's language, which may differ from the browser's: the server's messages are shown on the page.
      "Accept-Language": currentLanguage(),
      ...(body === undefined ? {} : { "Content-Type": "application/json" }),
    },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  });
  const answer = tryParseJson(await response.text());
  const envelope = envelopeSchema.safeParse(answer);
  if (!response.ok) throw new HttpError(response.status, explain(answer), envelope.data?.field);
  if (!envelope.success) throw new UnreadableError("not an envelope");
  if (envelope.data.success) return envelope.data;
  const isSilent = !("success" in Object(answer)) && envelope.data.message === "";
  if (isSilent && allowsBareList && envelope.data.data !== undefined) return envelope.data;
  if (isSilent) throw new UnreadableError("neither success nor refusal");
  throw new RefusedError(envelope.data.message, envelope.data);
};

/**
 * Calls the /api contract, again where the server wants the user to confirm to be at the browser, and the user does.
 * @returns and throws as `callOnce`
 */
export const callApi: typeof callOnce = async (...call) => {
  try {
    return await callOnce(...call);
  } catch (error) {
    const isAsked = error instanceof RefusedError && error.envelope.needs === "presence";
    if (!isAsked || !(await askForPresence())) throw error;
    return callOnce(...call);
  }
};
