import { readdirSync, readFileSync } from "node:fs";
import { availableParallelism } from "node:os";
import { join } from "node:path";
import { configDefaults, defineConfig, type Plugin } from "vitest/config";
import { BaseSequencer, type TestSpecification } from "vitest/node";
import { ROOMS } from "./tools/lib/rooms.mjs";

/** What runs without a browser and without the built product. */
const UNIT_ROOMS = [...ROOMS.filter((room) => room !== "console" && room !== "e2e"), "tools"];

/** Tests that put something else in a module's place: it must not have been loaded by another file before. */
const MOCKING = [...UNIT_ROOMS, "console"].flatMap((room) =>
  readdirSync(join(import.meta.dirname, room), { recursive: true, encoding: "utf8" })
    .filter((path) => /[.]test[.]tsx?$/.test(path) && !path.includes("node_modules"))
    .map((path) => join(room, path))
    .filter((path) => readFileSync(join(import.meta.dirname, path), "utf8").includes("vi.mock(")),
);

/** Tests that need a PostgreSQL server: they run in `npm test` alone. */
const OF_POSTGRES = ["storage/**/postgres/**/*.test.ts", "{storage,server}/**/*.postgres.test.ts"];

/** Tests of what holds on every engine: among the unit tests on SQLite, in `npm test` on PostgreSQL as well. */
const OF_ALL_ENGINES = "{storage,server}/**/*.engines.test.ts";

/** Tests that need a Redis server: they run in `npm test` alone. */
const OF_REDIS = "server/**/*.redis.test.ts";

/** Tests of several real nodes on one PostgreSQL and one Redis: they run in `npm test` alone. */
const OF_NODES = "e2e/nodes/**/*.test.ts";

/** Tests that import from other gateways' databases, large ones and MariaDB's: they run in `npm test` alone. */
const OF_IMPORT = "e2e/import/**/*.test.ts";

/** Whether all cases are tried (testkit/seeds.ts): every night, and where a file is run alone. */
const TRIES_ALL = !["few", "some"].includes(process.env.TEST_CASES ?? "");

/**
 * Tests of the built product that also run against a database: the figures and pages must be the same. Lists and sums,
 * which are SQL, run in each `npm test`; calls with few queries of their own every night, because storage's tests hold
 * them on every engine.
 */
const ON_BOTH_ENGINES = [
  "e2e/api/management/{logs,plans,round-trip,sorted-lists,usage}.test.ts",
  ...(TRIES_ALL
    ? [
        "e2e/api/management/{billing,redemptions,users}.test.ts",
        "e2e/api/relay/{limits,metrics,prices}.test.ts",
      ]
    : []),
];

/** Tests that start many processes for one promise. They run every night; CONTRIBUTING.md says which tests hold it before. */
const NIGHTLY = [
  "e2e/import/large.test.ts",
  "e2e/nodes/demo.test.ts",
  "e2e/nodes/optional-peers.test.ts",
  "e2e/nodes/pooler.test.ts",
  "e2e/nodes/rolling-upgrade.test.ts",
];
const LEFT_TO_NIGHT = TRIES_ALL ? [] : NIGHTLY;

/** Each file starts real processes and waits for them, half of its time: one more at a time than there are cores to work. */
const OF_PROCESSES = {
  environment: "node" as const,
  globalSetup: ["e2e/build-before-tests.ts"],
  setupFiles: ["e2e/exit-on-signal.ts"],
  maxWorkers: availableParallelism() + 1,
  // A bound for what hangs: a walk over all pages took four minutes on a busy machine.
  testTimeout: 600_000,
  hookTimeout: 180_000,
  // What is waited for may need a thread that starts first, on a machine that is busy.
  expect: { poll: { timeout: 120_000 } },
  sequence: { groupOrder: 1 },
};

/**
 * Unit tests that draw pages, wait, fill databases, walk through every step of something or read megabytes: about a
 * second or more each. `npm test` runs them, and a run that names them; the quick loop of `npm run check`
 * (TEST_CASES=few) does not.
 */
