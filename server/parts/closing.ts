/** Steps that close the parts of a gateway, in reverse order of opening. */
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
