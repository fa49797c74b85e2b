import type { NameRules } from "./json-names";
import { JsonCuts, PieceParser } from "./json-pieces";
import { TEXT_BOUNDS } from "./safe-json";
import { JSON_BOUNDS, type JsonBounds, type JsonFault, JsonScan } from "./scan-json";

/** What one step looks at, or makes a text of: some milliseconds. */
export const STEP_BYTES = 2 * 1024 * 1024;

/** Why a text is not to be parsed, or what stands in it. */
export type Parsed = { fault: JsonFault } | { value: unknown };

const isWithinCharacter = (byte: number | undefined): boolean => byte !== undefined && (byte & 0xc0) === 0x80;
const LONGEST_CHARACTER = 4;

/** The nearest place that is within no character of UTF-8. */
const cutBefore = (bytes: Uint8Array, place: number): number => {
  let cut = place;
  while (cut > place - LONGEST_CHARACTER && isWithinCharacter(bytes[cut])) cut -= 1;
  return cut;
};

/** The text of some bytes, made in steps. */
function* decodeInSteps(bytes: Buffer, start: number, end: number): Generator<undefined, string> {
  let text = "";
  for (let from = start; from < end; ) {
    const to = from + STEP_BYTES < end ? cutBefore(bytes, from + STEP_BYTES) : end;
    text += bytes.toString("utf8", from, to);
    from = to;
    yield;
  }
  return text;
}

/** Parses what stands between two places, with a text before it and one behind. */
function* parsePiece(
  bytes: Buffer,
  before: string,
  from: number,
  to: number,
  after: string,
): Generator<undefined, unknown> {
  if (to - from <= STEP_BYTES) return JSON.parse(before + bytes.toString("utf8", from, to) + after);
  const text = before + (yield* decodeInSteps(bytes, from, to)) + after;
  // Whoever asks for a character of a text that was put together has its pieces copied into one. A parser does that first,
  // which takes half as long as parsing does.
  const isEmpty = Number.isNaN(text.charCodeAt(0));
  yield;
  const value: unknown = JSON.parse(isEmpty ? "" : text);
  // What is made of it is another step.
  yield;
  return value;
}

/** Lists and objects that are larger are parsed in pieces. */
export const PIECE_BYTES = 256 * 1024;

/**
 * Looks over a JSON text of many megabytes and parses it, in steps between which others may come: all of it at once would
 * take a tenth of a second, and a list of millions of numbers several. Only a single string is joined, and parsed, in one
 * step each.
 * @param rules which names may not be written otherwise; without them names are only counted.
 * @throws SyntaxError when it is no JSON.
 */
export function* parseInSteps(
  bytes: Buffer,
  bounds: JsonBounds = JSON_BOUNDS,
  rules?: NameRules,
  pieceBytes = PIECE_BYTES,
): Generator<undefined, Parsed> {
  const cuts = new JsonCuts(pieceBytes);
  const scan = new JsonScan(bytes, bounds, rules, cuts);
  while (!scan.isDone) {
    const fault = scan.read(STEP_BYTES);
    if (fault) return { fault };
    yield;
  }
  const parseText = (
    before: string,
    from: number,
    to: number,
    after: string,
  ): Generator<undefined, unknown> => parsePiece(bytes, before, from, to, after);
  const value = yield* new PieceParser(bytes, cuts, parseText).parse();
  // What is made of it is another step.
  yield;
  return { value };
}

/** The end of a slice of a text that is cut within no character. */
export const cutText = (text: string, from: number, length: number): number => {
  const to = from + length;
  if (to >= text.length) return text.length;
  const last = text.charCodeAt(to - 1);
  return last >= 0xd800 && last <= 0xdbff ? to - 1 : to;
};

/** The bytes of a text, made in steps. */
function* encodeInSteps(text: string): Generator<undefined, Buffer> {
  const pieces: Buffer[] = [];
  for (let from = 0; from < text.length; ) {
    const to = cutText(text, from, STEP_BYTES / 2);
    pieces.push(Buffer.from(text.slice(from, to)));
    from = to;
    yield;
  }
  return Buffer.concat(pieces);
}

/**
 * What `parseJson` does, of a text of many megabytes, in steps between which others may come.
 * @returns undefined when it is no JSON, or beyond what is read.
 */
export function* parseTextInSteps(text: string): Generator<undefined, unknown> {
  const bytes = yield* encodeInSteps(text);
  yield;
  try {
    const parsed = yield* parseInSteps(bytes, TEXT_BOUNDS);
    return "value" in parsed ? parsed.value : undefined;
  } catch {
    return undefined;
  }
}
