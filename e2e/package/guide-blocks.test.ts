import { createHmac } from "node:crypto";
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { channelsBodySchema } from "@tollgate/contract/api/channel-batches";
import { parseBuyingRules } from "@tollgate/contract/management/buying-price";
import { parseChannelCalendar } from "@tollgate/contract/management/channel-calendar";
import { parseErrorRules } from "@tollgate/contract/management/error-rules";
import { parseModelFallbacks } from "@tollgate/contract/management/model-fallbacks";
import { PRODUCT_VERSION } from "@tollgate/contract/version";
import { createDataDir, type ServerProcess, startServer } from "@tollgate/testkit/server-process";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { parse } from "yaml";
import { runTollgate } from "../run-tollgate";
import { type GuideBlock, readOperatorBlocks } from "./guide-blocks";
import { createGuideShell, type GuideShell, type ProgramCall } from "./guide-shell";

/*
 * The code blocks of the guides for operators and of the READMEs. Shell runs in a real shell, in which the calls of
 * programs are written down and held against the product: its commands with their options, its variables, its addresses.
 * Blocks that one machine can run by itself are run. Each other block is read by the product's own reader.
 */

const BLOCKS = readOperatorBlocks();
const SHELL = BLOCKS.filter(({ language }) => language === "sh");
const TEXTS = BLOCKS.filter(({ language }) => language !== "sh");

/** Programs besides the product, and the reason why only their calls are read. */
const OTHER_PROGRAMS = {
  docker: "needs an engine for containers",
  kubectl: "needs a cluster",
  helm: "needs a cluster; tools/helm-chart.test.ts renders the chart",
  systemctl: "needs systemd",
  "systemd-run": "needs systemd",
  journalctl: "needs systemd",
  sudo: "changes the machine",
  install: "changes the machine",
  cp: "changes the machine",
  prometheus: "e2e runs it with the same files (prometheus.test.ts)",
  pg_dump: "needs the database of the guide",
  pg_restore: "needs the database of the guide",
  openssl: "makes secrets",
} as const;

const PROGRAMS = [...Object.keys(OTHER_PROGRAMS), "tollgate", "npx", "npm", "curl"];

/** The declarations of the variables that the gateway reads. */
const VARIABLES = ["server/config.ts", "server/tracing/tracing-settings.ts"]
  .map((file) => readFileSync(file, "utf8"))
  .join();

/** Variables of other programs than the gateway. */
const OTHER_VARIABLES = new Set([
  ...["COMPOSE_FILE", "POSTGRES_PASSWORD"],
  // Read by the settings of the several nodes' command line alone.
  "NEW_MASTER_KEY",
]);

let scratch: string;
let shell: GuideShell;
let server: ServerProcess;

beforeAll(async () => {
  scratch = mkdtempSync(join(tmpdir(), "tollgate-blocks-"));
  shell = createGuideShell(scratch, PROGRAMS);
  server = await startServer();
});

afterAll(async () => {
  await server?.stop();
  rmSync(scratch, { recursive: true, force: true });
});

const nameOf = ({ guide, line }: GuideBlock): string => `${guide}:${line}`;

const helps = new Map<string, Promise<string>>();
const helpOf = (command: string): Promise<string> => {
  const known =
    helps.get(command) ?? runTollgate([...command.split(" "), "--help"], {}).then((ran) => ran.stdout);
  helps.set(command, known);
  return known;
};

/** Commands that have commands below them. */
const GROUPS = ["user", "key", "channel", "prices"];

