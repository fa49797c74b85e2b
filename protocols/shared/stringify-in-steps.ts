/*
 * JSON.stringify of a value that makes many megabytes, in steps between which others may come: all of it at once, and its
 * bytes, would take a tenth of a second.
 */

/** What is written by itself in one piece, in characters. */
const PIECE_LENGTH = 256 * 1024;
/** What one step writes, in characters: some milliseconds. */
const STEP_LENGTH = 1024 * 1024;
/** What a value costs whatever its length, in characters. */
const COST_OF_VALUE = 64;

/** What it costs to write a value, about. @param heavy where those are added that are to be written in pieces. */
const weigh = (value: unknown, heavy: Set<object>): number => {
  if (typeof value === "string") return value.length + COST_OF_VALUE;
  if (typeof value !== "object" || value === null) return COST_OF_VALUE;
  let weight = COST_OF_VALUE;
  if (Array.isArray(value)) for (const item of value) weight += weigh(item, heavy);
  else for (const [name, item] of Object.entries(value)) weight += name.length + weigh(item, heavy);
  if (weight > PIECE_LENGTH) heavy.add(value);
  return weight;
};

const isHighSurrogate = (unit: number): boolean => unit >= 0xd800 && unit <= 0xdbff;

function* piecesOfText(text: string): Generator<string> {
  yield '"';
  for (let from = 0; from < text.length; ) {
    let to = Math.min(from + PIECE_LENGTH, text.length);
    // Half a character would be written as an escape.
    if (to < text.length && isHighSurrogate(text.charCodeAt(to - 1))) to -= 1;
    yield JSON.stringify(text.slice(from, to)).slice(1, -1);
    from = to;
  }
  yield '"';
}

function* piecesOf(value: unknown, heavy: ReadonlySet<object>): Generator<string> {
  if (typeof value === "string" && value.length > PIECE_LENGTH) yield* piecesOfText(value);
  else if (typeof value !== "object" || value === null || !heavy.has(value))
    // What JSON does not know is null in a list.
    yield JSON.stringify(value) ?? "null";
  else if (Array.isArray(value)) {
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

/**
 * Writes what was parsed, or put together of such, as JSON.
 * @param value without functions and `toJSON`.
 * @returns its bytes in pieces.
 */
export function* stringifyInSteps(value: unknown): Generator<undefined, Buffer[]> {
  const heavy = new Set<object>();
  weigh(value, heavy);
  yield;
  const written: Buffer[] = [];
  let text = "";
  let cost = 0;
  for (const piece of piecesOf(value, heavy)) {
    text += piece;
    cost += piece.length + COST_OF_VALUE;
    if (cost < STEP_LENGTH) continue;
    written.push(Buffer.from(text));
    text = "";
    cost = 0;
    yield;
  }
  written.push(Buffer.from(text));
  return written;
}
