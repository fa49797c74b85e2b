import type { Settings } from "../settings";
import type { Verdict } from "../verdicts";

/** One part of the bench: measures, prints its tables and says what it found about the budgets. */
export type Part = (settings: Settings) => Promise<Verdict[]>;
