import { isRecord, type JsonRecord } from "../json/json-values";
import { parseTextInSteps } from "../json/parse-in-steps";
import { parseToolArguments, unreadArguments } from "./tool-arguments";

/** From this length on arguments are parsed when they are written. */
const LONG_ARGUMENTS = 256 * 1024;

/**
 * The long arguments of a tool call where an object is to stand: they are parsed when they are written, at once by
 * JSON.stringify, or in steps.
 */
export class ArgumentsText {
  constructor(private readonly text: string) {}

  get length(): number {
    return this.text.length;
  }

  toJSON(): JsonRecord {
    return parseToolArguments(this.text);
  }

  /** The same in steps between which others may come. */
  *parse(): Generator<undefined, JsonRecord> {
    const value = yield* parseTextInSteps(this.text);
    return isRecord(value) ? value : unreadArguments(this.text);
  }
}

/** The arguments of a tool call as they are to be written where an object stands. @see parseToolArguments */
export const argumentsObject = (text: string): JsonRecord | ArgumentsText =>
  text.length > LONG_ARGUMENTS ? new ArgumentsText(text) : parseToolArguments(text);
