import { RequestInvalid } from "@tollgate/contract/relay/protocol";
import type { AssistantPart, TokenLogprob } from "@tollgate/contract/relay/request";
import type { ChatResponse } from "@tollgate/contract/relay/response";
import type { StreamPart } from "@tollgate/contract/relay/stream";
import { collectParts } from "../stream/collect-parts";

/** No vendor takes more; each is compared with every character of an answer. */
const MAX_SEQUENCES = 64;
const MAX_TOTAL_LENGTH = 65_536;

/** One sequence, and the length of its match at the end of the text so far (Knuth, Morris and Pratt). */
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
 * Cuts an answer at the first stop sequence in its text, for upstreams that do not support all of them. An upstream
 * that supports the sequence never writes it, so nothing is cut twice.
 */
export class StopCutter {
  /** The sequence at which the answer was cut. */
  private found: string | undefined;
  private sequences: readonly Sequence[];
  /** The end of the text that may be the beginning of a sequence. */
  private held = "";
  private index = 0;
  /** Tokens of text that was not output yet, and the output length of the first of them. */
  private readonly tokens: TokenLogprob[] = [];
  private uncovered = 0;

  /** @throws RequestInvalid when they are too many to be looked for. */
  constructor(private readonly texts: readonly string[]) {
    const length = texts.reduce((sum, text) => sum + text.length, 0);
    if (texts.length > MAX_SEQUENCES || length > MAX_TOTAL_LENGTH)
      throw new RequestInvalid({ code: "unsupported-field", field: "stop" });
    this.sequences = createSequences(texts);
  }

  /** @returns the client's part of the content, including text held back before. */
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
        return [...(part.index === this.index ? [] : this.release()), ...this.cut(part)];
      default:
        return this.found === undefined ? [...this.release(), part] : [];
    }
  }

  private cut({ text, index, logprobs = [] }: Extract<StreamPart, { kind: "text" }>): StreamPart[] {
    this.index = index;
    this.tokens.push(...logprobs);
    const all = this.held + text;
    for (let at = this.held.length; at < all.length; at += 1) {
      for (const sequence of this.sequences) {
        // Of the sequences that end here, the one that starts first is the stop.
        if (sequence.add(all[at] as string) && sequence.text.length > (this.found?.length ?? 0))
          this.found = sequence.text;
      }
      if (this.found !== undefined) return this.give(all.slice(0, at + 1 - this.found.length));
    }
    const kept = Math.max(...this.sequences.map(({ matched }) => matched));
    this.held = all.slice(all.length - kept);
    return this.give(all.slice(0, all.length - kept));
  }

  /** Gives text with the tokens that it is made of. */
  private give(text: string): StreamPart[] {
    if (text === "") return [];
    const part: StreamPart = { kind: "text", index: this.index, text };
    if (this.tokens.length === 0) return [part];
    this.uncovered += text.length;
    let count = 0;
    for (const { token } of this.tokens) {
      if (token.length > this.uncovered) break;
      this.uncovered -= token.length;
      count += 1;
    }
    return [{ ...part, logprobs: this.tokens.splice(0, count) }];
  }

  private release(): StreamPart[] {
    const parts = this.give(this.held);
    this.held = "";
    this.sequences = createSequences(this.texts);
    return parts;
  }
}

const createSequences = (texts: readonly string[]): Sequence[] => texts.map((text) => new Sequence(text));

/** Non-empty sequences; undefined for none. */
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
      ...cutter.push({ ...part, index: 0 }),
      ...cutter.push({ kind: "finish", reason: response.finishReason }),
    ];
    kept.push(...collectParts(pieces));
    const finish = pieces.at(-1);
    if (finish?.kind !== "finish" || finish.stopSequence === undefined) continue;
    return { ...response, parts: kept, finishReason: "stop", stopSequence: finish.stopSequence };
  }
  return response;
};
