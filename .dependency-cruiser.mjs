// @ts-check
import { createRequire } from "node:module";
import { ROOMS, SHIPPED as SHIPPED_ROOMS, seenBy } from "./tools/lib/rooms.mjs";

/**
 * Who may import whom (docs/architecture.md). Each rule names one room and what it may see; everything else is an
 * error. Tests beside the code follow the same rules as the code, except that they may use vitest, the testing
 * packages and testkit.
 */

/*
 * dependency-cruiser hands every file to swc as TypeScript without JSX, so a .tsx file would not parse. It calls
 * `parseFileSync` on this very module object, which is why the option can be added here.
 */
const require = createRequire(import.meta.url);
const swc = require("@swc/core");
const parseFileSync = swc.parseFileSync;
Object.assign(swc, {
  /** @param {string} file @param {import("@swc/core").TsParserConfig} options */
  parseFileSync: (file, options) => parseFileSync(file, { ...options, tsx: file.endsWith("x") }),
});

/** Files that ship: everything in a shipped room that is no test. */
const SHIPPED = `^(${SHIPPED_ROOMS.join("|")})/`;
/** Tests, and what those of one room share, in a folder `testing/`: as little part of the product as they are. */
const TEST = "([.]test[.][cm]?[jt]sx?$|/testing/)";
/** Build configuration is not part of the product. */
const CONFIG = "(^|/)(vite|vitest)[.]config[.][cm]?[jt]s$";

/** Files of any room, and of the tools. */
const ANY_ROOM = `^(${[...ROOMS, "tools"].join("|")})/`;

/** What every part of storage/ may use. */
const STORAGE_COMMON = "^storage/(consistency|errors|secrets)[.]ts$";

/** The engines, and what the stores are on them. */
const ENGINES = ["^storage/(sqlite|postgres)/", "^storage/[^/]+/(sqlite|postgres)/"];

/** What the engines have in common: SQL that all of them run. */
const SHARED_SQL = ["^storage/sql/", "^storage/[^/]+/sql/"];

/** How dependency-cruiser marks Node's built-in modules: their path is a bare name ("fs"). */
const CORE = /** @type {const} */ ("core");

/** @param {readonly string[]} names */
const packages = (...names) => `(^|/)node_modules/(@types/)?(${names.join("|")})(/|$)`;

/**
 * Two rules: a room's own files import nothing but the room itself, the rooms it may see, the packages named and, where
 * said, Node's built-in modules; its tests may further use testkit, any package and the built-in modules.
 * @param {string} name
 * @param {{npm?: string[], builtins?: boolean | string[], anyNpm?: boolean, why: string}} may
 */
const room = (name, { npm = [], builtins = false, anyNpm = false, why }) => {
  const allowed = [`^${name}/`, ...seenBy(name).map((other) => `^${other}/`)];
  const allowedBuiltins = Array.isArray(builtins) ? builtins.map((builtin) => `^(node:)?${builtin}$`) : [];
  const allowedPackages = anyNpm ? ["(^|/)node_modules/"] : npm.length > 0 ? [packages(...npm)] : [];
  return [
    {
      name: `${name}-sees-only`,
      comment: why,
      severity: /** @type {const} */ ("error"),
      from: { path: `^${name}/`, pathNot: [TEST, CONFIG] },
      to: {
        couldNotResolve: false,
        pathNot: [...allowed, ...allowedPackages, ...allowedBuiltins],
        ...(builtins === true ? { dependencyTypesNot: [CORE] } : {}),
      },
    },
    {
      name: `${name}-tests-see-only`,
      comment: `${why} Its tests may use testkit, too.`,
      severity: /** @type {const} */ ("error"),
      from: { path: [`^${name}/.*${TEST}`] },
      to: {
        couldNotResolve: false,
        pathNot: [...allowed, "^(testkit|demo)/", "(^|/)node_modules/"],
        dependencyTypesNot: [CORE],
      },
    },
  ];
};

