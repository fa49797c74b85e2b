/** An answer of /api. */
export interface ApiAnswer {
  status: number;
  headers: Headers;
  text: string;
  /** The parsed envelope; {} when the body is no JSON object. */
  body: { success?: boolean; message?: string; data?: unknown; [field: string]: unknown };
}

/** How a caller presents itself. */
export interface Credentials {
  /** "session=…" */
  cookie?: string;
  /** The value of the Authorization header. */
  token?: string;
}

/** Somebody who is signed in. */
export interface SignedIn {
  cookie: string;
  api(method: string, path: string, body?: unknown, headers?: Record<string, string>): Promise<ApiAnswer>;
}

/** A token as the list shows it. */
export interface ListedToken {
  id: number;
  key: string;
  status: number;
  remain_quota: number;
  used_quota: number;
}

const parse = (text: string): ApiAnswer["body"] => {
  try {
    const value: unknown = JSON.parse(text);
    return typeof value === "object" && value !== null ? (value as ApiAnswer["body"]) : {};
  } catch {
    return {};
  }
};

/**
 * Sends one request.
 * @param body a string is sent as it is, anything else as JSON.
 * @param headers replace the ones that follow from body and credentials.
 */
export const callApi = async (
  url: string,
  method: string,
  path: string,
  body?: unknown,
  { cookie, token }: Credentials = {},
  headers: Record<string, string> = {},
): Promise<ApiAnswer> => {
  const response = await fetch(url + path, {
    method,
    redirect: "manual",
    headers: {
      // What a browser in China asks for; fetch alone would ask for "*".
      "accept-language": "zh-CN,zh;q=0.9",
      ...(body === undefined ? {} : { "content-type": "application/json" }),
      ...(cookie === undefined ? {} : { cookie }),
      ...(token === undefined ? {} : { authorization: token }),
      ...headers,
    },
    ...(body === undefined ? {} : { body: typeof body === "string" ? body : JSON.stringify(body) }),
  });
  const text = await response.text();
  return { status: response.status, headers: response.headers, text, body: parse(text) };
};

/** The cookies that an answer sets, as the next request sends them. */
export const cookiesOf = ({ headers }: ApiAnswer): string =>
  headers
    .getSetCookie()
    .map((line) => line.split(";")[0])
    .join("; ");

/** @throws Error with the answer when signing in is refused. */
export const signIn = async (url: string, username: string, password: string): Promise<SignedIn> => {
  const answer = await callApi(url, "POST", "/api/user/login", { username, password });
  if (answer.body.success !== true) throw new Error(`${username} may not sign in: ${answer.text}`);
  const cookie = cookiesOf(answer);
  return {
    cookie,
    api: (method, path, body, headers) => callApi(url, method, path, body, { cookie }, headers),
  };
};

/** Makes a call that has to succeed. @returns its data. @throws Error with the answer when it is refused. */
export const succeed = async <T>(call: Promise<ApiAnswer>): Promise<T> => {
  const { body, text } = await call;
  if (body.success !== true) throw new Error(`a call was refused: ${text}`);
  return body.data as T;
};

/** Makes a key. @returns it as the list shows it. */
export const addToken = async (
  owner: SignedIn,
  token: Record<string, unknown> = {},
): Promise<ListedToken> => {
  await succeed(owner.api("POST", "/api/token/", { name: "test", remain_quota: 500_000, ...token }));
  const [newest] = await succeed<ListedToken[]>(owner.api("GET", "/api/token/?p=0"));
  if (!newest) throw new Error("the new key is not in the list");
  return newest;
};

/** Adds a channel of the type that needs an address. @returns its id. */
export const addChannel = async (admin: SignedIn, channel: Record<string, unknown>): Promise<number> => {
  await succeed(
    admin.api("POST", "/api/channel/", {
      type: 8,
      name: "upstream",
      key: "upstream-key",
      models: "gpt-3.5-turbo,gpt-4",
      ...channel,
    }),
  );
  const [newest] = await succeed<{ id: number }[]>(admin.api("GET", "/api/channel/?p=0"));
  return newest?.id ?? 0;
};

/** Saves options, one after the other. */
export const saveOptions = async (root: SignedIn, options: Record<string, string>): Promise<void> => {
  for (const [key, value] of Object.entries(options)) {
    await succeed(root.api("PUT", "/api/option/", { key, value }));
  }
};
