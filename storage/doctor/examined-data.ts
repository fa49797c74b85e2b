import type { DataReader } from "./data-reader";
import type { WaitingEntries } from "./waiting-entries";

/** The data of the product at one moment, on any engine. */
export interface ExaminedData {
  /** The accounts. */
  main: DataReader;
  log: DataReader;
  /** Charges without a log line. */
  waiting: WaitingEntries;
  /** Whether nodes may lease some of the balances: there are tables of it then. */
  hasLeases: boolean;
  /** Whether the log knows everything that was ever used: see the first migration of the accounts. */
  isLogComplete: boolean;
}
