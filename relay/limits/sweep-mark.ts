/** Tables below this size are left alone. */
const LEAST_ROWS = 1024;

/**
 * Says when to look through a table for rows of no further use: when it has grown to twice what was left of it the last
 * time. Each row that is added so pays for looking at two.
 */
export class SweepMark {
  private at = LEAST_ROWS;

  isReached(rows: number): boolean {
    return rows >= this.at;
  }

  /** @param rows what was left. */
  set(rows: number): void {
    this.at = Math.max(LEAST_ROWS, 2 * rows);
  }
}
