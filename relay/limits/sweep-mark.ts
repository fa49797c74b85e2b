/** Tables below this size are left alone. */
const LEAST_ROWS = 1024;

/**
 * Decides when to sweep a table for obsolete rows: when it has grown to twice its size after the last sweep. The sweep
 * then costs at most two checks per added row.
 */
export class SweepMark {
  private at = LEAST_ROWS;

  isReached(rows: number): boolean {
    return rows >= this.at;
  }

  /** @param rows number of rows after the sweep. */
  set(rows: number): void {
    this.at = Math.max(LEAST_ROWS, 2 * rows);
  }
}
