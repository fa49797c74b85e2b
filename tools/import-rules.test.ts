import { execFileSync } from "node:child_process";
import { mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { ROOMS } from "./lib/rooms.mjs";

const ROOT = join(dirname(fileURLToPath(import.meta.url)), "..");
const PACKAGES = ["zod", "fastify", "kysely", "libsql", "undici", "ws", "react", "vitest"];

/** Files that break a rule, and the rules that must say so. */
const OFFENDERS: readonly [file: string, source: string, rule: string][] = [
  ["contract/reads-files.ts", 'import "node:fs";', "contract-sees-only"],
  ["contract/uses-react.ts", 'import "react";', "contract-sees-only"],
  ["vendors/uses-relay.ts", 'import "@tollgate/relay/good";', "vendors-sees-only"],
  ["metering/uses-storage.ts", 'import "@tollgate/storage/good";', "metering-sees-only"],
  [
    "metering/type-only.ts",
    'import type { A } from "@tollgate/server/good"; export type B = A;',
    "metering-sees-only",
  ],
  ["accounts/uses-relay.ts", 'import "@tollgate/relay/good";', "accounts-sees-only"],
  [
    "accounts/uses-storage.ts",
    'import type { A } from "@tollgate/storage/good"; export type B = A;',
    "accounts-sees-only",
  ],
  ["accounts/reads-files.ts", 'import "node:fs";', "accounts-sees-only"],
  ["relay/uses-accounts.ts", 'import "@tollgate/accounts/good";', "relay-sees-only"],
  ["storage/uses-accounts.ts", 'import "@tollgate/accounts/good";', "storage-sees-only"],
  ["protocols/one/reads-files.ts", 'import "node:fs";', "protocols-sees-only"],
  ["protocols/one/uses-two.ts", 'import "../two/good";', "protocols-apart"],
  ["protocols/shared/uses-two.ts", 'import "../two/good";', "protocols-shared-below"],
  ["relay/uses-storage.ts", 'import "@tollgate/storage/good";', "relay-sees-only"],
  ["relay/uses-fastify.ts", 'import "fastify";', "only-server-has-fastify"],
  ["storage/uses-server.ts", 'import "@tollgate/server/good";', "storage-sees-only"],
  ["storage/log/sqlite/uses-accounts.ts", 'import "../../accounts/sqlite/good";', "stores-apart"],
  [
    "storage/accounts/uses-log.ts",
    'import type { A } from "../log/good"; export type B = A;',
    "stores-apart",
  ],
  ["storage/bodies/uses-client.ts", 'import "../good";', "stores-apart"],
  ["storage/journal/uses-accounts.ts", 'import "../accounts/good";', "journal-and-outbox-below-stores"],
  ["storage/outbox/uses-log.ts", 'import "../log/sqlite/good";', "journal-and-outbox-below-stores"],
  ["storage/sqlite/uses-tables.ts", 'import "../accounts/sqlite/good";', "journal-and-outbox-below-stores"],
  ["storage/accounts/uses-adapter.ts", 'import "./sqlite/good";', "ports-without-engine"],
  ["storage/log/uses-kysely.ts", 'import "kysely";', "ports-without-engine"],
  ["storage/accounts/uses-sql.ts", 'import "./sql/good";', "ports-without-engine"],
  ["storage/accounts/sql/uses-sqlite.ts", 'import "../../sqlite/good";', "engines-apart"],
  ["storage/accounts/sqlite/uses-postgres.ts", 'import "../../postgres/good";', "engines-apart"],
  ["storage/sql/uses-driver.ts", 'import "libsql";', "shared-sql-without-driver"],
  ["server/uses-adapter.ts", 'import "@tollgate/storage/accounts/sqlite/good";', "server-sees-ports"],
  ["server/uses-sql.ts", 'import "kysely";', "only-storage-has-sql"],
  ["server/uses-undici.ts", 'import "undici";', "only-relay-has-undici"],
  ["server/uses-ws.ts", 'import "ws";', "only-relay-has-ws"],
  ["server/uses-console.ts", 'import "@tollgate/console/good";', "server-sees-only"],
  ["server/uses-testkit.ts", 'import "@tollgate/testkit/good";', "shipped-code-without-tests"],
  ["server/leaves-its-room.ts", 'import "../contract/good";', "rooms-by-name"],
  ["server/imports-nothing.ts", 'import "./does-not-exist";', "nothing-unresolvable"],
  ["console/uses-server.ts", 'import "@tollgate/server/good";', "console-sees-only"],
  ["console/uses-testing.ts", 'import "./testing/good";', "shipped-code-without-tests"],
  ["console/reads-files.ts", 'import "node:fs";', "console-sees-only"],
  ["console/features/a/uses-b.ts", 'import "../b/good";', "features-apart"],
  ["console/components/uses-feature.ts", 'import "../features/b/good";', "console-pieces-below"],
  ["console/lib/uses-component.ts", 'import "../components/good";', "console-lib-below"],
  ["console/lib/uses-vendor-file.ts", 'import "@tollgate/vendors/good";', "console-sees-slim-vendors"],
  ["testkit/uses-server.ts", 'import "@tollgate/server/good";', "testkit-sees-only"],
  ["demo/uses-testkit.ts", 'import "@tollgate/testkit/good";', "demo-sees-only"],
  ["server/uses-demo.ts", 'import "@tollgate/demo/good";', "shipped-code-without-tests"],
  ["relay/uses-testing.ts", 'import "./testing/good";', "shipped-code-without-tests"],
  ["metering/chicken.ts", 'import "./egg";', "no-cycles"],
  ["tools/uses-a-package.mjs", 'import "zod";', "tools-before-install"],
];

/** Files that break none. */
const GOOD: readonly [file: string, source: string][] = [
  ...ROOMS.map((room): [string, string] => [`${room}/good.ts`, "export type A = string;"]),
  ["metering/egg.ts", 'import "./chicken";'],
  ["protocols/two/good.ts", 'import "../shared/good"; import "@tollgate/contract/good";'],
  ["protocols/shared/good.ts", 'import "node:crypto";'],
  ["console/features/b/good.ts", 'import "../../components/good"; import "@tollgate/vendors/slim/good";'],
  ["vendors/slim/good.ts", 'import "../good";'],
  ["console/components/good.ts", 'import "../lib/good";'],
  ["console/testing/good.ts", 'import "vitest";'],
  ["relay/testing/good.ts", 'import "@tollgate/testkit/good";'],
  ["console/lib/good.ts", 'import "react";'],
  [
    "accounts/fine.ts",
    'import "node:crypto"; import "@tollgate/metering/good"; import "@tollgate/contract/good";',
  ],
  ["relay/fine.ts", 'import "undici"; import "@tollgate/protocols/good"; import "node:net";'],
  ["storage/errors.ts", "export type E = string;"],
  ["storage/sql/good.ts", 'import "kysely";'],
  ["storage/sqlite/good.ts", 'import "kysely"; import "libsql"; import "../sql/good";'],
  ["storage/postgres/good.ts", 'import "kysely"; import "../sql/good";'],
  ["storage/accounts/sql/good.ts", 'import "../good"; import "../../sql/good"; import "kysely";'],
  ["storage/journal/good.ts", 'import "../errors";'],
  ["storage/outbox/good.ts", 'import "../errors";'],
  ["storage/accounts/good.ts", 'import "../outbox/good"; import "../journal/good";'],
  [
    "storage/accounts/sqlite/good.ts",
    'import "../good"; import "../sql/good"; import "../../sqlite/good"; import "kysely";',
  ],
  ["storage/log/good.ts", "export type A = string;"],
  ["storage/log/sqlite/good.ts", 'import "../good"; import "../../outbox/good"; import "../../errors";'],
  ["storage/opens-all.ts", 'import "./accounts/sqlite/good"; import "./log/sqlite/good";'],
  ["server/fine.ts", 'import "fastify"; import "@tollgate/storage/good";'],
  ["server/fine.test.ts", 'import "vitest"; import "@tollgate/testkit/good";'],
];

interface Violation {
  from: string;
  rule: { name: string };
}

let folder: string;
let violations: Violation[];

const link = (target: string, path: string): void => {
  mkdirSync(dirname(path), { recursive: true });
  symlinkSync(target, path);
};

beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), "tollgate-import-rules-"));
  for (const name of PACKAGES) link(join(ROOT, "node_modules", name), join(folder, "node_modules", name));
  for (const room of ROOMS) {
    mkdirSync(join(folder, room));
    link(join(folder, room), join(folder, "node_modules/@tollgate", room));
    const dependencies = Object.fromEntries(
      [...PACKAGES, ...ROOMS.map((each) => `@tollgate/${each}`)].map((name) => [name, "*"]),
    );
    const manifest = {
      name: `@tollgate/${room}`,
      type: "module",
      exports: { "./*": "./*.ts" },
      dependencies,
    };
    writeFileSync(join(folder, room, "package.json"), JSON.stringify(manifest));
  }
  writeFileSync(
    join(folder, "package.json"),
    JSON.stringify({ name: "rules", private: true, workspaces: ROOMS }),
  );
  for (const [file, source] of [...GOOD, ...OFFENDERS]) {
    mkdirSync(dirname(join(folder, file)), { recursive: true });
    writeFileSync(join(folder, file), `${source}\n`);
  }
  const report = execFileSync(
    process.execPath,
    [
      join(ROOT, "node_modules/dependency-cruiser/bin/dependency-cruise.mjs"),
      "--config",
      join(ROOT, ".dependency-cruiser.mjs"),
      "--output-type",
      "json",
      ...ROOMS,
      "tools",
    ],
    { cwd: folder, maxBuffer: 64 * 1024 * 1024 },
  ).toString();
  violations = (JSON.parse(report) as { summary: { violations: Violation[] } }).summary.violations;
});

afterAll(() => rmSync(folder, { recursive: true, force: true }));

const rulesBrokenBy = (file: string): string[] =>
  violations.filter((violation) => violation.from === file).map((violation) => violation.rule.name);

describe("the import rules", () => {
  it.each(OFFENDERS)("%s (%s) breaks %s", (file, _, rule) => {
    expect(rulesBrokenBy(file)).toContain(rule);
  });

  it("are broken by nothing else", () => {
    const offenders = new Set<string>(OFFENDERS.map(([file]) => file));
    const innocent = violations.filter(({ from, rule }) => !offenders.has(from) && rule.name !== "no-cycles");
    expect(innocent.map(({ from, rule }) => `${from}: ${rule.name}`)).toEqual([]);
  });

  it("are errors, so that the lint step fails", () => {
    expect(
      new Set(violations.map((violation) => (violation.rule as { severity?: string }).severity)),
    ).toEqual(new Set(["error"]));
  });
});
