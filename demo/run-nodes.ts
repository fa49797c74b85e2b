import { randomBytes } from "node:crypto";
import { chmodSync, existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { delimiter, join, resolve } from "node:path";
import { startBalancer } from "./balancer";
import { isRunnable } from "./is-runnable";
import { MAIN, makeWorld } from "./make-world";
import { startPostgresIn } from "./postgres-server";
import { startRedisIn } from "./redis-server";
import { startSimulatedUpstream } from "./simulated-upstream";
import { spawnServer } from "./spawn-server";
import { DEMO_LOGINS, DEMO_PASSWORD, DEMO_ROOT_PASSWORD } from "./world";

/*
 * Starts the set-up of docs/guides/several-nodes.md on this machine alone: PostgreSQL, Redis, three nodes, and nginx or
 * Caddy in front of them, else a small balancer. Everything ends with this process.
 */

const NODES = 3;
const PORT = Number(process.env.PORT ?? 3000);
/** The channels keep the upstream's address, so it must be the same at every start. */
const UPSTREAM_PORT = Number(process.env.DEMO_UPSTREAM_PORT ?? 3999);

/** PostgreSQL does not run as root: then another user must be able to reach its data. */
const DEFAULT_FOLDER = process.getuid?.() === 0 ? "/var/tmp/tollgate-demo-nodes" : "data/demo-nodes";
const folder = resolve(process.env.DATA_DIR ?? DEFAULT_FOLDER);

const print = (line: string): void => {
  process.stdout.write(`${line}\n`);
};

/** Started servers, to be stopped in reverse order. */
const started: (() => Promise<unknown>)[] = [];
let isStopping = false;
const stopAll = async (): Promise<void> => {
  if (isStopping) return;
  isStopping = true;
  for (const stop of started.reverse()) await stop();
};

/** A folder for sockets and a server's temporary files; deleted with the server. */
const passingFolder = (): string => mkdtempSync(join(tmpdir(), "tollgate-demo-"));

const masterKey = (): string => {
  const path = join(folder, "master.key");
  if (!existsSync(path)) writeFileSync(path, randomBytes(32).toString("base64"), { mode: 0o600 });
  return readFileSync(path, "utf8");
};

const startNode = async (number: number, shared: Readonly<Record<string, string>>): Promise<string> => {
  const name = `node-${number}`;
  const stop = await spawnServer({
    name,
    command: [process.execPath, MAIN],
    folder: passingFolder(),
    env: { ...shared, NODE_NAME: name, PORT: String(PORT + number), DATA_DIR: join(folder, name) },
    log: join(folder, `${name}.log`),
    says: "stdout",
    ready: /ready at/,
  });
  started.push(stop);
  return `127.0.0.1:${PORT + number}`;
};

const findProgram = (name: string): string | undefined =>
  [...(process.env.PATH ?? "").split(delimiter).filter(Boolean), "/usr/sbin", "/usr/local/sbin"]
    .map((path) => join(path, name))
    .find(isRunnable);

/** The same as in the guide, without a certificate. */
const nginxSettings = (nodes: readonly string[], own: string): string => `
${process.getuid?.() === 0 ? "user root;" : ""}
daemon off;
pid ${own}/nginx.pid;
error_log stderr notice;
events {}
http {
  access_log off;
  client_body_temp_path ${own}/body;
  proxy_temp_path ${own}/proxy;
  fastcgi_temp_path ${own}/fastcgi;
  uwsgi_temp_path ${own}/uwsgi;
  scgi_temp_path ${own}/scgi;
  upstream tollgate {
    least_conn;
    ${nodes.map((node) => `server ${node} max_fails=1 fail_timeout=5s;`).join("\n    ")}
    keepalive 64;
  }
  server {
    listen 127.0.0.1:${PORT};
    client_max_body_size 0;
    location / {
      proxy_pass http://tollgate;
      proxy_http_version 1.1;
      proxy_set_header Connection "";
      proxy_set_header Host $http_host;
      proxy_set_header X-Forwarded-For $remote_addr;
      proxy_set_header X-Forwarded-Proto $scheme;
      proxy_buffering off;
      proxy_request_buffering off;
      proxy_connect_timeout 2s;
      proxy_read_timeout 600s;
      proxy_next_upstream error timeout;
    }
  }
}
`;

/** The same as in the guide, without a certificate. */
const caddySettings = (nodes: readonly string[]): string => `
{
  admin off
  auto_https off
}
http://:${PORT} {
  bind 127.0.0.1
  reverse_proxy ${nodes.join(" ")} {
    lb_policy least_conn
    lb_try_duration 2s
    health_uri /readyz
    health_interval 1s
    health_timeout 1s
    flush_interval -1
  }
}
`;

/** @returns the name of the proxy in front of the nodes. */
const startBefore = async (nodes: readonly string[]): Promise<string> => {
  const own = passingFolder();
  const caddy = findProgram("caddy");
  const nginx = findProgram("nginx");
  if (caddy !== undefined) {
    const file = join(own, "Caddyfile");
    writeFileSync(file, caddySettings(nodes));
    const env = { XDG_DATA_HOME: own, XDG_CONFIG_HOME: own };
    const command = [caddy, "run", "--config", file, "--adapter", "caddyfile"];
    const ready = /serving initial configuration/;
    started.push(await spawnServer({ name: "Caddy", command, folder: own, env, says: "stderr", ready }));
    return "Caddy";
  }
  if (nginx !== undefined) {
    const file = join(own, "nginx.conf");
    writeFileSync(file, nginxSettings(nodes, own));
    const command = [nginx, "-p", own, "-e", "stderr", "-c", file];
    const ready = /start worker process/;
    started.push(await spawnServer({ name: "nginx", command, folder: own, says: "stderr", ready }));
    return "nginx";
  }
  rmSync(own, { recursive: true });
  const balancer = await startBalancer(
    nodes.map((node) => `http://${node}`),
    PORT,
  );
  started.push(balancer.close);
  return "a small balancer";
};

const start = async (): Promise<void> => {
  mkdirSync(folder, { recursive: true });
  // Others of this machine may pass to PostgreSQL's folder, and see nothing on the way.
  chmodSync(folder, 0o711);
  const upstream = await startSimulatedUpstream(UPSTREAM_PORT);
  started.push(() => upstream.close());
  const postgres = await startPostgresIn({
    data: join(folder, "postgres"),
    folder: passingFolder(),
    settings: { max_connections: "150" },
  });
  started.push(() => postgres.stop());
  const redis = await startRedisIn(passingFolder());
  started.push(redis.stop);

  const shared = {
    HOST: "127.0.0.1",
    DATABASE_URL: postgres.address(),
    REDIS_URL: redis.address,
    MASTER_KEY: masterKey(),
  };
  const made = join(folder, "world-is-made");
  if (!existsSync(made)) {
    print("Making the demo's world …");
    await makeWorld(join(folder, "world"), upstream, `http://127.0.0.1:${PORT}`, shared);
    writeFileSync(made, "");
  }
  // The public default password does not work through a proxy.
  const env = {
    ...shared,
    TRUSTED_PROXIES: "127.0.0.1",
    INITIAL_ROOT_PASSWORD: DEMO_ROOT_PASSWORD,
    // All nodes stop together: there is no other node for new requests.
    LEAVE_DELAY_MS: "0",
  };
  const nodes = await Promise.all(Array.from({ length: NODES }, (_, index) => startNode(index + 1, env)));
  const before = await startBefore(nodes);
  const url = `http://127.0.0.1:${PORT}`;
  print(`${url}  ${before}, before ${NODES} nodes: ${nodes.map((node) => `http://${node}`).join(", ")}`);
  print(`DATABASE_URL=${shared.DATABASE_URL}`);
  print(`REDIS_URL=${shared.REDIS_URL}`);
  print(`Data and logs: ${folder}`);
  print(
    `Everything behind the channels is simulated, and so is the cashier: no money is moved. Sign in as root / ${DEMO_ROOT_PASSWORD}, or as ${DEMO_LOGINS.join(", ")} / ${DEMO_PASSWORD}.`,
  );
};

const ended = new Promise<void>((resolveEnd) => {
  for (const signal of ["SIGINT", "SIGTERM"] as const) process.on(signal, () => resolveEnd());
});
let code = 0;
try {
  await Promise.race([start(), ended]);
  await ended;
} catch (error) {
  process.stderr.write(`${error instanceof Error ? error.message : error}\n`);
  code = 1;
}
await stopAll();
process.exit(code);