/** @type {import("dependency-cruiser").IConfiguration} */
export default {
  forbidden: [
    {
      name: "no-cycles",
      comment: "Two files that import each other are one file in disguise.",
      severity: "error",
      from: {},
      to: { circular: true },
    },
    {
      name: "nothing-unresolvable",
      comment: "The import points at nothing: a typing mistake, or a package that is not installed.",
      severity: "error",
      from: {},
      // Vite's virtual modules and asset queries exist only inside its build.
      to: { couldNotResolve: true, pathNot: ["^virtual:", "[?](url|raw|inline|worker)"] },
    },
    {
      name: "rooms-by-name",
      comment: "A relative path must not leave its room: import @tollgate/<room>/… instead.",
      severity: "error",
      from: {
        path: ANY_ROOM,
      },
      to: {
        path: ANY_ROOM,
        pathNot: "^$1/",
        dependencyTypesNot: ["aliased-workspace"],
      },
    },
    {
      name: "shipped-code-without-tests",
      comment: "What ships never imports test equipment.",
      severity: "error",
      from: { path: SHIPPED, pathNot: [TEST, CONFIG] },
      to: {
        path: ["^(testkit|demo|e2e|bench|tools)/", TEST, packages("vitest", "@testing-library/[^/]+")],
      },
    },
    {
      name: "only-server-has-fastify",
      comment: "The HTTP framework lives in server/ alone.",
      severity: "error",
      from: { pathNot: ["^server/", "node_modules"] },
      to: { path: packages("fastify", "@fastify/[^/]+") },
    },
    {
      name: "only-storage-has-sql",
      comment: "SQL lives in storage/ alone.",
      severity: "error",
      // End-to-end tests look into the file that the stopped product left.
      from: { pathNot: ["^(storage|e2e)/", "node_modules"] },
      to: { path: packages("kysely", "libsql", "@libsql/[^/]+", "better-sqlite3", "pg", "mysql2") },
    },
    {
      name: "only-relay-has-undici",
      comment: "Upstream sockets belong to relay/ (and to the bare relay of bench/).",
      severity: "error",
      from: { pathNot: ["^(relay|bench)/", "node_modules"] },
      to: { path: packages("undici") },
    },
    {
      name: "only-relay-has-ws",
      comment: "WebSockets to upstreams belong to relay/ (and to the fake upstreams of testkit/).",
      severity: "error",
      from: { pathNot: ["^(relay|testkit)/", "node_modules"] },
      to: { path: packages("ws") },
    },
    {
      name: "protocols-apart",
      comment: "Protocol folders do not import each other; what two of them need goes to protocols/shared.",
      severity: "error",
      from: { path: "^protocols/([^/]+)/", pathNot: TEST },
      to: { path: "^protocols/[^/]+/", pathNot: ["^protocols/$1/", "^protocols/shared/"] },
    },
    {
      name: "protocols-shared-below",
      comment: "protocols/shared knows no protocol.",
      severity: "error",
      from: { path: "^protocols/shared/" },
      to: { path: "^protocols/", pathNot: "^protocols/shared/" },
    },
    {
      name: "features-apart",
      comment: "Console features do not know each other; only app/ composes them.",
      severity: "error",
      from: { path: "^console/features/([^/]+)/" },
      to: { path: "^console/(features/[^/]+|app)/", pathNot: "^console/features/$1/" },
    },
    {
      name: "console-pieces-below",
      comment: "components/ and lib/ serve the features; they know none of them, and not app/.",
      severity: "error",
      from: { path: "^console/(components|lib)/" },
      to: { path: "^console/(features|app)/" },
    },
    {
      name: "console-lib-below",
      comment: "lib/ draws nothing of components/.",
      severity: "error",
      from: { path: "^console/lib/", pathNot: TEST },
      to: { path: "^console/components/" },
    },
    {
      name: "console-sees-slim-vendors",
      comment:
        "The console loads cards and forms of the vendors; prices and routes would weigh more than its pages.",
      severity: "error",
      from: { path: "^console/" },
      to: { path: "^vendors/", pathNot: "^vendors/slim/" },
    },
    {
      name: "stores-apart",
      comment:
        "The stores do not know each other, nor who puts them together: charges go through the journal, lines through the outbox.",
      severity: "error",
      from: { path: "^storage/(accounts|log|bodies)/", pathNot: TEST },
      to: {
        path: "^storage/",
        pathNot: ["^storage/$1/", "^storage/(journal|outbox|sql|sqlite|postgres)/", STORAGE_COMMON],
      },
    },
    {
      name: "journal-and-outbox-below-stores",
      comment: "The journal, the outbox and the engine say what they need as interfaces: they know no store.",
      severity: "error",
      from: { path: "^storage/(journal|outbox|sql|sqlite|postgres)/", pathNot: TEST },
      to: { path: "^storage/", pathNot: ["^storage/$1/", "^storage/sql/", STORAGE_COMMON] },
    },
    {
      name: "ports-without-engine",
      comment: "What stands beside the folder of an engine holds for every engine.",
      severity: "error",
      from: { path: ["^storage/(accounts|log|bodies)/[^/]+$", "^storage/(journal|outbox)/"], pathNot: TEST },
      to: { path: [...ENGINES, ...SHARED_SQL, packages("kysely", "libsql", "pg")] },
    },
    ...["sqlite", "postgres", "sql"].map((folder) => ({
      name: "engines-apart",
      comment: "An engine does not know another one; what all of them run stands in sql/ and knows none.",
      severity: /** @type {const} */ ("error"),
      from: { path: [`^storage/${folder}/`, `^storage/[^/]+/${folder}/`], pathNot: TEST },
      to: { path: ENGINES, pathNot: [`^storage/${folder}/`, `^storage/[^/]+/${folder}/`] },
    })),
    {
      name: "shared-sql-without-driver",
      comment: "What all engines run knows the query builder, and no driver.",
      severity: "error",
      from: { path: SHARED_SQL, pathNot: TEST },
      to: { path: packages("libsql", "pg") },
    },
    {
      name: "server-sees-ports",
      comment: "Server and command know ports and what opens them, not what an engine makes of them.",
      severity: "error",
      from: { path: "^(server|cli)/", pathNot: TEST },
      to: { path: [...ENGINES, ...SHARED_SQL] },
    },
    ...room("contract", { npm: ["zod"], why: "The contract depends on zod only." }),
    ...room("protocols", {
      npm: ["zod"],
      // Hashing is arithmetic.
      builtins: ["crypto"],
      why: "Pure translation: no I/O, nothing but the contract.",
    }),
    ...room("vendors", { why: "Data only." }),
    ...room("metering", { why: "Pure arithmetic." }),
    ...room("accounts", {
      // Hashes of sessions, secrets by chance, lists of networks: arithmetic, and no I/O.
      builtins: ["crypto", "net"],
      why: "Users, API keys, sessions and balances: it states its needs of storage in ports.ts, and knows no engine.",
    }),
    ...room("relay", {
      npm: ["undici", "ws"],
      builtins: true,
      why: "The engine states its needs in ports.ts; it knows neither storage nor the HTTP framework.",
    }),
    ...room("storage", {
      npm: ["kysely", "libsql", "mysql2", "pg"],
      builtins: true,
      why: "SQL and nothing else; it returns contract shapes.",
    }),
    ...room("server", {
      anyNpm: true,
      builtins: true,
      why: "The composition root sees every gateway room, not the console.",
    }),
    ...room("cli", {
      npm: ["commander", "yaml", "zod"],
      builtins: true,
      why: "The command sees every gateway room, and does nothing itself that one of them does.",
    }),
    ...room("console", {
      anyNpm: true,
      why: "The console talks HTTP: nothing of the server, no Node built-in.",
    }),
    ...room("testkit", {
      // zod reads what the contract's schemas say, as the contract does.
      npm: ["playwright-core", "ws", "zod"],
      builtins: true,
      why: "Test equipment knows the contract, never the code under test.",
    }),
    ...room("demo", {
      npm: [],
      builtins: true,
      why: "The demo builds its world through the API: it knows the contract, never the code behind it.",
    }),
    ...room("e2e", {
      anyNpm: true,
      builtins: true,
      why: "End-to-end tests see the product from outside only.",
    }),
    ...room("bench", {
      npm: ["undici"],
      builtins: true,
      why: "The bench measures the built product from outside.",
    }),
    {
      name: "console-packages",
      comment: "The console's packages are its own: none of the gateway's.",
      severity: "error",
      from: { path: "^console/", pathNot: [TEST, CONFIG] },
      to: {
        path: packages("pino", "gpt-tokenizer", "@node-rs/[^/]+", "undici", "libsql", "kysely", "fastify"),
      },
    },
    {
      name: "tools-before-install",
      comment:
        "Tools run before anything is installed: Node's built-in modules only (packages by dynamic import).",
      severity: "error",
      from: { path: "^tools/", pathNot: TEST },
      to: { pathNot: "^tools/", dependencyTypesNot: ["core", "dynamic-import"] },
    },
    {
      name: "no-undeclared-packages",
      comment: "A package must stand in the package.json of the room that imports it (or in the root's).",
      severity: "error",
      from: { pathNot: "node_modules" },
      to: { dependencyTypes: ["npm-no-pkg", "npm-unknown"] },
    },
  ],
  options: {
    // TypeScript 7 has no JavaScript API; swc reads the same syntax and also sees `import type`.
    parser: "swc",
    tsPreCompilationDeps: true,
    combinedDependencies: true,
    doNotFollow: { path: "node_modules" },
    exclude: { path: ["^dist/", "^data/", "^coverage/"] },
    enhancedResolveOptions: {
      exportsFields: ["exports"],
      conditionNames: ["types", "import", "node", "default"],
      extensions: [".ts", ".tsx", ".mts", ".js", ".mjs", ".cjs", ".json", ".css"],
      mainFields: ["module", "main", "types"],
    },
  },
};
