import { textPieces, weightOf } from "./stringify-in-steps";

/** Delimits the number of a placeholder. It occurs neither in JSON nor in the lines of a stream. */
const MARK = "\0";
/** Approximate output of one step, in characters. */
const STEP_LENGTH = 256 * 1024;
/** Maximum length written immediately, in characters. */
const TOGETHER_LENGTH = 1024 * 1024;

const piecesOf = ({ value, isHeavy }: { value: object; isHeavy: boolean }): Iterable<string> =>
  isHeavy ? textPieces(value) : [JSON.stringify(value)];

/**
 * Writes JSON into a text immediately, but inserts placeholders for large values, and for all values after much output:
 * these are filled later, in steps. The written values must not change until then.
 */
export class JsonPlaceholders {
  private values: { value: object; isHeavy: boolean }[] = [];
  /** Length written without placeholders since the last were filled, in characters. */
  private together = 0;

  get isEmpty(): boolean {
    return this.values.length === 0;
  }

  /** A value as JSON, or a placeholder for it. */
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

  /** The text with all placeholders filled, in pieces, one per step. No other text may contain placeholders. */
  *fill(text: string): Generator<Buffer | undefined, void> {
    const { values } = this;
    this.values = [];
    this.together = 0;
    let waiting = "";
    let isPlaceholder = false;
    for (const part of text.split(MARK)) {
      const value = isPlaceholder ? values[Number(part)] : undefined;
      const pieces = value ? piecesOf(value) : [part];
      isPlaceholder = !isPlaceholder;
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
