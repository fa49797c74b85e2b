import { mkdtempSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { type RedisServer, startRedisIn } from "@tollgate/demo/redis-server";

export type { RedisServer };

/**
 * Starts this machine's Redis or Valkey for tests.
 * @param again the socket of a stopped server, to replace it.
 * @throws Error that names the missing program.
 */
export const startRedis = (again?: string): Promise<RedisServer> =>
  startRedisIn(again === undefined ? mkdtempSync(join(tmpdir(), "tollgate-redis-")) : dirname(again));
