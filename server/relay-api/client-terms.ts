import type { IncomingMessage } from "node:http";
import type { ClientApi } from "@tollgate/contract/relay/client-api";
import { CLIENT_APIS, DEFAULT_API } from "@tollgate/protocols/client-apis";

/** What all addresses of the APIs begin with, without what another of these begins with. */
const BASES = CLIENT_APIS.flatMap(({ bases }) => bases).filter(
  (base, index, all) => !all.some((other, at) => base.startsWith(other) && (base !== other || at < index)),
);

/** Whether the gateway answers what begins so. @param target a path, with or without what follows it. */
export const isOfClientApi = (target: string): boolean => {
  for (const base of BASES) if (target.startsWith(base)) return true;
  return false;
};

/** The API whose client this is, at an address that is not one API's alone: by what its clients are recognised by. */
export const apiOf = ({ headers }: IncomingMessage, path: string): ClientApi =>
  CLIENT_APIS.findLast(({ recognizedBy }) => {
    if (!recognizedBy) return false;
    const isBelow = recognizedBy.path !== undefined && path.startsWith(recognizedBy.path);
    return isBelow || headers[recognizedBy.header] !== undefined;
  }) ?? DEFAULT_API;

/** Of the APIs whose clients look for the request's id somewhere else than all others. */
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