/** @throws Error when the command line has no such command, option or number of words */
const checkCommand = async (words: readonly string[]): Promise<void> => {
  const said = words.join(" ");
  if (words.length === 0 || said === "--version" || said === "help") return;
  const depth = GROUPS.includes(words[0] ?? "") ? 2 : 1;
  const command = words.slice(0, depth).join(" ");
  const help = await helpOf(command);
  const usage = /^Usage: tollgate (.*)$/m.exec(help)?.[1] ?? "";
  if (!`${usage} `.startsWith(`${command} `)) throw new Error(`there is no command ${command}`);
  const needed = [...usage.matchAll(/<[^>]+>/g)].length;
  const rest = words.slice(depth);
  let given = 0;
  for (let at = 0; at < rest.length; at += 1) {
    const word = rest[at] ?? "";
    if (!word.startsWith("--")) {
      given += 1;
      continue;
    }
    const option = new RegExp(`^ +(?:-\\w, )?${word}(?: (<|\\[))?`, "m").exec(`${help}\n  --json\n`);
    if (!option) throw new Error(`${command} has no option ${word}`);
    if (option[1]) at += 1;
  }
  if (given !== needed) throw new Error(`${said} has ${given} words, and ${command} takes ${needed}`);
};

const SCRIPTS = (JSON.parse(readFileSync("package.json", "utf8")) as { scripts: Record<string, string> })
  .scripts;

const checkNpm = async (words: readonly string[]): Promise<void> => {
  const [first = "", name = ""] = words;
  if (first === "init") return;
  if (first === "install") return checkArchive(words.at(-1) ?? "");
  const script = SCRIPTS[first === "run" ? name : first];
  if (script === undefined) throw new Error(`there is no script ${name || first}`);
  const command = /tools\/tollgate\.mjs ?(.*)$/.exec(script)?.[1];
  if (command === undefined) return;
  const behind = words.indexOf("--");
  const own = behind < 0 ? [] : words.slice(behind + 1);
  await checkCommand([...(command === "" ? [] : [command]), ...own]);
};

const checkArchive = (path: string): void => {
  if (!path.endsWith(`tollgate-${PRODUCT_VERSION}.tgz`)) throw new Error(`${path} is of another version`);
};

/** The answers of addresses to a caller without a key that is valid. */
const checkAddress = async (words: readonly string[]): Promise<void> => {
  const address = words.find((word) => /^https?:/.test(word)) ?? "";
  const { host, pathname } = new URL(address);
  // The gateway of before, and Prometheus.
  if (host !== "127.0.0.1:3000") return;
  const data = words[words.indexOf("-d") + 1];
  const answer = await fetch(server.url + pathname, {
    ...(words.includes("-d") ? { method: "POST", body: data } : {}),
    headers: { authorization: "Bearer sk-...", "content-type": "application/json" },
  });
  // The console answers addresses that it does not know with its own page.
  if (/html/.test(answer.headers.get("content-type") ?? "")) throw new Error(`${pathname} is not served`);
  await answer.text();
  const expected = pathname.startsWith("/v1") ? 401 : 200;
  if (answer.status !== expected) throw new Error(`${pathname} was answered ${answer.status}`);
  if (data !== undefined && words.includes("-d")) JSON.parse(data);
};

const checkCall = async ({ words, variables }: ProgramCall): Promise<void> => {
  const [program = "", ...own] = words;
  for (const variable of variables)
    if (!OTHER_VARIABLES.has(variable) && !VARIABLES.includes(variable))
      throw new Error(`the gateway reads no ${variable}`);
  if (program === "tollgate") return checkCommand(own);
  if (program === "npm") return checkNpm(own);
  if (program === "curl") return checkAddress(own);
  if (program === "npx") {
    const [first = "", ...behind] = own.filter((word) => word !== "--yes");
    if (first !== "tollgate") checkArchive(first);
    return checkCommand(behind);
  }
  // Within a container, `gateway` is the service, and its entry point the command.
  const within = own.indexOf("gateway");
  if (program === "docker" && within > 0 && own[1] !== "logs")
    return checkCommand(own.slice(within + 1).filter((word) => word !== "tollgate"));
};

