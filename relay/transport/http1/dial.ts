import { connect as connectTcp, isIP, type OnReadOpts, type Socket } from "node:net";
import { connect as connectTls, type TLSSocket } from "node:tls";
import { guardedLookup } from "../outbound-guard";

/** Where connections of one origin lead to. */
export interface Target {
  /** As it stands in the header: with the port, unless it is the scheme's own. */
  readonly hostHeader: string;
  readonly host: string;
  readonly port: number;
  readonly isSecure: boolean;
  /** Who vouches for its certificate; undefined for the authorities that Node trusts. */
  readonly ca: string | undefined;
  /** What the last TLS connection left behind, so that the next one is made faster. */
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

/** After how long a silent connection is probed, so that routers on the way remember it. */
const PROBE_DELAY_MS = 60_000;

/**
 * Opens a connection. Certificates are checked as Node does by default; a literal address is nothing that a server could
 * be asked for by name (https://www.rfc-editor.org/rfc/rfc6066#section-3).
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
