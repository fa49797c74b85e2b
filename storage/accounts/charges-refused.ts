import { ChargesRefused } from "../errors";

/** What was thrown over charges, where it would be thrown again. */
export const chargesRefused = (error: unknown): ChargesRefused =>
  new ChargesRefused(error instanceof Error ? error.message : String(error), { cause: error });
