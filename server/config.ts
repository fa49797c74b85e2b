import { hostname } from "node:os";
import { resolve } from "node:path";
import { PAYMENT_ADDRESSES } from "@tollgate/contract/payments/ports";
import { SIGN_IN_ADDRESSES } from "@tollgate/contract/sign-in/exchanges";
import { stripEnd } from "@tollgate/contract/values/strip-end";
import { z } from "zod/mini";
import type { BackupPlan } from "./jobs/scheduled-backup";
import { type RedisAddress, readRedisAddress } from "./shared-limits/read-redis-address";
import { readTracingSettings, type TracingSettings } from "./tracing/tracing-settings";

const milliseconds = (fallback: number) =>
  z._default(z.coerce.number().check(z.int(), z.positive(), z.lte(86_400_000)), fallback);

const calls = (fallback: number) =>
  z._default(z.coerce.number().check(z.int(), z.gte(0), z.lte(1_000_000)), fallback);

/** A blank variable counts as unset. */
const text = (fallback: string) => z._default(z.string(), fallback);

const environmentSchema = z.object({
  HOST: text("127.0.0.1"),
  PORT: z._default(z.coerce.number().check(z.int(), z.gte(0), z.lte(65_535)), 3000),
  DATA_DIR: text("./data"),
  INITIAL_ROOT_PASSWORD: z.optional(
    z.string().check(
      z.refine((password) => [...password].length >= 8 && [...password].length <= 20, {
        error: "must have 8 to 20 characters",
      }),
      // For example the line feed at the end of the file that it was read from: users do not type it when signing in.
      z.refine((password) => !/^\s|\s$|\p{Cc}/u.test(password), {
        error: "must not begin or end with a blank, or hold a line feed or another control character",
      }),
    ),
  ),
  ALLOW_DEFAULT_PASSWORD: z._default(z.enum(["0", "1"]), "0"),
  MASTER_KEY: z.optional(z.string()),
  DATABASE_URL: z.optional(z.string()),
  DATABASE_READ_URL: z.optional(z.string()),
  DATABASE_LISTEN_URL: z.optional(z.string()),
  REDIS_URL: z.optional(
    z.string().check(
      z.refine((address) => readRedisAddress(address) !== undefined, {
        error:
          "must be redis://user:password@host:port/number, rediss://… for TLS, or the path of a socket, with special characters of the password escaped (%40 for @)",
      }),
    ),
  ),
  METRICS_TOKEN: z.optional(
    z.string().check(
      z.refine((token) => /^[\x21-\x7e]{16,200}$/.test(token), {
        error: "must have 16 to 200 characters, without blanks (openssl rand -hex 32 makes one)",
      }),
    ),
  ),
  BACKUP_DIR: z.optional(z.string()),
  BACKUP_HOUR: z._default(z.coerce.number().check(z.int(), z.gte(0), z.lte(23)), 3),
  BACKUP_KEEP: z._default(z.coerce.number().check(z.int(), z.gte(1), z.lte(1000)), 7),
  NODE_NAME: z.optional(z.string().check(z.maxLength(100))),
  LOG_LEVEL: z._default(z.enum(["fatal", "error", "warn", "info", "debug", "trace", "silent"]), "info"),
  BODY_LIMIT_BYTES: z._default(
    z.coerce.number().check(z.int(), z.gte(1024), z.lte(1_073_741_824)),
    33_554_432,
  ),
  BODIES_LIMIT_BYTES: z._default(
    z.coerce.number().check(z.int(), z.gte(1024), z.lte(1_099_511_627_776)),
    1_073_741_824,
  ),
  CONNECT_TIMEOUT_MS: milliseconds(10_000),
  FIRST_BYTE_TIMEOUT_MS: milliseconds(300_000),
  IDLE_TIMEOUT_MS: milliseconds(300_000),
  CLIENT_STALL_TIMEOUT_MS: milliseconds(120_000),
  // Longer than nginx (60 s), AWS (60 s), Go's transport (90 s) and Caddy (120 s) keep an idle connection.
  KEEP_ALIVE_TIMEOUT_MS: milliseconds(130_000),
  DRAIN_TIMEOUT_MS: milliseconds(30_000),
  LEAVE_DELAY_MS: z.optional(z.coerce.number().check(z.int(), z.gte(0), z.lte(600_000))),
  KEY_PROBE_INTERVAL_MS: milliseconds(300_000),
  TRUSTED_PROXIES: text(""),
  ALLOWED_ORIGINS: text(""),
  CONSOLE_API_BASE_URL: z.optional(z.url({ protocol: /^https?$/ })),
  GLOBAL_API_RATE_LIMIT: calls(180),
  CRITICAL_RATE_LIMIT: calls(20),
  TURNSTILE_URL: text("https://challenges.cloudflare.com/turnstile/v0/siteverify"),
});