describe("the shell of the guides for operators", () => {
  it("is most of their blocks", () => {
    expect(SHELL.length).toBeGreaterThan(50);
  });

  it.each(SHELL.map((block) => [nameOf(block), block] as const))(
    "calls only existing addresses: %s",
    async (_name, { guide, code }) => {
      const { status, output, calls } = await shell.record(guide, code);
      expect(output).not.toMatch(/command not found/);
      expect(status).toBe(0);
      expect(calls.length + Number(/\b(umask|echo)\b/.test(code))).toBeGreaterThan(0);
      for (const call of calls) await checkCall(call);
    },
  );

  it("is found out when it calls a missing address", async () => {
    for (const code of [
      "tollgate backups /a.tar",
      "npx tollgate backup",
      "npx tollgate apply a.yaml --forced",
      "npm run promotes -- --to x",
      "npx --yes ./tollgate-0.0.1.tgz start",
      "curl http://127.0.0.1:3000/ready",
      "DATA_DIRECTORY=x tollgate start",
      "docker compose exec gateway tollgate doctors",
    ]) {
      const { calls } = await shell.record("none", code);
      const checked = Promise.all(calls.map(checkCall));
      await expect(checked, code).rejects.toThrow();
    }
    expect((await shell.record("none", "tollgates start")).status).not.toBe(0);
  });
});

/** The blocks of a guide whose text begins so, as one machine runs them. */
const blocksOf = (guide: string, ...begins: readonly string[]): string[] =>
  begins.map((begin) => {
    const found = SHELL.find(
      (block) => block.guide === `docs/guides/${guide}.md` && block.code.startsWith(begin),
    );
    if (!found) throw new Error(`${guide} has no block that begins with ${begin}`);
    return found.code;
  });

describe("commands that run on one machine", () => {
  it("backs up, restores, checks and starts, as the guides for backups and upgrades say", async () => {
    const folder = createDataDir();
    const first = await startServer({ dataDir: folder });
    await first.stop();
    const place = (code: string): string =>
      code.replaceAll("/safe/place", scratch).replaceAll("/new/folder", join(scratch, "restored"));
    for (const code of [
      ...blocksOf("install", "npx tollgate doctor"),
      ...blocksOf("backup-and-restore", "npx tollgate backup /safe", "DATA_DIR=/new/folder"),
      ...blocksOf("upgrade", "npx tollgate backup", "DATA_DIR=./data-of-before"),
    ]) {
      const { status, output } = await shell.run(place(code), { DATA_DIR: folder, PORT: "0" });
      expect(output, code).not.toBe("");
      expect([status, output.slice(-500)], code).toEqual([0, expect.any(String)]);
    }
  });

  it("exports and applies a configuration while the gateway runs, and proves the monitored metrics", async () => {
    const local = (code: string): string => code.replaceAll("http://127.0.0.1:3000", server.url);
    for (const code of [
      ...blocksOf("configuration-as-a-file", "tollgate export"),
      // Asked in a terminal, which a test has not.
      ...blocksOf("configuration-as-a-file", "tollgate apply").map((text) =>
        text.replace(/^tollgate apply gateway.yaml {2,}.*$/m, ""),
      ),
      ...blocksOf("monitor", "curl -s http://127.0.0.1:3000/metrics"),
    ]) {
      const { status, output } = await shell.run(local(code), { DATA_DIR: server.dataDir });
      expect([status, output.slice(-500)], code).toEqual([0, expect.any(String)]);
    }
  });
});

/** The values that a webhook's block shows, signed with the secret. */
const checkWebhook = (code: string): void => {
  const body = '{"type":"test"}';
  const key = "secret";
  const time = String(Math.floor(Date.now() / 1000));
  const signature = createHmac("sha256", key).update(`msg_1.${time}.${body}`).digest("base64");
  const headers = {
    "webhook-id": "msg_1",
    "webhook-timestamp": time,
    "webhook-signature": `v1,${signature}`,
  };
  const source = code.replace(/^import .*$/m, "const { createHmac, timingSafeEqual } = crypto;");
  const make = new Function("crypto", "Buffer", `${source}\nreturn isGenuine;`) as (
    ...tools: unknown[]
  ) => (headers: object, body: string, secret: string) => boolean;
  const isGenuine = make(process.getBuiltinModule("node:crypto"), Buffer);
  expect(isGenuine(headers, body, key)).toBe(true);
  expect(isGenuine(headers, `${body} `, key)).toBe(false);
};

