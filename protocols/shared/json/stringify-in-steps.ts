import { ArgumentsText } from "../tools/arguments-text";
import { isRecord } from "./json-values";
import { cutText } from "./parse-in-steps";

/*
 * JSON.stringify for a value of many megabytes, in steps so that other requests run in between: writing and encoding
 * all of it in one step would take a tenth of a second.
 */

/** Maximum length written in one piece, in characters. */
const PIECE_LENGTH = 256 * 1024;
/** Output of one step, in characters: some milliseconds. */
const STEP_LENGTH = 1024 * 1024;
/** Cost of a value independent of its length, in characters. */
const COST_OF_VALUE = 64;

/** Approximate cost of writing a value. @param heavy collects the values to write in pieces. */
const weigh = (value: unknown, heavy?: Set<object>): number => {
  if (typeof value === "string") return value.length + COST_OF_VALUE;
  if (typeof value !== "object" || value === null) return COST_OF_VALUE;
  let weight = COST_OF_VALUE;
  if (value instanceof ArgumentsText) weight += value.length;
  else if (Array.isArray(value)) for (const item of value) weight += weigh(item, heavy);
  else for (const [name, item] of Object.entries(value)) weight += name.length + weigh(item, heavy);
  if (weight > PIECE_LENGTH) heavy?.add(value);
  return weight;
};

function* piecesOfText(text: string): Generator<string> {
  yield '"';
  for (let from = 0; from < text.length; ) {
    // Half a character would be written as an escape.
    const to = cutText(text, from, PIECE_LENGTH);
    yield JSON.stringify(text.slice(from, to)).slice(1, -1);
    from = to;
  }
  yield '"';
}

/** @returns pieces of text; undefined when other requests may run. */
function* piecesOf(value: unknown, heavy: Set<object>): Generator<string | undefined> {
  if (typeof value === "string" && value.length > PIECE_LENGTH) yield* piecesOfText(value);
  else if (typeof value !== "object" || value === null || !heavy.has(value))
    // Values unknown to JSON are null in a list.
    yield JSON.stringify(value) ?? "null";
  else if (value instanceof ArgumentsText) {
    const parsed = yield* value.parse();
    weigh(parsed, heavy);
    yield undefined;
    yield* piecesOf(parsed, heavy);
  } else if (Array.isArray(value)) {
    let separator = "[";
    for (const item of value) {
      yield separator;
      yield* piecesOf(item, heavy);
      separator = ",";
    }
    yield "]";
  } else {
    let separator = "{";
    for (const [name, item] of Object.entries(value)) {
      if (item === undefined) continue;
      yield `${separator}${JSON.stringify(name)}:`;
      yield* piecesOf(item, heavy);
      separator = ",";
    }
    yield separator === "{" ? "{}" : "}";
  }
}

/** Approximate cost of writing a value, in characters. */
export const weightOf = (value: object): number => weigh(value);

/**
 * Writes a parsed value, or one composed of parsed values, as JSON.
 * @param value without functions and `toJSON`, except for long arguments.
 * @returns its text in pieces, one per step.
 */
export function* textPieces(value: unknown): Generator<string> {
  const heavy = new Set<object>();
  weigh(value, heavy);
  yield "";
  let text = "";
  let cost = 0;
  for (const piece of piecesOf(value, heavy)) {
    if (piece !== undefined) {
      text += piece;
      cost += piece.length + COST_OF_VALUE;
      if (cost < STEP_LENGTH) continue;
    }
    yield text;
    text = "";
    cost = 0;
  }
  yield text;
}

/** The same as one list of bytes, in steps so that other requests run in between. */
export function* stringifyInSteps(value: unknown): Generator<undefined, Buffer[]> {
  const written: Buffer[] = [];
  for (const text of textPieces(value)) {
    if (text !== "") written.push(Buffer.from(text));
    yield;
  }
  return written;
}

/** Field names of call arguments and results that are objects in requests and answers. */
const ARGUMENT_NAMES: ReadonlySet<string> = new Set(["args", "input", "arguments", "response"]);

const written = new WeakMap<object, string>();

/** The arguments of a call as text. */
export const argumentsText = (value: object): string => written.get(value) ?? JSON.stringify(value);

/** The large arguments of calls; `heavy` contains all large values. */
function* largeArguments(value: object, heavy: ReadonlySet<object>): Generator<object> {
  if (Array.isArray(value)) {
    for (const item of value) if (heavy.has(item)) yield* largeArguments(item, heavy);
    return;
  }
  for (const [name, item] of Object.entries(value)) {
    if (!heavy.has(item)) continue;
    if (ARGUMENT_NAMES.has(name) && isRecord(item)) yield item;
    else yield* largeArguments(item, heavy);
  }
}

/**
 * Writes the large arguments of calls in a request or an answer, in steps so that other requests run in between.
 * Afterwards `argumentsText` returns them without delay.
 */
export function* writeArguments(body: unknown): Generator<undefined, void> {
  const heavy = new Set<object>();
  weigh(body, heavy);
  yield;
  if (!isRecord(body)) return;
  for (const item of largeArguments(body, heavy)) {
    const pieces: string[] = [];
    for (const piece of textPieces(item)) {
      pieces.push(piece);
      yield;
    }
    // Joined in a separate step: a concatenated text is copied together when it is first read.
    written.set(item, pieces.join(""));
    yield;
  }
}
