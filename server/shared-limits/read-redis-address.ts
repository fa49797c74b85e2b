import type { RedisOptions } from "ioredis";

/** Address of a Redis server. Its password is never logged or shown. */
export type RedisAddress = Pick<
  RedisOptions,
  "host" | "port" | "path" | "username" | "password" | "db" | "tls"
>;

const DEFAULT_PORT = 6379;

/** @throws URIError where it is not written as addresses are. */
const partOf = (text: string): string | undefined => (text === "" ? undefined : decodeURIComponent(text));

const readUrl = (text: string): RedisAddress | undefined => {
  const { protocol, hostname, port, username, password, pathname, search, hash } = new URL(text);
  const database = /^\/?(\d{0,5})$/.exec(pathname)?.[1];
  const isKnown = protocol === "redis:" || protocol === "rediss:";
  if (!isKnown || hostname === "" || database === undefined || search !== "" || hash !== "") return undefined;
  return {
    host: hostname.replace(/^\[(.*)\]$/, "$1"),
    port: port === "" ? DEFAULT_PORT : Number(port),
    username: partOf(username),
    password: partOf(password),
    db: Number(database),
    ...(protocol === "rediss:" ? { tls: {} } : {}),
  };
};

/**
 * Parses `redis://user:password@host:port/number`, the same with `rediss:` for TLS, or the path of a socket.
 * @returns undefined for any other text.
 */
export const readRedisAddress = (text: string): RedisAddress | undefined => {
  if (text.startsWith("/")) return { path: text };
  try {
    return readUrl(text);
  } catch {
    return undefined;
  }
};
