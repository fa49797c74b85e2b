import { BytePieces } from "@tollgate/protocols/shared/json/byte-pieces";
import { JsonCondenser } from "@tollgate/protocols/shared/json/json-condenser";

const DATA = "data:";
const EMPTY = Buffer.alloc(0);

/**
 * A line of a stream that is too long to be held until its end: it is inspected piece by piece. All pieces but the last
 * may be passed on. An event takes effect at the end of its line, so the client sees no event before it is metered
 * here.
 */
export class LargeLine {
  /** Pieces that must be held back for now. */
  private readonly waiting = new BytePieces();
  private beginning: Buffer | undefined = EMPTY;
  private condenser: JsonCondenser | undefined;

  push(piece: Buffer): void {
    this.waiting.push(piece);
    if (this.beginning === undefined) {
      this.condenser?.push(piece);
      return;
    }
    this.beginning = Buffer.concat([this.beginning, piece]);
    if (this.beginning.length < DATA.length) return;
    if (this.beginning.toString("latin1", 0, DATA.length) === DATA) {
      this.condenser = new JsonCondenser();
      this.condenser.push(this.beginning.subarray(DATA.length));
    }
    this.beginning = undefined;
  }

  /** Returns the pieces that may be passed on. */
  takePassable(): Buffer[] {
    const pieces = this.waiting.takePieces();
    const last = pieces.pop();
    if (last) this.waiting.push(last);
    return pieces;
  }

  /** Gives out the rest, once the line has ended. */
  takeRest(): Buffer[] {
    return this.waiting.takePieces();
  }

  /** Whether it is an event's data rather than a comment. */
  get isData(): boolean {
    return this.condenser !== undefined;
  }

  /** The data without its long strings; undefined when it is too large even so. */
  data(): string | undefined {
    return this.condenser?.end()?.trim();
  }
}
