import { connect, isIP, type Socket } from "node:net";
import type { UpstreamFault } from "@tollgate/contract/relay/upstream-fault";
import { hostOf } from "./blocked-origin";
import { bytesOf, guardedLookup } from "./outbound-guard";

/* SOCKS5 (https://www.rfc-editor.org/rfc/rfc1928) with name and password (https://www.rfc-editor.org/rfc/rfc1929). */

const VERSION = 5;
const DEFAULT_PORT = 1080;
const NO_SIGN_IN = 0;
const BY_PASSWORD = 2;
const SIGN_IN_VERSION = 1;
const CONNECT = 1;
const IPV4 = 1;
const NAME = 3;
const IPV6 = 4;

/** A SOCKS5 proxy that did not connect. */
export class SocksFailure extends Error {
  override readonly name = "SocksFailure";
  constructor(readonly fault: UpstreamFault) {
    super(fault.code);
  }
}

export interface SocksProxy {
  host: string;
  port: number;
  username: string;
  password: string;
  /** The proxy resolves the names of upstreams (socks5h). */
  isResolving: boolean;
}

/** @param address one that isProxyAddress accepts. */
export const readSocksAddress = (address: string): SocksProxy => {
  const { protocol, port, username, password } = new URL(address);
  return {
    host: hostOf(address),
    port: port === "" ? DEFAULT_PORT : Number(port),
    username: decodeURIComponent(username),
    password: decodeURIComponent(password),
    isResolving: protocol === "socks5h:",
  };
};

/** Resolves a name through the outbound guard; an address stays as it is. */
const resolve = (host: string): Promise<string> =>
  isIP(host) !== 0
    ? Promise.resolve(host)
    : new Promise((done, fail) => {
        guardedLookup(host, {}, (error, address) => (error ? fail(error) : done(String(address))));
      });

/** Reads exactly so many bytes. */
const take = (socket: Socket, length: number): Promise<Buffer> =>
  new Promise((done, fail) => {
    const stop = (): void => {
      socket.off("readable", read).off("end", end).off("close", end);
    };
    const end = (): void => {
      stop();
      fail(new SocksFailure({ code: "socks-malformed" }));
    };
    const read = (): void => {
      const bytes: Buffer | null = socket.read(length);
      if (bytes === null) return;
      if (bytes.length < length) end();
      else {
        stop();
        done(bytes);
      }
    };
    socket.on("readable", read).on("end", end).on("close", end);
    read();
  });

const withLength = (bytes: Buffer): Buffer => Buffer.concat([Buffer.of(bytes.length), bytes]);

const signIn = async (socket: Socket, { username, password }: SocksProxy): Promise<void> => {
  const methods = username === "" ? [NO_SIGN_IN] : [NO_SIGN_IN, BY_PASSWORD];
  socket.write(Buffer.of(VERSION, methods.length, ...methods));
  const [version, method = -1] = await take(socket, 2);
  if (version !== VERSION) throw new SocksFailure({ code: "socks-malformed" });
  if (!methods.includes(method)) throw new SocksFailure({ code: "socks-sign-in-refused" });
  if (method === NO_SIGN_IN) return;
  const parts = [Buffer.from(username), Buffer.from(password)].map(withLength);
  socket.write(Buffer.concat([Buffer.of(SIGN_IN_VERSION), ...parts]));
  const [, status] = await take(socket, 2);
  if (status !== 0) throw new SocksFailure({ code: "socks-sign-in-refused" });
};

const encodeHost = (host: string): Buffer => {
  switch (isIP(host)) {
    case 4:
      return Buffer.of(IPV4, ...host.split(".").map(Number));
    case 6:
      return Buffer.of(IPV6, ...(bytesOf(host) ?? []));
    default:
      return Buffer.concat([Buffer.of(NAME), withLength(Buffer.from(host, "latin1"))]);
  }
};

const requestConnection = async (socket: Socket, host: string, port: number): Promise<void> => {
  const target = Buffer.concat([encodeHost(host), Buffer.of(port >> 8, port & 255)]);
  socket.write(Buffer.concat([Buffer.of(VERSION, CONNECT, 0), target]));
  const [version, reply = -1, , kind] = await take(socket, 4);
  if (version !== VERSION) throw new SocksFailure({ code: "socks-malformed" });
  if (reply !== 0) throw new SocksFailure({ code: "socks-refused", reply });
  // The proxy's own address and port, which nothing needs.
  if (kind === IPV4) await take(socket, 4 + 2);
  else if (kind === IPV6) await take(socket, 16 + 2);
  else if (kind === NAME) await take(socket, ((await take(socket, 1))[0] ?? 0) + 2);
  else throw new SocksFailure({ code: "socks-malformed" });
};

const open = (host: string, port: number): Promise<Socket> =>
  new Promise((done, fail) => {
    const socket = connect({ host, port });
    socket.once("error", fail);
    socket.once("connect", () => {
      socket.off("error", fail);
      done(socket);
    });
  });

/** Late errors of a socket that was given up concern no one. */
const ignoreError = (): void => {};

/**
 * Opens a connection to an upstream through a proxy. Both addresses are looked up through the outbound guard, except that
 * with socks5h the proxy resolves the upstream's name.
 * @param timeoutMs for all of it. @throws SocksFailure, AddressBlocked, or the error of the socket.
 */
export const connectThroughSocks = async (
  proxy: SocksProxy,
  host: string,
  port: number,
  timeoutMs: number,
): Promise<Socket> => {
  let socket: Socket | undefined;
  let timer: NodeJS.Timeout | undefined;
  let isLate = false;
  const late = new Promise<never>((_, fail) => {
    timer = setTimeout(() => {
      isLate = true;
      fail(
        Object.assign(new Error("the proxy did not connect in time"), { code: "UND_ERR_CONNECT_TIMEOUT" }),
      );
    }, timeoutMs);
  });
  const connecting = async (): Promise<Socket> => {
    const target = proxy.isResolving ? host : await resolve(host);
    const opened = await open(await resolve(proxy.host), proxy.port);
    opened.on("error", ignoreError);
    socket = opened;
    if (isLate) throw new SocksFailure({ code: "socks-malformed" });
    await signIn(opened, proxy);
    await requestConnection(opened, target, port);
    return opened;
  };
  const opening = connecting();
  try {
    return await Promise.race([opening, late]);
  } catch (error) {
    socket?.destroy();
    // One that connects later is closed then.
    opening.then(
      (opened) => opened.destroy(),
      () => socket?.destroy(),
    );
    throw error;
  } finally {
    clearTimeout(timer);
  }
};
