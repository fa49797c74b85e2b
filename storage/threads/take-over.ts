import type { JournalTarget } from "../journal/journal-target";
import type { OutboxSource, OutboxTarget } from "../outbox/outbox-ends";

/** Moves charges from the journal to the accounts, and lines from there to the log: for the client alone. */
export interface TakeOver {
  charges: JournalTarget;
  outbox: OutboxSource;
  log: OutboxTarget;
}
