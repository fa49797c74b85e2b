import { ChargesRefused } from "../errors";

/** Wraps an error over charges that would fail in the same way when retried. */
export const chargesRefused = (error: unknown): ChargesRefused =>
  new ChargesRefused(error instanceof Error ? error.message : String(error), { cause: error });
