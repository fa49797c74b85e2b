import { execFileSync } from "node:child_process";
import { mkdtempSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { delimiter, dirname, join } from "node:path";
import { isRunnable } from "@tollgate/demo/is-runnable";
import { spawnServer } from "@tollgate/demo/spawn-server";

/** A sample of an answer to a query. */
export interface QueriedSample {
  metric: Readonly<Record<string, string>>;
  value: [time: number, value: string];
}

/** A Prometheus that scrapes one gateway every second. */
export interface PrometheusServer {
  /** Its whole log, one JSON object per line. */
  readonly log: string;
  /** The state of its scrapes. */
  targets(): Promise<{ health: string; lastError: string }[]>;
  /** @throws Error with its message for a refused query. */
  query(query: string): Promise<QueriedSample[]>;
  /** The rules it has loaded, and their evaluation errors. */
  rules(): Promise<{ name: string; lastError?: string }[]>;
  stop(): Promise<void>;
}

/** @throws Error that explains how to name a program. */
const findProgram = (): string => {
  const named = process.env.PROMETHEUS_PATH;
  if (named) return named;
  const folders = (process.env.PATH ?? "").split(delimiter).filter(Boolean);
  const found = folders.map((folder) => join(folder, "prometheus")).find(isRunnable);
  if (found === undefined)
    throw new Error(
      "No Prometheus found: install one (on Debian or Ubuntu: apt-get install prometheus), or name its program with PROMETHEUS_PATH",
    );
  return found;
};

/**
 * Checks a text with Prometheus' own tool.
 * @returns its findings; "" for none. @throws Error with its output where it refuses the text.
 */
export const promtool = (args: readonly string[], input = ""): string => {
  const program = join(dirname(findProgram()), "promtool");
  return execFileSync(program, args, { input, encoding: "utf8", stdio: ["pipe", "pipe", "pipe"] });
};

/**
 * Starts this machine's Prometheus on a free port, with rules and without anything of an earlier one.
 * @param target host and port. @param token presented at each scrape. @param rules a file.
 */
export const startPrometheus = async (
  target: string,
  token: string | undefined,
  rules: string,
): Promise<PrometheusServer> => {
  const folder = mkdtempSync(join(tmpdir(), "tollgate-prometheus-"));
  const authorization = token === undefined ? [] : [`    authorization: {credentials: "${token}"}`];
  const config = [
    "global: {scrape_interval: 1s, evaluation_interval: 1s}",
    `rule_files: ["${rules}"]`,
    "scrape_configs:",
    "  - job_name: tollgate",
    ...authorization,
    `    static_configs: [{targets: ["${target}"]}]`,
  ];
  writeFileSync(join(folder, "prometheus.yml"), `${config.join("\n")}\n`);
  let log = "";
  const stop = await spawnServer({
    name: "Prometheus",
    command: [
      findProgram(),
      "--config.file=prometheus.yml",
      "--storage.tsdb.path=data",
      "--web.listen-address=127.0.0.1:0",
      "--log.format=json",
    ],
    folder,
    says: "stderr",
    ready: /Server is ready to receive web requests/,
    hear: (text) => {
      log += text;
    },
  });
  const [, address] = /"address":"(127\.0\.0\.1:[1-9]\d*)"/.exec(log) ?? [];
  const ask = async (path: string): Promise<unknown> => {
    const answer = await fetch(`http://${address}/api/v1/${path}`);
    const { status, data, error } = (await answer.json()) as {
      status: string;
      data: unknown;
      error?: string;
    };
    if (status !== "success") throw new Error(`Prometheus refuses ${path}: ${error}`);
    return data;
  };
  return {
    get log() {
      return log;
    },
    async targets() {
      const data = (await ask("targets")) as { activeTargets: { health: string; lastError: string }[] };
      return data.activeTargets;
    },
    async query(query) {
      const data = (await ask(`query?query=${encodeURIComponent(query)}`)) as { result: QueriedSample[] };
      return data.result;
    },
    async rules() {
      const data = (await ask("rules")) as { groups: { rules: { name: string; lastError?: string }[] }[] };
      return data.groups.flatMap((group) => group.rules);
    },
    stop: () => stop(),
  };
};
