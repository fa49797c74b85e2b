import { existsSync } from "node:fs";
import { SourceRefused } from "./source-fault";

/** A server's address, taken apart. */
export interface ServerAddress {
  host: string;
  port: number | undefined;
  /** Where the server listens on this machine, in place of host and port. */
  socket: string | undefined;
  user: string;
  password: string;
  database: string;
  /** Whether the connection is encrypted; undefined for the engine's default. */
  tls: "on" | "unchecked" | undefined;
}

export type SourceAddress =
  | { engine: "sqlite"; path: string }
  | { engine: "postgres"; url: string; host: string; user: string; database: string }
  | ({ engine: "mysql" } & ServerAddress);

/** How one-api and new-api write the address of a MySQL server: `user:password@tcp(host:3306)/database?charset=utf8mb4`. */
const GO_ADDRESS = /^([^:@/]*)(?::(.*))?@(?:(tcp|unix)(?:\(([^()]*)\))?)?\/([^/?]+)(?:\?(.*))?$/s;

/** Its parameter `tls` (https://github.com/go-sql-driver/mysql#tls). */
const TLS: Readonly<Record<string, ServerAddress["tls"]>> = { true: "on", "skip-verify": "unchecked" };

const readHost = (text: string): { host: string; port: number | undefined } => {
  const [, bracketed, plain, port] = /^(?:\[([^\]]+)\]|([^:]*))(?::(\d{1,5}))?$/.exec(text) ?? [];
  const host = bracketed ?? plain;
  if (host === undefined) throw new SourceRefused({ code: "source-address-invalid" });
  return { host: host || "127.0.0.1", port: port === undefined ? undefined : Number(port) };
};

const readGoAddress = (text: string): SourceAddress => {
  const [, user = "", password = "", kind, place = "", database = "", query = ""] =
    GO_ADDRESS.exec(text) ?? [];
  if (database === "") throw new SourceRefused({ code: "source-address-invalid" });
  const socket = kind === "unix" ? place : undefined;
  return {
    engine: "mysql",
    ...(socket === undefined ? readHost(place) : { host: "localhost", port: undefined }),
    socket,
    user,
    password,
    database,
    tls: TLS[new URLSearchParams(query).get("tls") ?? ""],
  };
};

const decode = (part: string): string => {
  try {
    return decodeURIComponent(part);
  } catch {
    throw new SourceRefused({ code: "source-address-invalid" });
  }
};

const readUrl = (text: string): SourceAddress => {
  if (!URL.canParse(text)) throw new SourceRefused({ code: "source-address-invalid" });
  const url = new URL(text);
  const database = decode(url.pathname.slice(1));
  const [user, password] = [decode(url.username), decode(url.password)];
  const socket = url.searchParams.get("socket") ?? undefined;
  // PostgreSQL takes the folder of a socket as a host, which no address can hold otherwise.
  const host = url.searchParams.get("host") ?? url.hostname.replace(/^\[|\]$/g, "");
  if (/^postgres(?:ql)?:$/.test(url.protocol)) return { engine: "postgres", url: text, host, user, database };
  if (!/^(?:mysql|mariadb):$/.test(url.protocol) || database === "")
    throw new SourceRefused({ code: "source-address-invalid" });
  const port = url.port === "" ? undefined : Number(url.port);
  const tls = TLS[url.searchParams.get("tls") ?? ""];
  return { engine: "mysql", host: host || "127.0.0.1", port, socket, user, password, database, tls };
};

/**
 * Parses the address of another program's data: the path of an SQLite file, or an address as `SQL_DSN` of one-api and
 * new-api has it, or a URL (`mysql://…`, `postgres://…`).
 * @throws SourceRefused for an invalid address, which may contain a password and is not shown.
 */
export const readSourceAddress = (text: string): SourceAddress => {
  if (existsSync(text)) return { engine: "sqlite", path: text };
  if (/^(?:sqlite|file):/.test(text))
    return { engine: "sqlite", path: text.replace(/^(?:sqlite|file):(?:\/\/(?=\/))?/, "") };
  if (/^[a-z][a-z0-9+.-]*:\/\//i.test(text)) return readUrl(text);
  if (text.includes("@")) return readGoAddress(text);
  // PostgreSQL's other form, "host=… password=…": a file of that name would be told as missing, with the password.
  if (/\bpass(?:word|wd)?\s*=/i.test(text)) throw new SourceRefused({ code: "source-address-invalid" });
  return { engine: "sqlite", path: text };
};
