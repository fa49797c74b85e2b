import type { Settings } from "../settings";
import type { Verdict } from "../verdicts";

/** One part of the bench: measures, prints its tables and returns the verdicts on its budgets. */
export type Part = (settings: Settings) => Promise<Verdict[]>;
