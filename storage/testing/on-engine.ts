import { inject } from "vitest";
import type {} from "./start-postgres";

/**
 * The same tests run on every engine: where a PostgreSQL server was started for them, on that one, else on SQLite
 * (vitest.config.ts).
 */
export const onEngine = <Adapter>(adapters: { sqlite: Adapter; postgres: Adapter }): Adapter =>
  inject("postgresAddress") === undefined ? adapters.sqlite : adapters.postgres;
