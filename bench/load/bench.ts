import { type ChildProcess, execFileSync, spawn } from "node:child_process";
import { once } from "node:events";
import { existsSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { addChannel, addToken } from "@tollgate/testkit/seed";
import { startServer } from "@tollgate/testkit/server-process";
import budgets from "../budgets.json" with { type: "json" };
import { cpuTicks, TICKS_PER_SECOND } from "./cpu-ticks";
import type { LoadOrder, LoadResult } from "./load-generator";

/*
 * CPU per request and added latency of the gateway with metering, ledger and logging on, beside a bare relay of the same
 * runtime and, where it is installed, nginx. Everything in one run, in alternating rounds; the ratios are what counts.
 * Needs Linux: CPU times come from /proc.
 */

const here = dirname(fileURLToPath(import.meta.url));
const isQuick = process.argv.includes("--quick");
const isWide = process.argv.includes("--wide");
const ROUNDS = isQuick ? 1 : 3;
const ROUND_MS = isQuick ? 1500 : 3000;
const WARM_UP_MS = isQuick ? 2000 : 8000;
const CONNECTIONS = isWide ? [1, 32, 256] : [1, 32];

interface Target {
  name: string;
  port: number;
  /** Process ids whose CPU counts. */
  pids: number[];
  headers: Record<string, string>;
}

interface Sample {
  cpuUs: number;
  p50Ms: number;
  p99Ms: number;
  perSecond: number;
}

const say = (line: string): void => {
  process.stdout.write(`${line}\n`);
};

const children: ChildProcess[] = [];
process.on("exit", () => {
  for (const child of children) child.kill("SIGKILL");
});

const hasProgram = (name: string): boolean => {
  try {
    execFileSync("which", [name], { stdio: "ignore" });
    return true;
  } catch {
    return false;
  }
};
const canPin = hasProgram("taskset");
const pin = (cpu: number): string[] => (canPin ? ["taskset", "-c", String(cpu)] : []);

/** Starts a program of the equipment and reads the port that it prints. */
const startProgram = async (
  name: string,
  cpu: number,
  env: Record<string, string>,
): Promise<{ child: ChildProcess; port: number }> => {
  const [command = "", ...parameters] = [...pin(cpu), process.execPath, join(here, `${name}.js`)];
  const child = spawn(command, parameters, {
    env: { ...process.env, ...env },
    stdio: ["pipe", "pipe", "inherit"],
  });
  children.push(child);
  const [line] = (await once(child.stdout as NodeJS.ReadableStream, "data")) as [Buffer];
  return { child, port: Number(line.toString()) };
};

const median = (values: number[]): number => {
  const sorted = [...values].sort((a, b) => a - b);
  return sorted[Math.floor(sorted.length / 2)] ?? 0;
};

const startNginx = async (folder: string, upstreamPort: number): Promise<Target | undefined> => {
  if (!hasProgram("nginx")) return undefined;
  const port = 20_000 + Math.floor(Math.random() * 20_000);
  const config = join(folder, "nginx.conf");
  writeFileSync(
    config,
    `daemon off; worker_processes 1; pid ${folder}/nginx.pid; error_log ${folder}/error.log;
events { worker_connections 2048; }
http { access_log off; client_body_temp_path ${folder}/body; proxy_temp_path ${folder}/proxy;
  fastcgi_temp_path ${folder}/f; uwsgi_temp_path ${folder}/u; scgi_temp_path ${folder}/s;
  upstream fast { server 127.0.0.1:${upstreamPort}; keepalive 512; }
  server { listen 127.0.0.1:${port}; keepalive_requests 100000000;
    location / { proxy_pass http://fast; proxy_http_version 1.1; proxy_set_header Connection ""; proxy_buffering off; } } }`,
  );
  const [command = "", ...parameters] = [...pin(0), "nginx", "-c", config];
  const child = spawn(command, parameters, { stdio: "ignore" });
  children.push(child);
  for (let i = 0; i < 50 && !existsSync(join(folder, "nginx.pid")); i += 1) {
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
  await new Promise((resolve) => setTimeout(resolve, 200));
  const workers = execFileSync("pgrep", ["-P", String(child.pid)])
    .toString()
    .trim()
    .split("\n")
    .map(Number);
  return { name: "nginx proxy_pass", port, pids: workers, headers: {} };
};

const body = (isStream: boolean): string =>
  JSON.stringify({
    model: "gpt-3.5-turbo",
    ...(isStream ? { stream: true } : {}),
    messages: [{ role: "user", content: "hello ".repeat(160) }],
  });

const folder = mkdtempSync(join(tmpdir(), "tollgate-bench-"));
const upstream = await startProgram("fast-upstream", 1, {});
const upstreamUrl = `http://127.0.0.1:${upstream.port}`;

const server = await startServer({
  dataDir: folder,
  main: join(here, "..", "server", "main.js"),
  prefix: pin(0),
});
const root = await server.signIn();
await addChannel(root, { base_url: upstreamUrl });
const token = await addToken(root, { remain_quota: 90_000_000 });
// Enough for every request of a long run.
await root.api("PUT", "/api/user/", { id: 1, quota: 1_000_000_000_000 });
await root.api("PUT", "/api/token/", { id: token.id, remain_quota: 900_000_000_000 });

const bare = await startProgram("bare-relay", 0, { UPSTREAM: upstreamUrl, KEY: token.key });
const headers = { authorization: `Bearer sk-${token.key}` };
const targets: Target[] = [
  { name: "bare relay", port: bare.port, pids: [bare.child.pid ?? 0], headers },
  { name: "Tollgate", port: Number(new URL(server.url).port), pids: [server.pid], headers },
];
const nginx = await startNginx(folder, upstream.port);
if (nginx) targets.push(nginx);

const [loadCommand = "", ...loadParameters] = [...pin(1), process.execPath, join(here, "load-generator.js")];
const load = spawn(loadCommand, loadParameters, { stdio: ["pipe", "pipe", "inherit"] });
children.push(load);

const run = async (
  target: Target,
  isStream: boolean,
  connections: number,
  durationMs: number,
): Promise<Sample> => {
  const order: LoadOrder = {
    port: target.port,
    path: "/v1/chat/completions",
    headers: target.headers,
    body: body(isStream),
    connections,
    durationMs,
  };
  const before = cpuTicks(target.pids);
  const startedAt = performance.now();
  load.stdin.write(`${JSON.stringify(order)}\n`);
  const [line] = (await once(load.stdout, "data")) as [Buffer];
  const seconds = (performance.now() - startedAt) / 1000;
  const result = JSON.parse(line.toString()) as LoadResult;
  if (result.errors > 0 || result.requests === 0) {
    throw new Error(`${target.name}: ${result.errors} of ${result.requests} requests failed`);
  }
  const cpuSeconds = (cpuTicks(target.pids) - before) / TICKS_PER_SECOND;
  return {
    cpuUs: (cpuSeconds * 1e6) / result.requests,
    p50Ms: result.p50Ms,
    p99Ms: result.p99Ms,
    perSecond: result.requests / seconds,
  };
};

say(
  `Node ${process.version}, ${ROUNDS} rounds of ${ROUND_MS / 1000} s, medians.${canPin ? " Relay on one core, load and upstream on another." : ""}`,
);
for (const target of targets) {
  for (const isStream of [false, true]) await run(target, isStream, 32, WARM_UP_MS / 2);
}

const verdicts: string[] = [];
for (const isStream of [false, true]) {
  for (const connections of CONNECTIONS) {
    const samples = new Map<string, Sample[]>(targets.map((target) => [target.name, []]));
    for (let round = 0; round < ROUNDS; round += 1) {
      for (const target of targets) {
        samples.get(target.name)?.push(await run(target, isStream, connections, ROUND_MS));
      }
    }
    const of = (name: string): Sample => {
      const rounds = samples.get(name) ?? [];
      return {
        cpuUs: median(rounds.map((sample) => sample.cpuUs)),
        p50Ms: median(rounds.map((sample) => sample.p50Ms)),
        p99Ms: median(rounds.map((sample) => sample.p99Ms)),
        perSecond: median(rounds.map((sample) => sample.perSecond)),
      };
    };
    const base = of("bare relay");
    say(
      `\n${isStream ? "SSE, 50 events" : "JSON, 1 KB"}, ${connections} connection${connections === 1 ? "" : "s"}`,
    );
    say("  relay              CPU/request   ratio    p50 ms   added     p99 ms   req/s");
    for (const { name } of targets) {
      const { cpuUs, p50Ms, p99Ms, perSecond } = of(name);
      say(
        `  ${name.padEnd(18)} ${cpuUs.toFixed(0).padStart(8)} µs ${(cpuUs / base.cpuUs).toFixed(2).padStart(7)} ${p50Ms.toFixed(2).padStart(9)} ${(p50Ms - base.p50Ms).toFixed(2).padStart(7)} ${p99Ms.toFixed(2).padStart(10)} ${perSecond.toFixed(0).padStart(7)}`,
      );
    }
    if (connections === 32) {
      const ratio = of("Tollgate").cpuUs / base.cpuUs;
      const bar = budgets.cpuPerRequestRatio;
      verdicts.push(
        `${isStream ? "SSE" : "JSON"}: ${ratio.toFixed(2)} × the bare relay's CPU; the bar is ${bar}: ${ratio <= bar ? "holds" : "DOES NOT HOLD"}`,
      );
    }
  }
}
say(`\n${verdicts.join("\n")}`);
await server.stop();
for (const child of children) child.kill();
rmSync(folder, { recursive: true, force: true });
process.exit(0);
