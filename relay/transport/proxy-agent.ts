import { isSocksAddress } from "@tollgate/contract/values/proxy-address";
import type { Agent, buildConnector, Dispatcher } from "undici";
import { guardedLookup } from "./outbound-guard";
import { connectThroughSocks, readSocksAddress } from "./socks5";

/** Connects through a SOCKS5 proxy, then secures the connection where the upstream wants it. */
const socksConnector = (
  secure: buildConnector.connector,
  address: string,
  timeoutMs: number,
): buildConnector.connector => {
  const proxy = readSocksAddress(address);
  return (options, callback) => {
    const isSecure = options.protocol === "https:";
    const port = Number(options.port) || (isSecure ? 443 : 80);
    connectThroughSocks(proxy, options.hostname, port, timeoutMs).then(
      (socket) => {
        if (isSecure) secure({ ...options, httpSocket: socket }, callback);
        else callback(null, socket.setNoDelay(true));
      },
      (error: Error) => callback(error, null),
    );
  };
};

/**
 * Requests through the proxy at an address. The guard checks the proxy's own address. undici is loaded by the first one: it
 * takes megabytes, and most gateways have no proxy.
 */
export const openProxyAgent = async (
  address: string,
  connectTimeoutMs: number,
  options: Pick<Agent.Options, "pipelining" | "keepAliveTimeout" | "headersTimeout" | "bodyTimeout"> = {},
): Promise<Dispatcher> => {
  const undici = await import("undici");
  const connect = { timeout: connectTimeoutMs, lookup: guardedLookup };
  if (!isSocksAddress(address)) return new undici.ProxyAgent({ uri: address, ...options, proxyTls: connect });
  const secure = undici.buildConnector({ timeout: connectTimeoutMs });
  return new undici.Agent({ ...options, connect: socksConnector(secure, address, connectTimeoutMs) });
};
