import type { Change } from "@tollgate/contract/records/change";

/**
 * Announces changes, once they are stored and in memory. Listeners are called synchronously in the order of their
 * subscription; a failing one affects neither the others nor the caller that made the change.
 */
export class ChangeFeed {
  private readonly listeners: ((change: Change) => void)[] = [];

  constructor(private readonly reportError: (error: Error) => void) {}

  subscribe(listener: (change: Change) => void): void {
    this.listeners.push(listener);
  }

  readonly announce = (change: Change): void => {
    for (const listener of this.listeners) {
      try {
        listener(change);
      } catch (error) {
        this.reportError(error instanceof Error ? error : new Error(String(error)));
      }
    }
  };
}
