import { spawn } from "node:child_process";
import { existsSync, writeFileSync } from "node:fs";
import { createServer } from "node:net";
import { join } from "node:path";
import { setTimeout as wait } from "node:timers/promises";
import { createDataDir } from "@tollgate/testkit/server-process";
import { hasProgram, pin } from "../load/pin";
import { kill, killAtExit } from "../load/start-program";
import type { Target, TargetSettings } from "./target";

const START_TIMEOUT_MS = 10_000;

const findFreePort = (): Promise<number> =>
  new Promise((resolve) => {
    const server = createServer();
    server.listen(0, "127.0.0.1", () => {
      const address = server.address();
      server.close(() => resolve(typeof address === "object" && address ? address.port : 0));
    });
  });

const configure = (folder: string, port: number, upstreamUrl: string): string => `daemon off;
master_process off;
pid ${folder}/nginx.pid;
error_log ${folder}/error.log;
events { worker_connections 8192; }
http {
  access_log off;
  client_body_temp_path ${folder}/body;
  proxy_temp_path ${folder}/proxy;
  fastcgi_temp_path ${folder}/fastcgi;
  uwsgi_temp_path ${folder}/uwsgi;
  scgi_temp_path ${folder}/scgi;
  upstream fast { server ${new URL(upstreamUrl).host}; keepalive 512; }
  server {
    listen 127.0.0.1:${port} backlog=4096;
    keepalive_requests 100000000;
    location / {
      proxy_pass http://fast;
      proxy_http_version 1.1;
      proxy_set_header Connection "";
      proxy_buffering off;
    }
  }
}
`;

/**
 * A plain nginx proxy in one process: the minimum cost of passing bytes on. Undefined where it is not installed.
 * @throws Error when it does not start.
 */
export const startNginx = async ({ upstreamUrl, core }: TargetSettings): Promise<Target | undefined> => {
  if (!hasProgram("nginx")) return undefined;
  const folder = createDataDir();
  const port = await findFreePort();
  const config = join(folder, "nginx.conf");
  writeFileSync(config, configure(folder, port, upstreamUrl));
  const [command = "nginx", ...parameters] = [...pin(core), "nginx", "-c", config];
  const child = killAtExit(spawn(command, parameters, { stdio: ["ignore", "ignore", "inherit"] }));
  const givesUpAt = Date.now() + START_TIMEOUT_MS;
  // It writes this file when it listens.
  while (!existsSync(join(folder, "nginx.pid"))) {
    if (Date.now() > givesUpAt || child.exitCode !== null) throw new Error("nginx did not start");
    await wait(50);
  }
  return {
    name: "nginx proxy_pass",
    port,
    pids: [child.pid ?? 0],
    headers: {},
    stop: () => kill(child),
  };
};
