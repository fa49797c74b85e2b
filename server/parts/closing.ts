/** Steps that close what a product opened: the last opened is closed first. */
export class Closing {
  private readonly steps: (() => unknown)[] = [];

  /** @param step closes something; everything that was opened later is closed before it. */
  add(step: () => unknown): void {
    this.steps.push(step);
  }

  /** Closes everything, one after another. */
  async close(): Promise<void> {
    for (const step of this.steps.toReversed()) await step();
  }
}
