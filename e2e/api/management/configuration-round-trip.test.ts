import { readFileSync } from "node:fs";
import { join } from "node:path";
import { isSecretOption } from "@tollgate/contract/options/option-rights";
import { OPTION_KEYS } from "@tollgate/contract/options/options";
import type { SignedIn } from "@tollgate/demo/api-client";
import { otherValueOf } from "@tollgate/testkit/option-values";
import { createRandom } from "@tollgate/testkit/random";
import { createDataDir, type ServerProcess, startServer } from "@tollgate/testkit/server-process";
import { afterAll, beforeAll, expect, it } from "vitest";
import { runTollgate } from "../../run-tollgate";

/*
 * apply(export(x)) has nothing to do, for every state x that the API accepts: states are generated and sent to the API, which decides
 * what it accepts.
 */

const CHANNELS = 200;
const OTHERS = 40;

let dataDir: string;
let server: ServerProcess;
let root: SignedIn;

beforeAll(async () => {
  dataDir = createDataDir();
  server = await startServer({ dataDir, env: { GLOBAL_API_RATE_LIMIT: "0" } });
  root = await server.signIn("root", "123456");
});

afterAll(() => server?.stop());

const tollgate = async (
  ...words: string[]
): Promise<{ status: number | null; json: { changes?: unknown[] }; error: string }> => {
  const { status, stdout, stderr } = await runTollgate(["--json", ...words], { DATA_DIR: dataDir });
  return { status, json: stdout === "" ? {} : JSON.parse(stdout), error: stderr };
};

/** Exports the gateway in a format, and applies the file. @returns the changes that it would make, or why it is refused. */
const applyExport = async (format: "yaml" | "json"): Promise<unknown> => {
  const path = join(dataDir, `gateway.${format}`);
  expect(await tollgate("export", "--users", "--out", path)).toMatchObject({ status: 0 });
  const { status, json, error } = await tollgate("apply", path, "--dry-run", "--prune");
  return status === 0 ? json.changes : `${error}\n${nearLine(path, error)}`;
};

/** The line that a message names, with those around it. */
const nearLine = (path: string, error: string): string => {
  const line = Number(/:(\d+):/.exec(error)?.[1] ?? 0);
  return readFileSync(path, "utf8")
    .split("\n")
    .slice(Math.max(0, line - 3), line + 12)
    .join("\n");
};

/** Texts that YAML, JSON, lists and shells read in ways of their own. */
const ODD = [
  "plain",
  "",
  " ",
  " edges ",
  "007",
  "1e3",
  "0x10",
  "null",
  "~",
  "yes",
  "true",
  "2024-01-01",
  "- a",
  "a: b",
  "# no",
  "a #b",
  "{a: 1}",
  "[a]",
  "'",
  '"',
  "\\n",
  "***",
  "*a",
  "&a",
  "!a",
  "|",
  ">",
  "%a",
  "@a",
  "`a`",
  "a,b",
  "a, b ",
  "甲乙",
  "👩‍👩‍👧",
  "e\u0301",
  "a\u00a0b",
  "\u2028",
  "\ufeff",
  "a\nb",
  "a\tb",
  "a\r\nb",
  "\u0085",
  "\u0007",
  "constructor",
  "__proto__",
  "x".repeat(100),
] as const;

