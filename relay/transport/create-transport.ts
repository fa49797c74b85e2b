import type { Transport } from "../ports";
import { createSocketTransport } from "./socket-transport";
import type { TransportSettings } from "./transport-settings";
import { createUndiciTransport } from "./undici-transport";

/** Connections to upstreams, by the scheme of their address. */
export const createTransport = (settings: TransportSettings): Transport => {
  const http = createUndiciTransport(settings);
  const socket = createSocketTransport(settings);
  return {
    send(request, receiver) {
      if (request.origin.startsWith("ws")) socket.send(request, receiver);
      else http.send(request, receiver);
    },
    async close() {
      await Promise.all([http.close(), socket.close()]);
    },
  };
};
