import { randomBytes } from "node:crypto";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { type Balancer, startBalancer } from "@tollgate/demo/balancer";
import { type FakeUpstream, startFakeUpstream } from "@tollgate/testkit/fake-upstream/fake-upstream";
import { keepContractRatio } from "@tollgate/testkit/keep-contract-ratio";
import { type Pgbouncer, type Pooling, startPgbouncer } from "@tollgate/testkit/pgbouncer-server";
import { type RestartablePostgres, startRestartablePostgres } from "@tollgate/testkit/postgres-server";
import { type RedisServer, startRedis } from "@tollgate/testkit/redis-server";
import { type ServerProcess, startServer } from "@tollgate/testkit/server-process";
import pg from "pg";
import { addChannel, type Session, signIn } from "../api/relay/stage";

/** The usual model: 0.75 of quota for a token that is read, twice that for one that is written. */
export const MODEL = "gpt-3.5-turbo";

export const ROOT_PASSWORD = "root-password";

/** A model that costs twenty times as much. A test that asks for it adds it to a channel. */
export const DEAR_MODEL = "gpt-4";

const RATIOS: Readonly<Record<string, number>> = { [MODEL]: 0.75, [DEAR_MODEL]: 15 };

/** The price of an answer. */
export const priceOf = ({ input, output }: { input: number; output: number }, model = MODEL): number =>
  Math.ceil((input + 2 * output) * (RATIOS[model] ?? Number.NaN));

/** Several nodes as a site has them: PostgreSQL, Redis, a balancer before them, an upstream behind them. */
export interface Site {
  readonly nodes: ServerProcess[];
  readonly balancer: Balancer;
  readonly upstream: FakeUpstream;
  readonly postgres: RestartablePostgres;
  /** Between the nodes and PostgreSQL, where the plan names one. */
  readonly pooler: Pgbouncer | undefined;
  /** Environment of all nodes, and of commands beside them. */
  readonly env: Readonly<Record<string, string>>;
  /** Root's session, at the balancer: any node may answer. */
  readonly root: Session;
  /** Asks the database itself, on a connection of its own, which outlives nothing. */
  ask<Row extends object>(text: string, values?: unknown[]): Promise<Row[]>;
  /** Starts a node that ended, at its old address. @param main the built product's, where it is not this checkout's. */
  startNode(index: number, main?: string): Promise<void>;
  stopRedis(): Promise<void>;
  startRedis(): Promise<void>;
  close(): Promise<void>;
}

/** What a site is started with. */
export interface SitePlan {
  nodes: number;
  hasRedis?: boolean;
  /** Puts PgBouncer between the nodes and PostgreSQL. */
  pooling?: Pooling;
  /** More for each node's environment. */
  env?: Record<string, string>;
}

/** Quotas and sums are exact in JavaScript, or the test does not mean what it says. */
const readWholeNumbers = (): void => {
  for (const type of [20, 1700]) {
    pg.types.setTypeParser(type, (text) => {
      const value = Number(text);
      if (!Number.isSafeInteger(value)) throw new Error(`${text} is no exact number`);
      return value;
    });
  }
};

/**
 * Starts everything, all nodes at the same time on an empty database.
 * @throws Error with what was said by what does not start.
 */
export const startSite = async ({
  nodes: count,
  hasRedis = true,
  pooling,
  env = {},
}: SitePlan): Promise<Site> => {
  readWholeNumbers();
  const [postgres, upstream] = await Promise.all([startRestartablePostgres(), startFakeUpstream()]);
  const pooler = pooling && (await startPgbouncer(postgres.address(), pooling));
  let redis: RedisServer | undefined = hasRedis ? await startRedis() : undefined;
  const redisAddress = redis?.address;
  const folders = Array.from({ length: count }, () => mkdtempSync(join(tmpdir(), "tollgate-node-")));
  const shared = {
    DATABASE_URL: (pooler ?? postgres).address(),
    MASTER_KEY: randomBytes(32).toString("base64"),
    TRUSTED_PROXIES: "127.0.0.1",
    // The well-known password does not work through a proxy.
    INITIAL_ROOT_PASSWORD: ROOT_PASSWORD,
    // The balancer asks four times a second.
    LEAVE_DELAY_MS: "1000",
    // As the guide has it: what is told by NOTIFY does not come through.
    ...(pooling === "transaction" ? { DATABASE_LISTEN_URL: postgres.address() } : {}),
    ...(redisAddress === undefined ? {} : { REDIS_URL: redisAddress }),
    ...env,
  };
  const start = (index: number, port = "0", main?: string): Promise<ServerProcess> =>
    startServer({
      dataDir: folders[index] as string,
      env: { ...shared, NODE_NAME: `node-${index}`, PORT: port },
      ...(main === undefined ? {} : { main }),
    });
  const nodes = await Promise.all(folders.map((_, index) => start(index)));
  const balancer = await startBalancer(nodes.map(({ url }) => url));
  const close = async (): Promise<void> => {
    await balancer.close();
    for (const { pid } of nodes) continueProcess(pid);
    await Promise.all(nodes.map((node) => node.stop()));
    await Promise.all([upstream.close(), postgres.stop(), pooler?.stop(), redis?.stop()]);
    for (const folder of folders) rmSync(folder, { recursive: true, force: true });
  };
  const setUp = async (): Promise<Session> => {
    const root = await signIn(balancer.url, "root", ROOT_PASSWORD);
    await keepContractRatio(root);
    await addChannel(root, { base_url: upstream.url, models: MODEL });
    return root;
  };
  const root = await setUp().catch(async (error: unknown) => {
    await close();
    throw error;
  });

  const ask = async <Row extends object>(text: string, values?: unknown[]): Promise<Row[]> => {
    const client = new pg.Client({ connectionString: postgres.address(), application_name: "client's book" });
    client.on("error", () => undefined);
    await client.connect();
    try {
      return (await client.query<Row>(text, values)).rows;
    } finally {
      await client.end();
    }
  };

  return {
    nodes,
    balancer,
    upstream,
    postgres,
    pooler,
    env: shared,
    root,
    ask,
    async startNode(index, main) {
      nodes[index] = await start(index, new URL((nodes[index] as ServerProcess).url).port, main);
    },
    async stopRedis() {
      await redis?.stop();
      redis = undefined;
    },
    async startRedis() {
      redis = await startRedis(redisAddress);
    },
    close,
  };
};

/** Lets a process go on that was stopped; one that has ended stays so. */
export const continueProcess = (pid: number): void => {
  try {
    process.kill(pid, "SIGCONT");
  } catch {
    // It has ended.
  }
};
