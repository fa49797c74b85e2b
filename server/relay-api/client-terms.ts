import type { IncomingMessage } from "node:http";
import type { ClientApi } from "@tollgate/contract/relay/client-api";
import { CLIENT_APIS, DEFAULT_API } from "@tollgate/protocols/client-apis";

/** Prefixes of all addresses of the APIs, without those that another prefix covers. */
const BASES = CLIENT_APIS.flatMap(({ bases }) => bases).filter(
  (base, index, all) => !all.some((other, at) => base.startsWith(other) && (base !== other || at < index)),
);

/** Whether a client API has this prefix. @param target a path, with or without its query. */
export const isOfClientApi = (target: string): boolean => {
  for (const base of BASES) if (target.startsWith(base)) return true;
  return false;
};

/** The API of a client at an address shared by several APIs, recognized by its headers or path. */
export const apiOf = ({ headers }: IncomingMessage, path: string): ClientApi =>
  CLIENT_APIS.findLast(({ recognizedBy }) => {
    if (!recognizedBy) return false;
    const isBelow = recognizedBy.path !== undefined && path.startsWith(recognizedBy.path);
    return isBelow || headers[recognizedBy.header] !== undefined;
  }) ?? DEFAULT_API;

/** Headers of APIs whose clients expect the request's id in another one. */
const ID_HEADERS = CLIENT_APIS.flatMap(({ requestId, recognizedBy }) =>
  requestId ? [{ ...requestId, mark: recognizedBy?.header ?? "" }] : [],
);

const isBelow = (path: string, base: string): boolean =>
  path.startsWith(base) && (path.length === base.length || path[base.length] === "/");

/** The header in which the client looks for the request's id. */
export const idHeaderOf = ({ headers }: IncomingMessage, path: string): string => {
  for (const { header, mark, path: base } of ID_HEADERS)
    if (headers[mark] !== undefined || isBelow(path, base)) return header;
  return "x-request-id";
};
