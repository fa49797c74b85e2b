import type { Charge } from "../accounts/charges";
import type { AccountQueries } from "../accounts/ports";
import type { AccountCopies } from "./repeat-accounts";

/** The first days of a log, once more, each time so many days later. */
export interface Repetition {
  copies: number;
  days: number;
}

/** Where past usage is written, as if it had been relayed; on each engine the way that charges and lines go there. */
export interface PastUsage {
  queries: Pick<AccountQueries, "users" | "tokens" | "channels">;
  /** Copies what there is besides the log, before any usage is written. */
  repeatAccounts(copies: AccountCopies): Promise<void>;
  /** Charges into the accounts, the oldest first. */
  commit(charges: readonly Charge[]): Promise<void>;
  /** Moves the charges into the log. */
  takeOver(): Promise<void>;
  /**
   * Repeats the log, runs the upkeep that the product would have done long ago on a log that grew by itself, and
   * closes.
   * @param now unix seconds.
   */
  finish(repetition: Repetition | undefined, now: number): Promise<void>;
}