const LONG = [
  "cli/configuration/configuration.test.ts",
  "cli/configuration/round-trip.property.test.ts",
  "cli/import/columns.test.ts",
  "cli/import/huge-values.test.ts",
  "cli/import/map-options.test.ts",
  "console/**/*.test.tsx",
  "console/app/turn-to.test.ts",
  "console/features/audit/detail-text.test.ts",
  "console/features/nodes/node-figures.test.ts",
  "console/features/pricing/shown-price.test.ts",
  "console/lib/exact-quota.test.ts",
  "console/lib/failure-text.test.ts",
  "console/lib/first-paint.test.ts",
  "console/lib/format.test.ts",
  "console/lib/profit-text.test.ts",
  "console/lib/report-error.test.ts",
  "console/lib/session.test.ts",
  "console/lib/usage/usage-metric.test.ts",
  "console/locales/locales.test.ts",
  "demo/balancer.test.ts",
  "metering/leases/simulation.test.ts",
  "metering/price-rules.test.ts",
  "metering/priced-use.test.ts",
  "metering/whole-terms.test.ts",
  "protocols/file-tokens.test.ts",
  "protocols/json-placeholders.test.ts",
  "protocols/many-calls.test.ts",
  "protocols/native-sound.test.ts",
  "protocols/openai-operations/audio-duration.test.ts",
  "protocols/openai-operations/recording-length/*.test.ts",
  "protocols/openai-responses/response-schema.test.ts",
  "protocols/request-fields.test.ts",
  "protocols/shared/json/json-condenser.test.ts",
  "protocols/shared/json/json-pieces.test.ts",
  "protocols/shared/json/json-placeholders.test.ts",
  "protocols/shared/json/parse-in-steps.test.ts",
  "protocols/shared/json/scan-json.test.ts",
  "protocols/shared/json/stringify-in-steps.test.ts",
  "protocols/shared/shared.test.ts",
  "protocols/streams.test.ts",
  "relay/admission/pending-admission.test.ts",
  "relay/concat-in-steps.test.ts",
  "relay/limits/budget-windows.property.test.ts",
  "relay/limits/extra-quota.property.test.ts",
  "relay/limits/limiter.test.ts",
  "relay/limits/upstream-limits.property.test.ts",
  "relay/pipeline/attempt.test.ts",
  "relay/pipeline/chat-task.test.ts",
  "relay/pipeline/delivered-content.test.ts",
  "relay/pipeline/exchange-states.test.ts",
  "relay/pipeline/exchange.test.ts",
  "relay/pipeline/fallback-chain.test.ts",
  "relay/pipeline/large-events.test.ts",
  "relay/pipeline/pass-stream.test.ts",
  "relay/pipeline/request-path.property.test.ts",
  "relay/pipeline/served-models.test.ts",
  "relay/pipeline/stream-memory.test.ts",
  "relay/pipeline/time-limits.test.ts",
  "relay/pipeline/translate-stream.test.ts",
  "relay/routing/model-routes.test.ts",
  "relay/transport/http1/answer-reader.test.ts",
  "relay/transport/http1/create-http1-transport.test.ts",
  "relay/transport/http1/differential.test.ts",
  "relay/transport/outbound-guard.test.ts",
  "relay/transport/rebinding.test.ts",
  "relay/transport/socks5.test.ts",
  "relay/upstream-models.test.ts",
  "server/backup/backup.test.ts",
  "server/backup/hostile-archive.test.ts",
  "server/bounded-tables.test.ts",
  "server/http/client-address.test.ts",
  "server/http/give-up-on-stalled.test.ts",
  "server/jobs/scheduled-backup.test.ts",
  "server/leases/several-nodes.property.test.ts",
  "server/locales/format-log.test.ts",
  "server/management-api/channels/upstream-account.test.ts",
  "server/management-api/logs/exports/usage-pages.test.ts",
  "server/management-api/sign-in/bcrypt-passwords.test.ts",
  "server/management-api/sign-in/sign-in-limits.test.ts",
  "server/notices/notice-sender.test.ts",
  "server/notices/send-notice.test.ts",
  "server/payments/orders.test.ts",
  "server/payments/ports.test.ts",
  "server/prices/buying-table.test.ts",
  "server/prices/fetch-prices.test.ts",
  "server/reconciliation/reconciliation.test.ts",
  "server/rehearsal/rehearsals.test.ts",
  "server/rehearsal/rehearse-lines.test.ts",
  "server/relay-api/one-reading.test.ts",
  "server/relay-api/read-chat.test.ts",
  "server/relay-api/run-large.test.ts",
  "server/rotate-master-key.test.ts",
  "server/state/account-store.test.ts",
  "server/state/balances.test.ts",
  "server/state/change-follower.test.ts",
  "server/state/cut-runs.test.ts",
  "server/state/money.property.test.ts",
  "server/state/plans.test.ts",
  "server/state/repeated-failures.test.ts",
  "server/state/token-counter.test.ts",
  "server/statements/draw-statement.test.ts",
  "server/statements/statement-printer.test.ts",
  "storage/**/*.engines.test.ts",
  "storage/bodies/sqlite/bodies.test.ts",
  "storage/doctor/examine.test.ts",
  "storage/journal/journal.test.ts",
  "storage/load/folder-target.test.ts",
  "storage/log/sqlite/log.test.ts",
  "storage/releases.test.ts",
  "storage/sqlite-stores.test.ts",
  "storage/threads/keep-thread.test.ts",
  "storage/upgrade.test.ts",
  "testkit/fake-upstream/fake-upstream.test.ts",
  "tools/lib/clean-files.test.ts",
  "tools/texts-at-the-edge.test.ts",
  "vendors/price-sources/read-price-document.test.ts",
];
const LEFT_OUT = process.env.TEST_CASES === "few" ? LONG : [];

