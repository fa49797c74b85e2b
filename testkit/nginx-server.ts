import { mkdtempSync, readFileSync, writeFileSync } from "node:fs";
import { createServer } from "node:net";
import { tmpdir } from "node:os";
import { delimiter, join } from "node:path";
import { isRunnable } from "@tollgate/demo/is-runnable";
import { spawnServer } from "@tollgate/demo/spawn-server";

/** An nginx before one gateway. */
export interface NginxServer {
  /** Base address, without a slash at the end. */
  readonly url: string;
  stop(): Promise<void>;
}

/** @throws Error that explains how to name a program. */
const findProgram = (): string => {
  const named = process.env.NGINX_PATH;
  if (named) return named;
  const folders = [
    ...(process.env.PATH ?? "").split(delimiter).filter(Boolean),
    "/usr/sbin",
    "/usr/local/sbin",
  ];
  const found = folders.map((folder) => join(folder, "nginx")).find(isRunnable);
  if (found === undefined)
    throw new Error(
      "No nginx found: install one (on Debian or Ubuntu: apt-get install nginx), or name its program with NGINX_PATH",
    );
  return found;
};

const findFreePort = (): Promise<number> =>
  new Promise((resolve) => {
    const server = createServer();
    server.listen(0, "127.0.0.1", () => {
      const address = server.address();
      server.close(() => resolve(typeof address === "object" && address ? address.port : 0));
    });
  });

/** The settings for nginx of the guide to several nodes. @throws Error where the guide has none. */
const guideSettings = (): string => {
  const guide = readFileSync(new URL("../docs/guides/several-nodes.md", import.meta.url), "utf8");
  const [, settings] = /```nginx\n([\s\S]*?)```/.exec(guide) ?? [];
  if (settings === undefined) throw new Error("the guide has no settings for nginx");
  return settings;
};

/**
 * Starts this machine's nginx as in the guide to several nodes, in front of one node.
 * @param node address of the gateway. @throws Error that names the missing program.
 */
export const startNginx = async (node: string): Promise<NginxServer> => {
  const folder = mkdtempSync(join(tmpdir(), "tollgate-nginx-"));
  const port = await findFreePort();
  const settings = guideSettings()
    .replace(
      /( *server) 127\.0\.0\.1:3001([^\n]*)\n(?: *server 127\.0\.0\.1:\d+[^\n]*\n)*/,
      `$1 ${new URL(node).host}$2\n`,
    )
    .replace(/listen [^;]*/, `listen 127.0.0.1:${port}`)
    .replaceAll("/var/log/nginx", folder);
  const temporary = ["client_body", "proxy", "fastcgi", "uwsgi", "scgi"].map(
    (kind) => `  ${kind}_temp_path ${folder}/${kind};`,
  );
  const file = join(folder, "nginx.conf");
  writeFileSync(
    file,
    `${process.getuid?.() === 0 ? "user root;" : ""}
daemon off;
pid ${folder}/nginx.pid;
error_log stderr notice;
events {}
http {
${temporary.join("\n")}
${settings}}
`,
  );
  const command = [findProgram(), "-p", folder, "-e", "stderr", "-c", file];
  const stop = await spawnServer({
    name: "nginx",
    command,
    folder,
    says: "stderr",
    ready: /start worker process/,
  });
  return { url: `http://127.0.0.1:${port}`, stop };
};
