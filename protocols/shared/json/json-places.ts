import { textPieces, weightOf } from "./stringify-in-steps";

/** Stands around the number of a place. It can stand neither in JSON nor in the lines of a stream around it. */
const MARK = "\0";
/** What one step gives, about, in characters. */
const STEP_LENGTH = 256 * 1024;
/** So much is put together at once, in characters. */
const TOGETHER_LENGTH = 1024 * 1024;

const piecesOf = ({ value, isHeavy }: { value: object; isHeavy: boolean }): Iterable<string> =>
  isHeavy ? textPieces(value) : [JSON.stringify(value)];

/**
 * Writes JSON into a text that is put together at once, but leaves a place for what is large, or comes behind much:
 * places are filled later, in steps. What is written must stay as it is until then.
 */
export class JsonPlaces {
  private values: { value: object; isHeavy: boolean }[] = [];
  /** What was written, and not left a place, since the last places were filled, in characters. */
  private together = 0;

  /** Whether there is none. */
  get isEmpty(): boolean {
    return this.values.length === 0;
  }

  /** A value as JSON, or a place for it. */
  write(value: object): string {
    const weight = weightOf(value);
    const isHeavy = weight > STEP_LENGTH;
    if (!isHeavy && this.together + weight <= TOGETHER_LENGTH) {
      this.together += weight;
      return JSON.stringify(value);
    }
    this.values.push({ value, isHeavy });
    return `${MARK}${this.values.length - 1}${MARK}`;
  }

  /**
   * The text with all of its places filled, in pieces, each of which is a step. Nothing else may have places.
   */
  *fill(text: string): Generator<Buffer | undefined, void> {
    const { values } = this;
    this.values = [];
    this.together = 0;
    let waiting = "";
    let isPlace = false;
    for (const part of text.split(MARK)) {
      const place = isPlace ? values[Number(part)] : undefined;
      const pieces = place ? piecesOf(place) : [part];
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
