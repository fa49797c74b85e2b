import { startRedis } from "@tollgate/testkit/redis-server";
import type { TestProject } from "vitest/node";

declare module "vitest" {
  interface ProvidedContext {
    /** The socket of the server. */
    redisAddress: string;
  }
}

/** One server for all test files; each test has its own prefix on it. */
export default async ({ provide }: TestProject): Promise<() => Promise<void>> => {
  const server = await startRedis();
  provide("redisAddress", server.address);
  return server.stop;
};
