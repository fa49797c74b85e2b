import { randomBytes } from "node:crypto";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { type Balancer, startBalancer } from "@tollgate/demo/balancer";
import { type FakeUpstream, startFakeUpstream } from "@tollgate/testkit/fake-upstream/fake-upstream";
import { keepContractRatio } from "@tollgate/testkit/keep-contract-ratio";
import { type RestartablePostgres, startRestartablePostgres } from "@tollgate/testkit/postgres-server";
import { type RedisServer, startRedis } from "@tollgate/testkit/redis-server";
import { type ServerProcess, startServer } from "@tollgate/testkit/server-process";
import pg from "pg";
import { addChannel, type Session, signInAsRoot } from "../api/relay/stage";

/** The only model: 0.75 of quota for a token that is read, twice that for one that is written. */
export const MODEL = "gpt-3.5-turbo";

/** What an answer of that model costs. */
export const priceOf = ({ input, output }: { input: number; output: number }): number =>
  Math.ceil((input + 2 * output) * 0.75);

/** Several nodes as a site has them: PostgreSQL, Redis, a balancer before them, an upstream behind them. */
export interface Site {
  readonly nodes: ServerProcess[];
  readonly balancer: Balancer;
  readonly upstream: FakeUpstream;
  readonly postgres: RestartablePostgres;
  /** Root's session, at the balancer: any node may answer. */
  readonly root: Session;
  /** Asks the database itself, on a connection of its own, which outlives nothing. */
  ask<Row extends object>(text: string, values?: unknown[]): Promise<Row[]>;
  /** Starts a node that ended, at its old address. */
  startNode(index: number): Promise<void>;
  stopRedis(): Promise<void>;
  startRedis(): Promise<void>;
  close(): Promise<void>;
}

/** What a site is started with. */
export interface SitePlan {
  nodes: number;
  hasRedis?: boolean;
  /** More for each node's environment. */
  env?: Record<string, string>;
  /** The built product's main file of each node, where it is not this checkout's. */
  mains?: readonly (string | undefined)[];
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
  env = {},
  mains = [],
}: SitePlan): Promise<Site> => {
  readWholeNumbers();
  const [postgres, upstream] = await Promise.all([startRestartablePostgres(), startFakeUpstream()]);
  let redis: RedisServer | undefined = hasRedis ? await startRedis() : undefined;
  const redisAddress = redis?.address;
  const folders = Array.from({ length: count }, () => mkdtempSync(join(tmpdir(), "tollgate-node-")));
  const shared = {
    DATABASE_URL: postgres.address(),
    MASTER_KEY: randomBytes(32).toString("base64"),
    TRUSTED_PROXIES: "127.0.0.1",
    ...(redisAddress === undefined ? {} : { REDIS_URL: redisAddress }),
    ...env,
  };
  const start = (index: number, port = "0"): Promise<ServerProcess> => {
    const main = mains[index];
    return startServer({
      dataDir: folders[index] as string,
      env: { ...shared, NODE_NAME: `node-${index}`, PORT: port },
      ...(main === undefined ? {} : { main }),
    });
  };
  const nodes = await Promise.all(folders.map((_, index) => start(index)));
  const balancer = await startBalancer(nodes.map(({ url }) => url));
  const root = await signInAsRoot(balancer.url);
  await keepContractRatio(root);
  await addChannel(root, { base_url: upstream.url, models: MODEL });

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
    root,
    ask,
    async startNode(index) {
      nodes[index] = await start(index, new URL((nodes[index] as ServerProcess).url).port);
    },
    async stopRedis() {
      await redis?.stop();
      redis = undefined;
    },
    async startRedis() {
      redis = await startRedis(redisAddress);
    },
    async close() {
      await balancer.close();
      for (const { pid } of nodes) continueProcess(pid);
      await Promise.all(nodes.map((node) => node.stop()));
      await Promise.all([upstream.close(), postgres.stop(), redis?.stop()]);
      for (const folder of folders) rmSync(folder, { recursive: true, force: true });
    },
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
