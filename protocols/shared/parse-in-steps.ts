import type { NameRules } from "./json-names";
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

/**
 * Looks over a JSON text of many megabytes and parses it, in steps between which others may come: all of it at once would
 * take a tenth of a second, most of it for characters beyond ASCII. Only joining the text and parsing it are one step each.
 * @param rules which names may not be written otherwise; without them names are only counted.
 * @throws SyntaxError when it is no JSON.
 */
export function* parseInSteps(
  bytes: Buffer,
  bounds: JsonBounds = JSON_BOUNDS,
  rules?: NameRules,
): Generator<undefined, Parsed> {
  const scan = new JsonScan(bytes, bounds, rules);
  while (!scan.isDone) {
    const fault = scan.read(STEP_BYTES);
    if (fault) return { fault };
    yield;
  }
  let text = "";
  for (let from = 0; from < bytes.length; ) {
    const to = from + STEP_BYTES < bytes.length ? cutBefore(bytes, from + STEP_BYTES) : bytes.length;
    text += bytes.toString("utf8", from, to);
    from = to;
    yield;
  }
  // Whoever asks for a character of a text that was put together has its pieces copied into one. A parser does that first,
  // which takes half as long as parsing does.
  const isEmpty = Number.isNaN(text.charCodeAt(0));
  yield;
  const value: unknown = JSON.parse(isEmpty ? "" : text);
  // What is made of it is another step.
  yield;
  return { value };
}
