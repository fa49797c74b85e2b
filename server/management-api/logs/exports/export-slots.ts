/** Maximum number of exports at the same time in one process: each queries one page of rows after another. */
const MAX_AT_ONCE = 4;
/** Exports by users of their own lines, who may be slow-reading strangers: one slot is left for administrators. */
const MAX_OWN = 3;
/** For one caller, so that no caller keeps the others from theirs. */
const MAX_OF_ONE = 1;

/** Counts the exports that are being written. */
export class ExportSlots {
  private readonly byCaller = new Map<number, number>();
  private all = 0;
  private own = 0;

  /** @param isOwn for the caller's own rows. @returns releases the slot; undefined when none is free. */
  take(callerId: number, isOwn: boolean): (() => void) | undefined {
    const ofCaller = this.byCaller.get(callerId) ?? 0;
    if (this.all >= MAX_AT_ONCE || ofCaller >= MAX_OF_ONE) return undefined;
    if (isOwn && this.own >= MAX_OWN) return undefined;
    this.all += 1;
    if (isOwn) this.own += 1;
    this.byCaller.set(callerId, ofCaller + 1);
    let isTaken = true;
    return () => {
      if (!isTaken) return;
      isTaken = false;
      this.all -= 1;
      if (isOwn) this.own -= 1;
      const left = (this.byCaller.get(callerId) ?? 1) - 1;
      if (left > 0) this.byCaller.set(callerId, left);
      else this.byCaller.delete(callerId);
    };
  }
}
