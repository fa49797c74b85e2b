const OUTSIDE_STRING = /["{}[\]]/g;
const IN_STRING = /["\\]/g;

/**
 * Watches a JSON object that comes in pieces for its end. Every character is looked at once, however many the pieces are:
 * parsing all that has come with each of them would take the square of the length.
 */
export class ObjectEnd {
  /** Every bracket that was opened is closed. */
  isReached = false;
  private depth = 0;
  private isInString = false;
  /** The next character is escaped. */
  private isEscaped = false;

  push(piece: string): void {
    let at = this.isEscaped && piece !== "" ? 1 : 0;
    if (at === 1) this.isEscaped = false;
    while (at < piece.length && !this.isReached) {
      const pattern = this.isInString ? IN_STRING : OUTSIDE_STRING;
      pattern.lastIndex = at;
      const found = pattern.exec(piece);
      if (!found) return;
      at = found.index + 1;
      const [sign] = found;
      if (sign === "\\") {
        this.isEscaped = at === piece.length;
        at += 1;
      } else if (sign === '"') this.isInString = !this.isInString;
      else this.turn(sign);
    }
  }

  private turn(bracket: string): void {
    this.depth += bracket === "{" || bracket === "[" ? 1 : -1;
    this.isReached = this.depth <= 0;
  }
}