/** One of several nodes has a balancer before it, which asks it every second or so whether it is ready. */
const LEAVE_DELAY_MS = 2000;

/** A PostgreSQL database. Addresses may contain passwords: they are never logged or shown. */
export interface DatabaseSettings {
  address: string;
  /** A replica of the same database, for queries of the log. */
  readAddress: string | undefined;
  /** The same database without a pooler, for listening to other nodes' notifications. */
  listenAddress?: string | undefined;
}

/** Settings of the process, from the environment. */
export interface Config {
  host: string;
  /** 0 lets the system choose a free one. */
  port: number;
  dataDir: string;
  /** Root's initial password, set only while root has none; undefined prints a set-up link instead. */
  initialRootPassword: string | undefined;
  /** Whether root may have the default password, for callers on this machine. */
  allowsDefaultPassword: boolean;
  /** Base64 of at least 32 bytes; undefined keeps the key in a file of the data folder. */
  masterKey: string | undefined;
  /** The database that several nodes share; undefined where one process keeps its data in files. */
  database: DatabaseSettings | undefined;
  /** Counts limits for all nodes together; undefined where each node counts by itself. */
  redis: RedisAddress | undefined;
  /** A caller that presents it may read /metrics; undefined lets callers on this machine read it. */
  metricsToken: string | undefined;
  /** Collector of request traces; undefined without tracing. */
  tracing: TracingSettings | undefined;
  /** Undefined where no backups are made by themselves. */
  backups: BackupPlan | undefined;
  /** This process's name among the nodes. */
  nodeName: string;
  logLevel: string;
  /** The largest request body that /v1 accepts. */
  bodyLimitBytes: number;
  /** Memory limit for the bodies of all running /v1 requests; one user gets a quarter of it. */
  bodiesLimitBytes: number;
  connectTimeoutMs: number;
  firstByteTimeoutMs: number;
  idleTimeoutMs: number;
  /** Disconnects a client that reads nothing for this long. */
  clientStallTimeoutMs: number;
  /** Time after which an idle connection of a client is closed. */
  keepAliveTimeoutMs: number;
  /** Maximum time a stopping process waits for running requests. */
  drainTimeoutMs: number;
  /** Time a stopping process still accepts requests while reporting "not ready", so that a load balancer notices. */
  leaveDelayMs: number;
  /** Interval for probing automatically disabled keys. */
  keyProbeIntervalMs: number;
  /** Addresses and networks of proxies whose X-Forwarded-For is trusted. */
  trustedProxies: string;
  /** Origins of consoles on other servers that may call /api with the caller's cookie. */
  allowedOrigins: string;
  /** The gateway that the console served here calls, without a slash at its end; "" for this one. */
  consoleApiBaseUrl: string;
  /** Calls of /api per address and 3 minutes; 0 means no limit. */
  globalApiRateLimit: number;
  /** Calls for signing in, registering and codes per address and 20 minutes; 0 means no limit. */
  criticalRateLimit: number;
  /** Addresses of the sign-in services, by variable. */
  signInAddresses: Readonly<Record<string, string>>;
  /** Addresses of the payment services, by the names in their ports. */
  paymentAddresses: Readonly<Record<string, string>>;
  /** Verifies Turnstile tokens. */
  turnstileUrl: string;
}