/** Where the unit tests run: several files in one process, so that what they share is loaded once. */
const SHARED = {
  environment: "node" as const,
  isolate: false,
  // One more than cores, because some tests wait.
  maxWorkers: availableParallelism() + 1,
  // Room for what is short-lived: collecting it in small portions took a tenth of the time.
  execArgv: ["--max-semi-space-size=64"],
  // Bounds for what hangs, not for how fast this machine is: a test of three seconds took a minute on a busy one.
  testTimeout: 300_000,
  hookTimeout: 180_000,
  expect: { poll: { timeout: 30_000 } },
  exclude: [...configDefaults.exclude, ...MOCKING],
};

/**
 * What was compiled for the last run holds no longer where a file asks which files there are. Vitest knows that of
 * `import.meta.glob(`, not of `import.meta.glob<Type>(`.
 */
const GLOBS_ANEW: Plugin = {
  name: "globs-anew",
  configureVitest: ({ experimental_defineCacheKeyGenerator: defineCacheKey }) => {
    defineCacheKey(({ sourceCode }) => (sourceCode.includes("import.meta.glob<") ? false : undefined));
  },
};

/** Files that take longest where files are tests of processes: begun last, they would keep one of two cores waiting. */
const LONGEST = [
  "e2e/nodes/failures.test.ts",
  "e2e/package/guides.test.ts",
  "e2e/package/package.test.ts",
  "e2e/console/accessibility.test.ts",
  "e2e/console/dialects.test.ts",
  "e2e/nodes/pooler.test.ts",
  "e2e/nodes/promote.test.ts",
];

class LongestFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const rankOf = ({ moduleId }: TestSpecification): number => {
      const rank = LONGEST.findIndex((path) => moduleId.endsWith(path));
      return rank < 0 ? LONGEST.length : rank;
    };
    return (await super.sort(files)).sort((a, b) => rankOf(a) - rankOf(b));
  }
}

