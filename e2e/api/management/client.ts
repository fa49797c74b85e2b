import {
  type ApiAnswer,
  callApi as callServer,
  type SignedIn,
  signIn as signInOnServer,
} from "@tollgate/demo/api-client";
import { demand } from "@tollgate/demo/build-world";

/** What a browser in China asks for; fetch alone would ask for "*". */
const CHINESE = { "accept-language": "zh-CN,zh;q=0.9" };

/** How a caller presents itself. */
export interface Credentials {
  /** "session=…" */
  cookie?: string;
  /** The value of the Authorization header. */
  token?: string;
}

/**
 * Sends one request, as a browser in China does.
 * @param body a string is sent as it is, anything else as JSON.
 * @param headers replace the ones that follow from body and credentials.
 */
export const callApi = (
  url: string,
  method: string,
  path: string,
  body?: unknown,
  { cookie, token }: Credentials = {},
  headers: Record<string, string> = {},
): Promise<ApiAnswer> =>
  callServer(method, url + path, body, {
    ...(cookie === undefined ? {} : { cookie }),
    headers: { ...CHINESE, ...(token === undefined ? {} : { authorization: token }), ...headers },
  });

/** Signs in as a browser in China does. @throws Error with the answer when it is refused. */
export const signIn = (url: string, username: string, password: string): Promise<SignedIn> =>
  signInOnServer(url, username, password, CHINESE);

/** Makes a call that has to succeed. @returns its data. @throws Error with the answer when it is refused. */
export const succeed = async <T>(call: Promise<ApiAnswer>): Promise<T> => (await demand(call)) as T;

/** Saves options, one after the other. */
export const saveOptions = async (root: SignedIn, options: Record<string, string>): Promise<void> => {
  for (const [key, value] of Object.entries(options)) {
    await succeed(root.api("PUT", "/api/option/", { key, value }));
  }
};