const parseJsonLines = (code: string): unknown[] =>
  code
    .split("\n")
    .filter((line) => line.startsWith("{"))
    .map((line) => JSON.parse(line) as unknown);

const TESTED_ELSEWHERE = (test: string) => (): void => {
  expect(readFileSync(test, "utf8")).toContain("guide");
};
const OUTPUT = (): void => undefined;

/** How each block is read that is no shell: by the beginning of its place and of its text. */
const READERS: readonly (readonly [guide: string, begin: string, read: (code: string) => unknown])[] = [
  ["backup-and-restore", "Wrote", OUTPUT],
  ["backup-and-restore", "15 3 * * *", (code) => expect(code).toMatch(/npx tollgate backup \S+/)],
  ["behind-a-proxy", "log_format", TESTED_ELSEWHERE("e2e/api/relay/idle-connections.test.ts")],
  ["behind-a-proxy", "{\n  log", TESTED_ELSEWHERE("tools/deployment.test.ts")],
  [
    "channels",
    "POST /api/channel/batch",
    (code) => {
      const bodies = parseJsonLines(code);
      expect(bodies).toHaveLength(2);
      for (const body of bodies) channelsBodySchema.parse(body);
    },
  ],
  ["channels", "{", (code) => expect(parseChannelCalendar(code)).toBeDefined()],
  ["configuration-as-a-file", "version: 1", (code) => expect(parse(code)).toMatchObject({ version: 1 })],
  ["configuration-as-a-file", "~ option", OUTPUT],
  ["error-rules", "[", (code) => expect(parseErrorRules(code)).toHaveLength(2)],
  ["fallback-models", "{", (code) => expect(parseModelFallbacks(code)).toBeInstanceOf(Map)],
  ["move-to-postgresql", "logs: 261", OUTPUT],
  ["notices", "POST /your/path", (code) => expect(parseJsonLines(code)).toHaveLength(1)],
  ["notices", "import { createHmac", checkWebhook],
  ["notices", "notices.raise", (code) => expect(code).toMatch(/notices\.raise\(.*\n.*notices\.resolve\(/)],
  ["profit", "{", (code) => expect(parseBuyingRules(code)).not.toHaveProperty("fault")],
  ["several-nodes", "upstream tollgate", TESTED_ELSEWHERE("testkit/nginx-server.ts")],
  ["several-nodes", "{\n  log", TESTED_ELSEWHERE("tools/deployment.test.ts")],
  ["several-nodes", "[databases]", TESTED_ELSEWHERE("testkit/pgbouncer-server.ts")],
  // The official SDKs are run against the gateway in e2e/sdk/.
  ["README", "from openai", (code) => expect(code).toMatch(/base_url="http:\/\/127.0.0.1:3000\/v1"/)],
  ["README", "import Anthropic", (code) => expect(code).toMatch(/baseURL: "http:\/\/127.0.0.1:3000"/)],
];

describe("the other blocks of the guides for operators", () => {
  it.each(TEXTS.map((block) => [nameOf(block), block] as const))("are read: %s", (_name, { guide, code }) => {
    const readers = READERS.filter(
      ([name, begin]) => guide.includes(name) && code.trimStart().startsWith(begin),
    );
    expect(readers.length).toBeGreaterThan(0);
    readers[0]?.[2](code);
  });

  it("have a reader each, and no reader too many", () => {
    const unused = READERS.filter(
      ([name, begin]) =>
        !TEXTS.some(({ guide, code }) => guide.includes(name) && code.trimStart().startsWith(begin)),
    );
    expect(unused).toEqual([]);
  });
});
