const QUOTE = 0x22;
const BACKSLASH = 0x5c;
const OPEN_LIST = 0x5b;
const CLOSE_LIST = 0x5d;
const OPEN_OBJECT = 0x7b;
const CLOSE_OBJECT = 0x7d;

/** Characters are looked at as numbers: one by one out of a text they take three times as long. */
const units = new Uint16Array(8 * 1024);
const bytes = Buffer.from(units.buffer);

/** From this length on, inspecting a piece takes a tenth of a millisecond and more. */
const LONG_PIECE = 128 * 1024;

/**
 * Detects the end of a JSON object that arrives in pieces. Every character is inspected once, however many pieces there
 * are: parsing everything again for each piece would take quadratic time.
 */
export class ObjectEnd {
  private hasEnded = false;
  /** A long piece, inspected only on request or when the next one arrives, because the result is mostly not needed. */
  private waiting = "";
  private depth = 0;
  private isInString = false;
  /** The next character is escaped. */
  private isEscaped = false;

  push(piece: string): void {
    this.readWaiting();
    if (piece.length > LONG_PIECE) this.waiting = piece;
    else this.readPiece(piece);
  }

  /** Every bracket that was opened is closed. */
  get isReached(): boolean {
    this.readWaiting();
    return this.hasEnded;
  }

  private readWaiting(): void {
    if (this.waiting === "") return;
    const piece = this.waiting;
    this.waiting = "";
    this.readPiece(piece);
  }

  private readPiece(piece: string): void {
    for (let from = 0; from < piece.length && !this.hasEnded; from += units.length) {
      const slice = piece.length <= units.length ? piece : piece.slice(from, from + units.length);
      this.read(bytes.write(slice, "utf16le") / 2);
    }
  }

  /** Looks at the first of `units`. */
  private read(length: number): void {
    let at = 0;
    while (at < length && !this.hasEnded) {
      if (this.isInString) at = this.readString(at, length);
      else {
        const sign = units[at] as number;
        at += 1;
        if (sign === QUOTE) this.isInString = true;
        else if (sign === OPEN_OBJECT || sign === OPEN_LIST) this.depth += 1;
        else if (sign === CLOSE_OBJECT || sign === CLOSE_LIST) {
          this.depth -= 1;
          this.hasEnded = this.depth <= 0;
        }
      }
    }
  }

  /** @returns the offset to continue at: after the string, or at the end. */
  private readString(from: number, to: number): number {
    let at = from;
    if (this.isEscaped) {
      this.isEscaped = false;
      at += 1;
    }
    while (at < to) {
      const sign = units[at] as number;
      at += 1;
      if (sign === QUOTE) {
        this.isInString = false;
        return at;
      }
      if (sign === BACKSLASH) {
        this.isEscaped = at === to;
        at += 1;
      }
    }
    return to;
  }
}
