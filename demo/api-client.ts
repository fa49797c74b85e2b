import { logIn } from "@tollgate/contract/api/session";

/** An answer of the product, read whole. */
export interface ApiAnswer {
  status: number;
  headers: Headers;
  text: string;
  /** The parsed envelope; {} when the body is no JSON object. */
  body: { success?: boolean; message?: string; data?: unknown; [field: string]: unknown };
}

/** The caller and the content of a call. */
export interface ApiCall {
  /** The value of the Cookie header. */
  cookie?: string;
  /** Sent as `Authorization: Bearer …`. */
  token?: string;
  headers?: Record<string, string>;
}

const parseJson = (text: string): ApiAnswer["body"] => {
  try {
    const parsed: unknown = JSON.parse(text);
    return typeof parsed === "object" && parsed !== null ? (parsed as ApiAnswer["body"]) : {};
  } catch {
    return {};
  }
};

/**
 * Sends one HTTP request.
 * @param url the whole address
 * @param body an object travels as JSON, text and bytes as they are
 */
export const callApi = async (
  method: string,
  url: string,
  body?: unknown,
  { cookie, token, headers = {} }: ApiCall = {},
): Promise<ApiAnswer> => {
  const isRaw = typeof body === "string" || body instanceof Uint8Array;
  const response = await fetch(url, {
    method,
    redirect: "manual",
    headers: {
      ...(body === undefined ? {} : { "content-type": "application/json" }),
      ...(cookie === undefined ? {} : { cookie }),
      ...(token === undefined ? {} : { authorization: `Bearer ${token}` }),
      ...headers,
    },
    ...(body === undefined
      ? {}
      : { body: isRaw ? (body as string | Uint8Array<ArrayBuffer>) : JSON.stringify(body) }),
  });
  const text = await response.text();
  return { status: response.status, headers: response.headers, text, body: parseJson(text) };
};

export interface SignedIn {
  /** The Cookie header. */
  readonly cookie: string;
  api(method: string, path: string, body?: unknown, more?: ApiCall): Promise<ApiAnswer>;
}

/** The cookies that an answer sets, as the next request sends them. */
export const cookiesOf = ({ headers }: ApiAnswer): string =>
  headers
    .getSetCookie()
    .map((line) => line.split(";")[0])
    .join("; ");

/**
 * Signs in and gives a caller with the session's cookie.
 * @param headers that each call carries, the sign-in as well
 * @throws Error with the answer when the name or the password is refused.
 */
export const signIn = async (
  url: string,
  username: string,
  password: string,
  headers: Record<string, string> = {},
): Promise<SignedIn> => {
  const answer = await callApi("POST", url + logIn.path, { username, password }, { headers });
  if (answer.body.success !== true) {
    throw new Error(`Signing in as ${username} was answered ${answer.status} ${answer.text}`);
  }
  const cookie = cookiesOf(answer);
  return {
    cookie,
    api: (method, path, body, more) =>
      callApi(method, url + path, body, { cookie, ...more, headers: { ...headers, ...more?.headers } }),
  };
};
