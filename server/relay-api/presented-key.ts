import type { IncomingMessage } from "node:http";
import { CLIENT_APIS } from "@tollgate/protocols/client-apis";

const KEY_HEADERS = CLIENT_APIS.flatMap(({ keyHeader }) => keyHeader ?? []);

/**
 * The key where the clients of any API put it: `Authorization`, else a header of their own.
 * @param parameter the name under which the API's clients may put it into the address instead.
 * @param query what follows the "?" of the address.
 */
export const presentedKey = (
  request: IncomingMessage,
  parameter: string | undefined,
  query: string,
): string | undefined => {
  const { authorization } = request.headers;
  if (authorization !== undefined) return authorization;
  for (const name of KEY_HEADERS) {
    const key = request.headers[name];
    if (typeof key === "string") return key;
  }
  return parameter === undefined || query === ""
    ? undefined
    : (new URLSearchParams(query).get(parameter) ?? undefined);
};
