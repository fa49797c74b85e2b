/**
 * A tokenizer takes time in the square of a word's length, and treats a run of letters, of digits, of signs or of
 * spaces as a word. Every character is either a space or not, so these two kinds of runs cover all others.
 */
export const MAX_RUN = 200;
const LONG_RUN = new RegExp(`\\S{${MAX_RUN}}|\\s{${MAX_RUN}}`, "gu");

/** So much at most is counted without looking at the clock. */
export const MAX_PIECE = 8192;

/** The start of a word after a space: the text before it is counted alike with and without it. */
const isWordStart = (text: string, at: number): boolean =>
  text[at] === " " && /\S/.test(text[at - 1] ?? " ") && /\S/.test(text[at + 1] ?? " ");

/** The index to cut between two long runs: before a word if possible, else anywhere between characters. */
const cutBefore = (text: string, from: number, end: number): number => {
  for (let at = end; at > from + MAX_PIECE / 2; at -= 1) if (isWordStart(text, at)) return at;
  const code = text.charCodeAt(end);
  return code >= 0xdc00 && code <= 0xdfff ? end - 1 : end;
};

function* cutPieces(text: string, from: number, end: number): Generator<string> {
  let start = from;
  while (end - start > MAX_PIECE) {
    const next = cutBefore(text, start, start + MAX_PIECE);
    yield text.slice(start, next);
    start = next;
  }
  if (start < end) yield text.slice(start, end);
}

export function* cutRuns(text: string): Generator<string> {
  let from = 0;
  for (const { index, 0: run } of text.matchAll(LONG_RUN)) {
    const end = index + run.length;
    yield* cutPieces(text, from, end);
    from = end;
  }
  yield* cutPieces(text, from, text.length);
}
