import { type Pooling, startPgbouncer } from "@tollgate/testkit/pgbouncer-server";
import { startPostgres } from "@tollgate/testkit/postgres-server";
import type { TestProject } from "vitest/node";

declare module "vitest" {
  interface ProvidedContext {
    /** Address of the server's own database, whose user may make others. */
    postgresAddress: string;
  }
}

/** Puts PgBouncer between all tests and the server: what belongs to a session shows by its failing. */
const POOLING = process.env.TOLLGATE_TEST_POOLING as Pooling | undefined;

/** Each test has a database, and the server has connections for a few of these at once. */
const FREED_SOON = { default_pool_size: "12", server_idle_timeout: "1" };

/** One server for all test files; each test has a database of its own on it. */
export default async ({ provide }: TestProject): Promise<() => Promise<void>> => {
  const server = await startPostgres();
  const pooler = POOLING ? await startPgbouncer(server.address(), POOLING, FREED_SOON) : undefined;
  provide("postgresAddress", (pooler ?? server).address());
  return async () => {
    await pooler?.stop();
    await server.stop();
  };
};
