import { isHeavy, textPieces } from "./stringify-in-steps";

/** Stands around the number of a place. It can stand neither in JSON nor in the lines of a stream around it. */
const MARK = "\0";
/** What one step gives, about, in characters. */
const STEP_LENGTH = 256 * 1024;

/**
 * Writes JSON into a text that is put together at once, but leaves a place for what is large: places are filled later, in
 * steps.
 */
export class JsonPlaces {
  private values: object[] = [];

  /** Whether there is none. */
  get isEmpty(): boolean {
    return this.values.length === 0;
  }

  /** A value as JSON, or a place for it. */
  write(value: object): string {
    if (!isHeavy(value)) return JSON.stringify(value);
    this.values.push(value);
    return `${MARK}${this.values.length - 1}${MARK}`;
  }

  /**
   * The text with all of its places filled, in pieces, each of which is a step. Nothing else may have places.
   */
  *fill(text: string): Generator<Buffer | undefined, void> {
    const { values } = this;
    this.values = [];
    let waiting = "";
    let isPlace = false;
    for (const part of text.split(MARK)) {
      const pieces = isPlace ? textPieces(values[Number(part)]) : [part];
      isPlace = !isPlace;
      for (const piece of pieces) {
        waiting += piece;
        if (waiting.length < STEP_LENGTH) {
          if (piece === "") yield undefined;
          continue;
        }
        yield Buffer.from(waiting);
        waiting = "";
      }
    }
    if (waiting !== "") yield Buffer.from(waiting);
  }
}
