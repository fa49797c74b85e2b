import type { Change } from "@tollgate/contract/records/change";

/**
 * Tells what was changed, once it is stored and in memory. Listeners are called at once and in the order in which they
 * subscribed; one that fails takes nothing from the others, nor from the caller that made the change.
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