export default defineConfig({
  test: {
    sequence: { sequencer: LongestFirst },
    projects: [
      {
        plugins: [GLOBS_ANEW],
        test: {
          ...SHARED,
          name: "unit",
          include: UNIT_ROOMS.map((room) => `${room}/**/*.test.ts`),
          exclude: [...SHARED.exclude, ...OF_POSTGRES, OF_REDIS, ...LEFT_OUT],
        },
      },
      {
        plugins: [GLOBS_ANEW],
        oxc: { jsx: { runtime: "automatic", development: false } },
        test: {
          // Tests that need a document say so in their first line (@vitest-environment happy-dom).
          ...SHARED,
          name: "unit of console",
          // A page that is left would become a new window in the middle of the next file's tests.
          environmentOptions: {
            happyDOM: {
              settings: { navigation: { disableMainFrameNavigation: true, disableFallbackToSetURL: true } },
            },
          },
          // The build of React that is shipped; the other one draws half as fast.
          env: { NODE_ENV: "production" },
          include: ["console/**/*.test.{ts,tsx}"],
          exclude: [...SHARED.exclude, ...LEFT_OUT],
          // Styles are left out, except where a test reads them as text.
          css: { include: [/[?]raw$/] },
        },
      },
      {
        plugins: [GLOBS_ANEW],
        test: {
          name: "unit alone",
          include: MOCKING,
          exclude: [...configDefaults.exclude, ...LEFT_OUT],
          environment: "node",
          maxWorkers: SHARED.maxWorkers,
          testTimeout: SHARED.testTimeout,
        },
      },
      {
        plugins: [GLOBS_ANEW],
        test: {
          ...SHARED,
          name: "postgres",
          include: [...OF_POSTGRES, OF_ALL_ENGINES],
          globalSetup: ["storage/testing/start-postgres.ts"],
        },
      },
      {
        plugins: [GLOBS_ANEW],
        test: {
          ...SHARED,
          name: "redis",
          include: [OF_REDIS],
          globalSetup: ["server/shared-limits/testing/start-redis.ts"],
        },
      },
      {
        plugins: [GLOBS_ANEW],
        test: {
          ...OF_PROCESSES,
          name: "e2e",
          include: ["e2e/**/*.test.ts"],
          exclude: [...configDefaults.exclude, OF_NODES, OF_IMPORT],
        },
      },
      {
        plugins: [GLOBS_ANEW],
        test: {
          ...OF_PROCESSES,
          name: "e2e on PostgreSQL",
          include: ON_BOTH_ENGINES,
          env: { TOLLGATE_TEST_ENGINE: "postgres" },
        },
      },
      {
        plugins: [GLOBS_ANEW],
        test: {
          name: "nodes",
          include: [OF_NODES],
          exclude: [...configDefaults.exclude, ...LEFT_TO_NIGHT],
          environment: "node",
          globalSetup: ["e2e/build-before-tests.ts"],
          setupFiles: ["e2e/exit-on-signal.ts"],
          // Nodes wait for leases and for each other.
          maxWorkers: availableParallelism() + 2,
          testTimeout: 300_000,
          hookTimeout: 180_000,
          expect: { poll: { timeout: 120_000 } },
          sequence: { groupOrder: 1 },
        },
      },
      {
        plugins: [GLOBS_ANEW],
        test: {
          ...OF_PROCESSES,
          name: "import",
          include: [OF_IMPORT],
          exclude: [...configDefaults.exclude, ...LEFT_TO_NIGHT],
          testTimeout: 300_000,
        },
      },
      {
        plugins: [GLOBS_ANEW],
        test: {
          name: "clients",
          include: ["e2e/clients/**/*.clients.ts"],
          environment: "node",
          globalSetup: ["e2e/build-before-tests.ts"],
          setupFiles: ["e2e/exit-on-signal.ts"],
          fileParallelism: false,
          testTimeout: 180_000,
          hookTimeout: 180_000,
          sequence: { groupOrder: 2 },
        },
      },
    ],
  },
});
