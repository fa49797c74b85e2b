import type { IncomingMessage } from "node:http";

/**
 * The key where the protocols' clients put it: `Authorization`, Anthropic's `x-api-key`, Google's `x-goog-api-key`.
 * @param query what follows the "?" of the address; Google's clients may put the key there, so it is looked at for
 * paths of their API only.
 */
export const presentedKey = (request: IncomingMessage, query = ""): string | undefined => {
  const { authorization } = request.headers;
  if (authorization !== undefined) return authorization;
  for (const name of ["x-api-key", "x-goog-api-key"]) {
    const key = request.headers[name];
    if (typeof key === "string") return key;
  }
  return query === "" ? undefined : (new URLSearchParams(query).get("key") ?? undefined);
};
