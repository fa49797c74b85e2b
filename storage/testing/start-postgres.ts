import { startPostgres } from "@tollgate/testkit/postgres-server";
import type { TestProject } from "vitest/node";

declare module "vitest" {
  interface ProvidedContext {
    /** Address of the server's own database, whose user may make others. */
    postgresAddress: string;
  }
}

/** One server for all test files; each test has a database of its own on it. */
export default async ({ provide }: TestProject): Promise<() => Promise<void>> => {
  const server = await startPostgres();
  provide("postgresAddress", server.address());
  return server.stop;
};
