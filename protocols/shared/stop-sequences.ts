import { RequestInvalid } from "@tollgate/contract/relay/protocol";
import type { AssistantPart } from "@tollgate/contract/relay/request";
import type { ChatResponse } from "@tollgate/contract/relay/response";
import type { StreamPart } from "@tollgate/contract/relay/stream";

/** No vendor takes more; each is compared with every character of an answer. */
const MAX_SEQUENCES = 64;
const MAX_TOTAL_LENGTH = 65_536;

/** One sequence, and how much of it the end of the text so far matches (Knuth, Morris and Pratt). */
class Sequence {
  matched = 0;
  private readonly fallback: number[] = [0];

  constructor(readonly text: string) {
    for (let at = 1, known = 0; at < text.length; at += 1) {
      while (known > 0 && text[at] !== text[known]) known = this.fallback[known - 1] ?? 0;
      if (text[at] === text[known]) known += 1;
      this.fallback.push(known);
    }
  }

  /** @returns whether the sequence is complete. */
  add(character: string): boolean {
    while (this.matched > 0 && character !== this.text[this.matched])
      this.matched = this.fallback[this.matched - 1] ?? 0;
    if (character === this.text[this.matched]) this.matched += 1;
    return this.matched === this.text.length;
  }
}

/**
 * Cuts an answer at the first stop sequence in its text, for upstreams without a field for all of them. An upstream that
 * knows the sequence never writes it, so that nothing is cut twice.
 */
export class StopCutter {
  /** The sequence at which the answer was cut. */
  private found: string | undefined;
  private sequences: readonly Sequence[];
  /** The end of the text that may begin a sequence. */
  private held = "";
  private index = 0;

  /** @throws RequestInvalid when they are too many to be looked for. */
  constructor(private readonly texts: readonly string[]) {
    const length = texts.reduce((sum, text) => sum + text.length, 0);
    if (texts.length > MAX_SEQUENCES || length > MAX_TOTAL_LENGTH)
      throw new RequestInvalid({ code: "unsupported-field", field: "stop" });
    this.sequences = createSequences(texts);
  }

  /** @returns what the client is given of a part, with what was held back before. */
  push(part: StreamPart): StreamPart[] {
    switch (part.kind) {
      case "start":
      case "usage":
      case "error":
        return [part];
      case "finish":
        if (this.found !== undefined) return [{ kind: "finish", reason: "stop", stopSequence: this.found }];
        return [...this.release(), part];
      case "text":
        if (this.found !== undefined) return [];
        return [...(part.index === this.index ? [] : this.release()), ...this.cut(part.text, part.index)];
      default:
        return this.found === undefined ? [...this.release(), part] : [];
    }
  }

  private cut(text: string, index: number): StreamPart[] {
    this.index = index;
    const all = this.held + text;
    for (let at = this.held.length; at < all.length; at += 1) {
      for (const sequence of this.sequences) {
        // Of several that end here the one that begins first is the stop.
        if (sequence.add(all[at] as string) && sequence.text.length > (this.found?.length ?? 0))
          this.found = sequence.text;
      }
      if (this.found !== undefined) return toText(all.slice(0, at + 1 - this.found.length), index);
    }
    const kept = Math.max(...this.sequences.map(({ matched }) => matched));
    this.held = all.slice(all.length - kept);
    return toText(all.slice(0, all.length - kept), index);
  }

  private release(): StreamPart[] {
    const parts = toText(this.held, this.index);
    this.held = "";
    this.sequences = createSequences(this.texts);
    return parts;
  }
}

const createSequences = (texts: readonly string[]): Sequence[] => texts.map((text) => new Sequence(text));

const toText = (text: string, index: number): StreamPart[] =>
  text === "" ? [] : [{ kind: "text", index, text }];

/** Sequences that can be looked for; undefined for none. */
export const usableStops = (sequences: readonly string[] | undefined): readonly string[] | undefined => {
  const usable = sequences?.filter((sequence) => sequence !== "");
  return usable === undefined || usable.length === 0 ? undefined : usable;
};

/** Cuts a whole answer. */
export const cutResponse = (response: ChatResponse, sequences: readonly string[]): ChatResponse => {
  const kept: AssistantPart[] = [];
  for (const part of response.parts) {
    if (part.kind !== "text") {
      kept.push(part);
      continue;
    }
    const cutter = new StopCutter(sequences);
    const pieces = [
      ...cutter.push({ kind: "text", index: 0, text: part.text }),
      ...cutter.push({ kind: "finish", reason: response.finishReason }),
    ];
    const text = pieces.map((piece) => (piece.kind === "text" ? piece.text : "")).join("");
    if (text !== "") kept.push({ ...part, text });
    const finish = pieces.at(-1);
    if (finish?.kind !== "finish" || finish.stopSequence === undefined) continue;
    return { ...response, parts: kept, finishReason: "stop", stopSequence: finish.stopSequence };
  }
  return response;
};
