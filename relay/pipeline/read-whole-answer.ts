import { parseInSteps } from "@tollgate/protocols/shared/json/parse-in-steps";
import { parseJson } from "@tollgate/protocols/shared/json/safe-json";
import { type JsonBounds, MAX_JSON_DEPTH, scanJson } from "@tollgate/protocols/shared/json/scan-json";
import { writeArguments } from "@tollgate/protocols/shared/json/stringify-in-steps";
import { decodeUtf8 } from "../decode-utf8";

/** The largest answer in one piece that is read: far above any model's output, but a bound on memory. */
export const MAX_ANSWER_BYTES = 64 * 1024 * 1024;
/** No answer up to this size can be out of bounds except in its depth, which `parseJson` checks. */
const HARMLESS_BYTES = 64 * 1024;
/** Values any answer may have, whatever its size; and the bytes required for each further value. */
const FREE_VALUES = 2_000_000;
const BYTES_PER_VALUE = 8;
const BLANK = 0x20;

/** An answer may be larger than a request: embeddings are millions of numbers, but each is a dozen digits. */
const boundsOf = (size: number): JsonBounds => ({
  maxDepth: MAX_JSON_DEPTH,
  maxValues: FREE_VALUES + size / BYTES_PER_VALUE,
  // Its vectors and results are some thousand.
  maxContainers: 400_000,
  maxNames: 1_000_000,
  maxShapes: 16_384,
  maxEscapes: MAX_ANSWER_BYTES,
  maxLooseBytes: MAX_ANSWER_BYTES,
});

/** Parses an answer. @returns undefined when it is no JSON or out of bounds. */
export const readWholeAnswer = (bytes: Buffer): unknown => {
  const bounds = boundsOf(bytes.length);
  const isTooMuch = bytes.length > HARMLESS_BYTES && scanJson(bytes, bounds) !== undefined;
  return isTooMuch ? undefined : parseJson(decodeUtf8(bytes), bounds.maxValues);
};

/** Parses a large answer; returns undefined when it is out of bounds. @throws SyntaxError when it is not JSON. */
export function* readLargeAnswer(bytes: Buffer): Generator<undefined, unknown> {
  const parsed = yield* parseInSteps(bytes, boundsOf(bytes.length));
  if (!("value" in parsed)) return undefined;
  yield* writeArguments(parsed.value);
  return parsed.value;
}

/**
 * Whether all bytes are blanks and line ends: some upstreams keep the connection alive with them before a whole answer.
 */
export const isBlank = (chunk: Buffer): boolean => {
  for (const byte of chunk) if (byte > BLANK) return false;
  return true;
};
