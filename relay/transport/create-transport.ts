import type { Transport } from "../ports/transport";
import { createHttp1Transport } from "./http1/create-http1-transport";
import { createProxyTransport } from "./proxy-transport";
import { createSocketTransport } from "./socket-transport";
import type { TransportSettings } from "./transport-settings";

/** Connections to upstreams, chosen by the scheme of their address and the proxy. */
export const createTransport = (settings: TransportSettings): Transport => {
  const http = createHttp1Transport(settings);
  const proxied = createProxyTransport(settings);
  const socket = createSocketTransport(settings);
  return {
    send(request, receiver) {
      if (request.origin.startsWith("ws")) socket.send(request, receiver);
      else if (request.proxy !== undefined) proxied.send(request.proxy, request, receiver);
      else http.send(request, receiver);
    },
    async close() {
      await Promise.all([http.close(), proxied.close(), socket.close()]);
    },
  };
};
