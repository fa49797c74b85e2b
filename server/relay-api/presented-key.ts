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
 * The key from any API's usual place: `Authorization`, else a header of its own, else the address. If a request
 * presents several, the first in this order counts; empty ones, and those of another scheme, are ignored.
 * @param parameter the query parameter that the API's clients may use instead.
 * @param query the part of the address after the "?".
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