/** @returns one line per variable that is of no use without another one. */
const findMissing = (env: z.infer<typeof environmentSchema>): string[] => {
  const lines: string[] = [];
  if (env.DATABASE_URL !== undefined && env.MASTER_KEY === undefined)
    lines.push(
      "MASTER_KEY: must be set where DATABASE_URL is, to the same key on all nodes (openssl rand -base64 32 makes one)",
    );
  if (env.DATABASE_URL === undefined && env.DATABASE_READ_URL !== undefined)
    lines.push("DATABASE_READ_URL: names a copy of the database that DATABASE_URL names, which is not set");
  if (env.DATABASE_URL === undefined && env.DATABASE_LISTEN_URL !== undefined)
    lines.push("DATABASE_LISTEN_URL: names the database that DATABASE_URL names, which is not set");
  return lines;
};

const refuse = (lines: readonly string[]): Error =>
  new Error(`the environment cannot be used:\n${lines.join("\n")}`);

/**
 * Reads the environment.
 * @throws Error with one line per variable that cannot be used.
 */
export const readConfig = (environment: NodeJS.ProcessEnv): Config => {
  const set = Object.fromEntries(Object.entries(environment).filter(([, value]) => value !== ""));
  const parsed = environmentSchema.safeParse(set);
  if (!parsed.success) {
    throw refuse(parsed.error.issues.map((issue) => `${issue.path.join(".")}: ${issue.message}`));
  }
  const env = parsed.data;
  const missing = findMissing(env);
  if (missing.length > 0) throw refuse(missing);
  const tracing = readTracingSettings(set);
  if (tracing && "faults" in tracing) throw refuse(tracing.faults);
  return {
    host: env.HOST,
    port: env.PORT,
    dataDir: env.DATA_DIR,
    initialRootPassword: env.INITIAL_ROOT_PASSWORD,
    allowsDefaultPassword: env.ALLOW_DEFAULT_PASSWORD === "1",
    masterKey: env.MASTER_KEY,
    database:
      env.DATABASE_URL === undefined
        ? undefined
        : {
            address: env.DATABASE_URL,
            readAddress: env.DATABASE_READ_URL,
            listenAddress: env.DATABASE_LISTEN_URL,
          },
    redis: env.REDIS_URL === undefined ? undefined : readRedisAddress(env.REDIS_URL),
    metricsToken: env.METRICS_TOKEN,
    tracing,
    backups:
      env.BACKUP_DIR === undefined
        ? undefined
        : { folder: resolve(env.BACKUP_DIR), hour: env.BACKUP_HOUR, keep: env.BACKUP_KEEP },
    nodeName: env.NODE_NAME ?? `${hostname()}:${env.PORT}`,
    logLevel: env.LOG_LEVEL,
    bodyLimitBytes: env.BODY_LIMIT_BYTES,
    bodiesLimitBytes: env.BODIES_LIMIT_BYTES,
    connectTimeoutMs: env.CONNECT_TIMEOUT_MS,
    firstByteTimeoutMs: env.FIRST_BYTE_TIMEOUT_MS,
    idleTimeoutMs: env.IDLE_TIMEOUT_MS,
    clientStallTimeoutMs: env.CLIENT_STALL_TIMEOUT_MS,
    keepAliveTimeoutMs: env.KEEP_ALIVE_TIMEOUT_MS,
    drainTimeoutMs: env.DRAIN_TIMEOUT_MS,
    leaveDelayMs: env.LEAVE_DELAY_MS ?? (env.DATABASE_URL === undefined ? 0 : LEAVE_DELAY_MS),
    keyProbeIntervalMs: env.KEY_PROBE_INTERVAL_MS,
    trustedProxies: env.TRUSTED_PROXIES,
    allowedOrigins: env.ALLOWED_ORIGINS,
    consoleApiBaseUrl: stripEnd(env.CONSOLE_API_BASE_URL ?? "", "/"),
    globalApiRateLimit: env.GLOBAL_API_RATE_LIMIT,
    criticalRateLimit: env.CRITICAL_RATE_LIMIT,
    signInAddresses: Object.fromEntries(
      Object.entries(SIGN_IN_ADDRESSES).map(([variable, address]) => [variable, set[variable] ?? address]),
    ),
    paymentAddresses: Object.fromEntries(
      Object.entries(PAYMENT_ADDRESSES).map(([variable, address]) => [variable, set[variable] ?? address]),
    ),
    turnstileUrl: env.TURNSTILE_URL,
  };
};
