import { connect as connectTcp, isIP, type OnReadOpts, type Socket } from "node:net";
import { connect as connectTls, type TLSSocket } from "node:tls";
import { guardedLookup } from "../outbound-guard";

/** The destination of one origin's connections. */
export interface Target {
  /** The value of the Host header: with the port, unless it is the scheme's default. */
  readonly hostHeader: string;
  readonly host: string;
  readonly port: number;
  readonly isSecure: boolean;
  /** The authority for its certificate; undefined for the authorities that Node trusts. */
  readonly ca: string | undefined;
  /** TLS session of the last connection, to resume it faster. */
  session: Buffer | undefined;
}

/** @param origin "https://host:port" or "http://host:port" */
export const targetOf = (origin: string, ca?: string): Target => {
  const { protocol, hostname, host, port } = new URL(origin);
  const isSecure = protocol === "https:";
  return {
    hostHeader: host,
    host: hostname.replace(/^\[|\]$/g, ""),
    port: port === "" ? (isSecure ? 443 : 80) : Number(port),
    isSecure,
    ca,
    session: undefined,
  };
};

/** Delay before probing a silent connection, so that routers keep its state. */
const PROBE_DELAY_MS = 60_000;

/**
 * Opens a connection. Certificates are checked as Node does by default; a literal address is not sent as the server
 * name (https://www.rfc-editor.org/rfc/rfc6066#section-3).
 */
export const dial = (target: Target, onread: OnReadOpts): Socket => {
  const { host, port } = target;
  const options = {
    host,
    port,
    onread,
    lookup: guardedLookup,
    noDelay: true,
    keepAlive: true,
    keepAliveInitialDelay: PROBE_DELAY_MS,
  };
  if (!target.isSecure) return connectTcp(options);
  const socket: TLSSocket = connectTls({
    ...options,
    servername: isIP(host) === 0 ? host : "",
    ALPNProtocols: ["http/1.1"],
    session: target.session,
    ca: target.ca,
  });
  socket.on("session", (session) => {
    target.session = session;
  });
  return socket;
};
