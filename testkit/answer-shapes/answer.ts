/** Tokens consumed by an answer, independent of any protocol: `input` includes cached parts. */
export interface AnswerUsage {
  input: number;
  output: number;
  cacheRead?: number;
  cacheWrite?: number;
  reasoning?: number;
}

export interface AnswerToolCall {
  id: string;
  name: string;
  /** JSON text. */
  arguments: string;
}

/** One answer of a pretended model, before it takes the shape of an API. */
export interface Answer {
  id: string;
  model: string;
  /** Unix seconds. */
  createdAt: number;
  reasoning: string;
  /** The text in the pieces in which a stream brings it. */
  pieces: readonly string[];
  toolCalls: readonly AnswerToolCall[];
  usage: AnswerUsage;
  finish: "stop" | "length" | "tool-calls";
}

/**
 * Where a stream reports the usage: as the API documents it, with the last choice instead of after it, in every event
 * (each with the count so far), or nowhere.
 */
export type UsagePlacement = "documented" | "with-last-choice" | "every-event" | "none";

/** An API shape that a pretended upstream speaks. */
export interface AnswerShape {
  /** The HTTP status of every refusal, where the API uses one for refusals and successes alike. */
  readonly errorStatus?: number;
  /** The type of a stream, where it is not one of server-sent events. */
  readonly streamType?: string;
  encodeJson(answer: Answer, placement: UsagePlacement): unknown;
  /**
   * The events of a stream, as the text on the wire; the last one is the shape's own end mark.
   * @param isUsageWanted whether the client requested usage, where the API requires that
   */
  encodeEvents(answer: Answer, placement: UsagePlacement, isUsageWanted: boolean): (string | Uint8Array)[];
  encodeError(status: number, message: string): unknown;
  encodeErrorEvent(status: number, message: string): string | Uint8Array;
}

/** Cuts a text into about `count` pieces, never inside a character. */
export const cutIntoPieces = (text: string, count: number): string[] => {
  const characters = [...text];
  const size = Math.max(1, Math.ceil(characters.length / count));
  const pieces: string[] = [];
  for (let at = 0; at < characters.length; at += size) pieces.push(characters.slice(at, at + size).join(""));
  return pieces;
};
