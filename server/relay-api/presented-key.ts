import type { IncomingMessage } from "node:http";
import { CLIENT_APIS } from "@tollgate/protocols/client-apis";

const KEY_HEADERS = CLIENT_APIS.flatMap(({ keyHeader }) => keyHeader ?? []);

/** The key behind "Bearer" in any case (RFC 9110, section 11.1), or alone. @returns "" where another scheme holds no key. */
const keyIn = (header: string): string => {
  const value = header.trim();
  const schemeEnd = value.search(/[ \t]/);
  const scheme = schemeEnd === -1 ? value : value.slice(0, schemeEnd);
  if (scheme.toLowerCase() === "bearer") return value.slice(scheme.length).trim();
  return schemeEnd === -1 ? value : "";
};

/**
 * The key where the clients of any API put it: `Authorization`, else a header of their own, else the address. Where a
 * request presents several, the first of this order counts; one that is empty, or of another scheme, is not one.
 * @param parameter the name under which the API's clients may put it into the address instead.
 * @param query what follows the "?" of the address.
 */
export const presentedKey = (
  { headers }: IncomingMessage,
  parameter: string | undefined,
  query: string,
): string | undefined => {
  const authorized = headers.authorization === undefined ? "" : keyIn(headers.authorization);
  if (authorized !== "") return authorized;
  for (const name of KEY_HEADERS) {
    const key = keyIn(String(headers[name] ?? ""));
    if (key !== "") return key;
  }
  const inAddress =
    parameter === undefined || query === "" ? null : new URLSearchParams(query).get(parameter);
  // A header without a key is refused as an invalid key, not as a missing one.
  return inAddress ?? headers.authorization;
};
