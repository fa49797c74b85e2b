import type { UpstreamError } from "./error";
import type { TokenLogprob } from "./request";
import type { FinishReason } from "./response";
import type { Usage } from "./usage";

/**
 * The canonical stream: stream readers return it and stream writers take it, in the order of the answer. `index`
 * numbers the parts of the answer densely from 0 in the order in which they first appear; parts of different index may
 * interleave (parallel tool calls).
 */
export type StreamPart =
  | { kind: "start"; id: string; model: string }
  | { kind: "text"; index: number; text: string; logprobs?: TokenLogprob[] }
  | { kind: "refusal"; index: number; text: string }
  | { kind: "reasoning"; index: number; text: string }
  | { kind: "reasoning-signature"; index: number; signature: string }
  | { kind: "redacted-reasoning"; index: number; data: string }
  | { kind: "tool-call"; index: number; id: string; name: string }
  | { kind: "tool-arguments"; index: number; text: string }
  | { kind: "usage"; usage: Usage }
  /** `stopSequence` is the client's sequence that ended the answer, where that is known. */
  | { kind: "finish"; reason: FinishReason; stopSequence?: string }
  | { kind: "error"; error: UpstreamError };

/** Turns an upstream's server-sent events into canonical parts. Holds all of its state, so bytes may be cut anywhere. */
export interface StreamReader {
  /** One decoded event. `event` is its name, or "" when it has none. */
  push(event: string, data: string): StreamPart[];
  /**
   * The same of an event whose data, which is not blank, was parsed before; undefined where data is no JSON.
   * @param body undefined when the data could not be parsed.
   */
  readonly pushParsed: ((event: string, body: unknown) => StreamPart[]) | undefined;
  /**
   * The upstream closed the connection.
   * @returns parts still held back; an `error` part when the stream broke off before its own end mark.
   */
  end(): StreamPart[];
  /** The upstream has sent why the model stopped, so `end` finishes the answer if it has not finished yet. */
  readonly hasStopped: boolean;
}

/** Writes a value as JSON. */
export type WriteJson = (value: object) => string;

/** Turns canonical parts into the bytes of a client's stream. */
export interface StreamWriter {
  /** @returns text to send, "" when this part shows nothing yet. */
  push(part: StreamPart): string;
  /**
   * Everything that ends the stream for the client (held-back usage, end marks). Called once, after the charge is
   * durable; not called after an error part.
   */
  end(): string;
}

/**
 * True for a part that gives the client something: before the first of these an attempt may still be replaced. That the
 * model simply stopped is nothing; that it was cut or filtered is.
 */
export const isDelivery = (part: StreamPart): boolean =>
  part.kind === "tool-call" ||
  part.kind === "redacted-reasoning" ||
  (part.kind === "finish" && part.reason !== "stop") ||
  ((part.kind === "text" || part.kind === "refusal" || part.kind === "reasoning") && part.text !== "");
