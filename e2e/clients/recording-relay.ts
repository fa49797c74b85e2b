import { request as ask, createServer } from "node:http";
import { type Duplex, pipeline } from "node:stream";
import { listenOnLoopback } from "@tollgate/testkit/loopback-server";

/** A request that went through, and how it was answered. */
export interface Exchange {
  method: string;
  /** With the query string. */
  path: string;
  status: number;
}

export interface RecordingRelay {
  /** Base address, without a slash at the end. */
  readonly url: string;
  /** Since the start or the last `forget`, in the order of the answers. */
  readonly exchanges: readonly Exchange[];
  forget(): void;
  close(): Promise<void>;
}

/**
 * Stands between agents and the gateway and writes down what is asked and answered, also what the gateway itself
 * writes nowhere. As a proxy it refuses every other machine.
 * @param target a base address, without a slash at the end
 */
export const startRecordingRelay = async (target: string): Promise<RecordingRelay> => {
  const exchanges: Exchange[] = [];
  const server = createServer((incoming, outgoing) => {
    const { method = "", url: path = "", headers } = incoming;
    const forward = ask(target + path, { method, headers }, (answer) => {
      const status = answer.statusCode ?? 0;
      exchanges.push({ method, path, status });
      outgoing.writeHead(status, answer.headers);
      outgoing.flushHeaders();
      pipeline(answer, outgoing, () => undefined);
    });
    forward.on("error", () => outgoing.destroy());
    outgoing.on("close", () => forward.destroy());
    pipeline(incoming, forward, () => undefined);
  });
  server.on("connect", (_request, socket: Duplex) => {
    socket.on("error", () => undefined);
    socket.end("HTTP/1.1 403 Forbidden\r\n\r\n");
  });
  const url = await listenOnLoopback(server);
  return {
    url,
    exchanges,
    forget: () => {
      exchanges.length = 0;
    },
    close: async () => {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
};
