import type { NameRules } from "./json-names";
import { JsonCuts, PieceParser } from "./json-pieces";
import { TEXT_BOUNDS } from "./safe-json";
import { JSON_BOUNDS, type JsonBounds, type JsonFault, JsonScan } from "./scan-json";

/** Bytes scanned or decoded per step: some milliseconds. */
export const STEP_BYTES = 2 * 1024 * 1024;

/** The reason for not parsing a text, or its value. */
export type Parsed = { fault: JsonFault } | { value: unknown };

const isWithinCharacter = (byte: number | undefined): boolean => byte !== undefined && (byte & 0xc0) === 0x80;
const LONGEST_CHARACTER = 4;

/** The nearest offset that is not inside a UTF-8 character. */
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

/** Parses a range, with a text before and after it. */
function* parsePiece(
  bytes: Buffer,
  before: string,
  from: number,
  to: number,
  after: string,
): Generator<undefined, unknown> {
  if (to - from <= STEP_BYTES) return JSON.parse(before + bytes.toString("utf8", from, to) + after);
  const text = before + (yield* decodeInSteps(bytes, from, to)) + after;
  // Reading a character of a concatenated text copies its pieces into one. A parser would do that first, which takes
  // half as long as parsing itself.
  const isEmpty = Number.isNaN(text.charCodeAt(0));
  yield;
  const value: unknown = JSON.parse(isEmpty ? "" : text);
  // Separates parsing from this step.
  yield;
  return value;
}

/** Lists and objects that are larger are parsed in pieces. */
export const PIECE_BYTES = 256 * 1024;

/**
 * Scans and parses a JSON text of many megabytes in steps, so that other requests run in between: all of it in one step
 * would take a tenth of a second, and a list of millions of numbers several. Only a single string is joined and parsed
 * in one step each.
 * @param rules names that must have their exact spelling; without them names are only counted.
 * @throws SyntaxError when it is not JSON.
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
  // Separates parsing from this step.
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
 * The same as `parseJson`, for a text of many megabytes, in steps so that other requests run in between.
 * @returns undefined when it is not JSON, or exceeds the limits.
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
