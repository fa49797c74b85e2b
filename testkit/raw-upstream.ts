import { createServer, type Server, type Socket } from "node:net";
import { createServer as createTlsServer, type TLSSocket } from "node:tls";
import { TEST_CERTIFICATE, TEST_CERTIFICATE_KEY } from "./certificates";
import { listenOnLoopback } from "./loopback-server";

/** One request, as it came. */
export interface RawRequest {
  /** Including its blank line. */
  head: string;
  body: Buffer;
  socket: Socket;
  /** Which connection it came over, counted from 0. */
  connection: number;
  /** Which request of all it is, counted from 0. */
  index: number;
}

export interface RawUpstream {
  /** "http://127.0.0.1:port", or with https. */
  origin: string;
  port: number;
  /** All that were ever opened. */
  sockets: Socket[];
  requests: RawRequest[];
  close(): Promise<void>;
}

const CONTENT_LENGTH = /\r\ncontent-length: (\d+)\r\n/i;

/** Calls `onRequest` for each request with a length. */
const readRequests = (socket: Socket, onRequest: (head: string, body: Buffer) => void): void => {
  let pending = Buffer.alloc(0);
  socket.on("data", (data) => {
    pending = Buffer.concat([pending, data]);
    for (;;) {
      const end = pending.indexOf("\r\n\r\n") + 4;
      if (end === 3) return;
      const head = pending.toString("latin1", 0, end);
      const length = Number(CONTENT_LENGTH.exec(head)?.[1] ?? 0);
      if (pending.length < end + length) return;
      const body = pending.subarray(end, end + length);
      pending = pending.subarray(end + length);
      onRequest(head, body);
    }
  });
};

/**
 * An upstream that answers with raw bytes, right or wrong.
 * @param answer called for each request; it writes to the request's socket.
 * @param options `isSecure` for TLS with the test certificate; `onConnection` sees a connection before it is read, and
 * returns false to have it left unread.
 */
export const startRawUpstream = async (
  answer: (request: RawRequest) => void,
  options: { isSecure?: boolean; onConnection?: (socket: Socket) => boolean } = {},
): Promise<RawUpstream> => {
  const sockets: Socket[] = [];
  const requests: RawRequest[] = [];
  const serve = (socket: Socket): void => {
    const connection = sockets.push(socket) - 1;
    socket.on("error", () => socket.destroy());
    if (options.onConnection?.(socket) === false) return;
    readRequests(socket, (head, body) => {
      const request = { head, body, socket, connection, index: requests.length };
      requests.push(request);
      answer(request);
    });
  };
  const server: Server = options.isSecure
    ? createTlsServer(
        { key: TEST_CERTIFICATE_KEY, cert: TEST_CERTIFICATE, ALPNProtocols: ["h2", "http/1.1"] },
        (socket: TLSSocket) => serve(socket),
      )
    : createServer({ noDelay: true }, serve);
  const address = await listenOnLoopback(server);
  return {
    origin: options.isSecure ? address.replace("http:", "https:") : address,
    port: Number(new URL(address).port),
    sockets,
    requests,
    async close() {
      for (const socket of sockets) socket.destroy();
      await new Promise((resolve) => server.close(resolve));
    },
  };
};
