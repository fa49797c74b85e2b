import type { TransportFailure } from "../ports/transport";
import { AddressBlocked } from "./outbound-guard";
import { SocksFailure } from "./socks5";

const TIMEOUTS = new Set(["UND_ERR_HEADERS_TIMEOUT", "UND_ERR_BODY_TIMEOUT", "UND_ERR_CONNECT_TIMEOUT"]);
const CONNECT_ERRORS = new Set(["ECONNREFUSED", "ENOTFOUND", "EAI_AGAIN", "EHOSTUNREACH", "ENETUNREACH"]);

/** Derives the failure from the error of a socket or of its client. */
export const readFailure = (error: Error & { code?: string }): TransportFailure => {
  if (error instanceof AddressBlocked)
    return { kind: "blocked", detail: { code: "name-blocked", host: error.host } };
  if (error instanceof SocksFailure) return { kind: "connect", detail: error.fault };
  const code = error.code ?? "";
  const detail = `${code === "" ? error.name : code}: ${error.message}`;
  if (TIMEOUTS.has(code)) return { kind: "timeout", detail };
  return { kind: CONNECT_ERRORS.has(code) ? "connect" : "reset", detail };
};