it.each([1, 2, 3])("finds nothing to do for a file of the same gateway, seed %i", async (seed) => {
  const random = createRandom(seed);
  const pick = <T>(list: readonly T[]): T => list[Math.floor(random() * list.length)] as T;
  const maybe = <T>(make: () => T): T | undefined => (random() < 0.5 ? make() : undefined);
  const word = (): string => pick(ODD);
  const whole = (): number => pick([0, 1, 7, 1_000_000, -1, 2 ** 31]);
  const list = (): string => Array.from({ length: whole() % 4 || 1 }, word).join(",");
  const objectOf = (value: () => unknown): string =>
    JSON.stringify(
      Object.fromEntries(Array.from({ length: 1 + Math.floor(random() * 3) }, () => [word(), value()])),
    );
  const accepted = { channels: 0, plans: 0, users: 0, options: 0 };
  const keep = async (kind: keyof typeof accepted, method: string, path: string, body: object) => {
    const { body: answer } = await root.api(method, path, body);
    if (answer.success) accepted[kind] += 1;
  };

  for (let serial = 0; serial < CHANNELS; serial += 1) {
    await keep("channels", "POST", "/api/channel/", {
      type: 1 + Math.floor(random() * 50),
      name: `${word()}${random() < 0.9 ? `${seed}/${serial}` : ""}`,
      key: pick([
        "sk-one",
        "sk-one\nsk-two",
        "a|b",
        "a|b|c",
        "sk-one\n\nsk-one ",
        '{"type":"service_account"}',
      ]),
      multi_key: true,
      models: random() < 0.7 ? "gpt-4o" : list(),
      group: maybe(list),
      base_url: pick(["", "https://x.example", "https://x.example/", " https://x.example/v1// "]),
      other: pick(["", " ", "us-east-1", "2024-10-21", word()]),
      model_mapping: maybe(() => objectOf(word)),
      priority: maybe(whole),
      weight: maybe(whole),
      status: maybe(() => pick([1, 2])),
      proxy: maybe(() =>
        pick(["http://u:p@proxy:1", "http://proxy:1", " http://proxy:1 ", "http://u@proxy:1"]),
      ),
      tag: maybe(word),
      test_model: maybe(word),
      skip_tests: maybe(() => random() < 0.5),
      rpm: maybe(whole),
      key_tpm: maybe(whole),
      buying_prices: maybe(() => pick(["", '{"rules":[]}', '{"rules":[{"factor":0.5}]}', "{}"])),
      calendar: maybe(() =>
        pick(["", "{}", '{"ends_at":2000000000}', '{"hours":[{"days":[1],"from":"08:00","to":"20:00"}]}']),
      ),
      overrides: maybe(() =>
        pick([
          "",
          "{}",
          `{"headers":{"x-a":${JSON.stringify(word())}}}`,
          `{"body":{"set":{"a.b":${JSON.stringify(word())}}}}`,
          `{"system_prompt":${JSON.stringify(word())}}`,
          '{"status_codes":{"400":500}}',
        ]),
      ),
    });
  }
  for (let serial = 0; serial < OTHERS; serial += 1) {
    await keep("plans", "POST", "/api/plan/", {
      title: `${word()}${serial}`,
      description: maybe(word),
      price: maybe(whole),
      quota: maybe(whole),
      duration_unit: maybe(() => pick(["day", "week", "month", "year"])),
      duration_count: maybe(whole),
      reset: maybe(() => pick(["never", "day", "week", "month"])),
      group: maybe(word),
      beyond: maybe(() => pick(["balance", "stop"])),
      max_per_user: maybe(whole),
      sort_order: maybe(whole),
      is_enabled: maybe(() => random() < 0.5),
      rpd: maybe(whole),
      weekly_quota: maybe(whole),
    });
    const username = `u${seed}-${serial}`;
    await keep("users", "POST", "/api/user/", {
      username: random() < 0.5 ? username : `${word()}${serial}`.slice(0, 12),
      password: "password-1",
      display_name: maybe(word),
    });
  }
  const { data } = (await root.api("GET", "/api/user/?p=0")).body;
  for (const { id } of data as { id: number }[]) {
    if (id === 1) continue;
    await root.api("PUT", "/api/user/", {
      id,
      display_name: maybe(word),
      group: maybe(() => pick(["default", "vip", "a,b", word()])),
      rpm: maybe(whole),
      daily_quota: maybe(whole),
    });
  }
  for (const key of OPTION_KEYS) {
    const value = random() < 0.5 ? otherValueOf(key) : word();
    await keep("options", "PUT", "/api/option/", {
      key,
      value: isSecretOption(key) ? `secret ${word()}` : value,
    });
  }
  expect(accepted.channels).toBeGreaterThan(CHANNELS / 10);
  expect(accepted.plans).toBeGreaterThan(OTHERS / 10);
  expect(accepted.options).toBeGreaterThan(OPTION_KEYS.length / 4);
  expect(await applyExport("yaml")).toEqual([]);
  expect(await applyExport("json")).toEqual([]);
});
