import type { IncomingMessage, Server } from "node:http";
import type { Duplex } from "node:stream";
import { WebSocketServer } from "ws";
import type { Delivery } from "./faults";

/** A fake upstream's handling of sockets. */
export interface SocketService {
  /** @returns the status and body that refuse the upgrade; undefined to accept it. */
  refuse(request: IncomingMessage): { status: number; type: string; body: string } | undefined;
  /** Plans the answer to a socket's first message. */
  plan(request: IncomingMessage, message: Buffer): Delivery;
}

const refuseUpgrade = (
  socket: Duplex,
  { status, type, body }: { status: number; type: string; body: string },
) => {
  const head = `HTTP/1.1 ${status} Refused\r\ncontent-type: ${type}\r\ncontent-length: ${Buffer.byteLength(body)}`;
  socket.end(`${head}\r\nconnection: close\r\n\r\n${body}`);
};

/** An event of a stream, or a whole body, as the message of a socket. */
const toMessage = (part: string): string => part.replace(/^data: /, "").trimEnd();

/** Lets a server answer WebSockets: each by the messages of one delivery. @returns how to end those that are open. */
export const answerSockets = (server: Server, service: SocketService): (() => void) => {
  const sockets = new WebSocketServer({ noServer: true });
  server.on("upgrade", (request: IncomingMessage, stream: Duplex, head: Buffer) => {
    const refusal = service.refuse(request);
    if (refusal) {
      refuseUpgrade(stream, refusal);
      return;
    }
    sockets.handleUpgrade(request, stream, head, (socket) => {
      socket.once("message", (data) => {
        const delivery = service.plan(request, Buffer.from(data.toString()));
        if (delivery.isRefused) {
          socket.terminate();
          return;
        }
        for (const part of delivery.parts) socket.send(toMessage(Buffer.from(part).toString()));
        if (delivery.ending === "reset") socket.terminate();
        else if (delivery.ending === "end") socket.close();
      });
    });
  });
  return () => {
    for (const socket of sockets.clients) socket.terminate();
  };
};
