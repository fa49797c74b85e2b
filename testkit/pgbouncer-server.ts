import { chownSync, mkdirSync, mkdtempSync, readFileSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { findOwner } from "@tollgate/demo/postgres-server";
import { type StopServer, spawnServer } from "@tollgate/demo/spawn-server";

export type Pooling = "session" | "transaction";

/** A pooler in front of a PostgreSQL server, reached by a socket that only this user of the machine opens. */
export interface Pgbouncer {
  /** The address of a database behind it. */
  address(database?: string): string;
  /** Cuts all connections, of clients and to the server. */
  stop(): Promise<void>;
  /** Starts it again under the same address. */
  start(): Promise<void>;
}

/** A port that names its socket; nothing listens on the network. */
const PORT = 6432;

/** Debian's path. */
const USUAL = "/usr/sbin/pgbouncer";

const GUIDE = fileURLToPath(new URL("../docs/guides/several-nodes.md", import.meta.url));

/** The guide's settings of addresses and access: a test has its own. */
const OF_PLACE = new Set(["listen_addr", "listen_port", "auth_type", "auth_file"]);

/** The settings under `[pgbouncer]` that the guide gives, by their names. */
const guideSettings = (): Map<string, string> => {
  const block = /```ini\n[^`]*\[pgbouncer\]\n([^`]*)```/.exec(readFileSync(GUIDE, "utf8"))?.[1];
  if (block === undefined) throw new Error("the guide gives no settings of PgBouncer");
  const lines = [...block.matchAll(/^(\w+) = (.*)$/gm)];
  return new Map(lines.flatMap(([, name = "", value = ""]) => (OF_PLACE.has(name) ? [] : [[name, value]])));
};

/**
 * Starts this machine's PgBouncer with the settings of the guide: the program in PGBOUNCER_PATH, else Debian's.
 * @param server the address of the PostgreSQL server behind it. @param more settings that differ from the guide's.
 * @throws Error that names the missing program.
 */
export const startPgbouncer = async (
  server: string,
  pooling: Pooling,
  more: Readonly<Record<string, string>> = {},
): Promise<Pgbouncer> => {
  const { username, searchParams } = new URL(server);
  const folder = mkdtempSync(join(tmpdir(), "tollgate-bouncer-"));
  const owner = findOwner();
  const settings = new Map([
    ...guideSettings(),
    ["pool_mode", pooling],
    ["unix_socket_dir", folder],
    ["listen_port", String(PORT)],
    ["auth_type", "any"],
    ...Object.entries(more),
  ]);
  const lines = [...settings].map(([name, value]) => `${name} = ${value}`);
  const database = `* = host=${searchParams.get("host")} user=${username}`;
  const text = ["[databases]", database, "[pgbouncer]", ...lines, ""].join("\n");
  const file = join(folder, "pgbouncer.ini");
  const start = async (): Promise<StopServer> => {
    mkdirSync(folder, { recursive: true });
    writeFileSync(file, text);
    if (owner) for (const path of [folder, file]) chownSync(path, owner.uid, owner.gid);
    return spawnServer({
      name: "PgBouncer",
      command: [process.env.PGBOUNCER_PATH || USUAL, file],
      folder,
      says: "stderr",
      ready: /process up/,
      owner,
    });
  };
  let stop = await start();
  return {
    address: (name = "postgres") =>
      `postgres://${username}@localhost:${PORT}/${name}?host=${encodeURIComponent(folder)}`,
    stop: () => stop("KILL"),
    async start() {
      stop = await start();
    },
  };
};
