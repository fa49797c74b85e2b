import { connect, createServer, type Socket } from "node:net";
import { listenOnLoopback } from "./loopback-server";

/** What a SOCKS5 proxy does wrong. */
export type SocksFault = "silent" | "garbage" | "refused" | "closes" | "byte-by-byte";

export interface SocksTestProxy {
  /** "127.0.0.1:…" */
  readonly host: string;
  /** The targets of its connections, "name:port", as they were asked for. */
  readonly asked: string[];
  /** Names and passwords that came, "name:password". */
  readonly signedIn: string[];
  readonly openSockets: ReadonlySet<Socket>;
  fault: SocksFault | undefined;
  close(): Promise<void>;
}

interface Settings {
  /** "name:password"; without it nothing is asked for. */
  credentials?: string;
  /** Where connections go instead of their target. */
  leadsTo?: () => { host: string; port: number };
}

const readTarget = (bytes: Buffer): { host: string; port: number } => {
  const kind = bytes[3];
  const length = bytes[4] ?? 0;
  const [from, to] = kind === 3 ? [5, 5 + length] : [4, kind === 1 ? 8 : 20];
  const part = bytes.subarray(from, to);
  const words = part.toString("hex").match(/.{4}/g) ?? [];
  const host = kind === 3 ? part.toString("latin1") : kind === 1 ? [...part].join(".") : words.join(":");
  return { host, port: bytes.readUInt16BE(to) };
};

/** A SOCKS5 proxy on this machine, for tests. */
export const startSocksProxy = async ({ credentials, leadsTo }: Settings = {}): Promise<SocksTestProxy> => {
  const asked: string[] = [];
  const signedIn: string[] = [];
  const openSockets = new Set<Socket>();
  const state: { fault: SocksFault | undefined } = { fault: undefined };
  const say = (socket: Socket, bytes: Buffer): void => {
    if (state.fault !== "byte-by-byte") {
      socket.write(bytes);
      return;
    }
    for (const [index, byte] of bytes.entries()) setTimeout(() => socket.write(Buffer.of(byte)), index * 2);
  };
  const lead = (socket: Socket, bytes: Buffer): void => {
    const target = readTarget(bytes);
    asked.push(`${target.host}:${target.port}`);
    if (state.fault === "refused") {
      say(socket, Buffer.of(5, 5, 0, 1, 0, 0, 0, 0, 0, 0));
      return;
    }
    // What comes before both are connected must not be lost.
    socket.pause();
    const upstream = connect(leadsTo?.() ?? target, () => {
      say(socket, Buffer.of(5, 0, 0, 1, 0, 0, 0, 0, 0, 0));
      setTimeout(() => upstream.pipe(socket).pipe(upstream), state.fault === "byte-by-byte" ? 50 : 0);
    });
    upstream.on("error", () => socket.destroy());
    socket.on("close", () => upstream.destroy());
  };
  const server = createServer((socket) => {
    openSockets.add(socket);
    socket.on("close", () => openSockets.delete(socket));
    socket.on("error", () => socket.destroy());
    if (state.fault === "silent") {
      socket.resume();
      return;
    }
    socket.once("data", () => {
      if (state.fault === "garbage") socket.write("HTTP/1.1 400 Bad Request\r\n\r\n");
      else if (state.fault === "closes") socket.end(Buffer.of(5));
      else if (credentials === undefined) {
        say(socket, Buffer.of(5, 0));
        socket.once("data", (bytes) => lead(socket, bytes));
      } else {
        say(socket, Buffer.of(5, 2));
        socket.once("data", (bytes) => {
          const name = bytes.subarray(2, 2 + (bytes[1] ?? 0));
          const password = bytes.subarray(3 + name.length);
          const given = `${name.toString()}:${password.toString()}`;
          signedIn.push(given);
          say(socket, Buffer.of(1, given === credentials ? 0 : 1));
          socket.once("data", (next) => lead(socket, next));
        });
      }
    });
  });
  const { host } = new URL(await listenOnLoopback(server));
  return {
    host,
    asked,
    signedIn,
    openSockets,
    get fault() {
      return state.fault;
    },
    set fault(fault) {
      state.fault = fault;
    },
    close: () =>
      new Promise((done) => {
        for (const socket of openSockets) socket.destroy();
        server.close(() => done());
      }),
  };
};
