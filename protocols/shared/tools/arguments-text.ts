import { isRecord, type JsonRecord } from "../json/json-values";
import { parseTextInSteps } from "../json/parse-in-steps";
import { parseToolArguments, unreadArguments } from "./tool-arguments";

/** From this length on, arguments are parsed only when they are written. */
const LONG_ARGUMENTS = 256 * 1024;

/**
 * Long arguments of a tool call in place of an object: they are parsed when they are written, immediately by
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

  /** The same in steps, so that other requests run in between. */
  *parse(): Generator<undefined, JsonRecord> {
    const value = yield* parseTextInSteps(this.text);
    return isRecord(value) ? value : unreadArguments(this.text);
  }
}

/** The arguments of a tool call for a field that requires an object. @see parseToolArguments */
export const argumentsObject = (text: string): JsonRecord | ArgumentsText =>
  text.length > LONG_ARGUMENTS ? new ArgumentsText(text) : parseToolArguments(text);
