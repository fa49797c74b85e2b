import type { PromptText } from "./prompt-text";
import type { ChannelFields, EventInspection } from "./protocol";
import type { Usage } from "./usage";

/** A file in a form. */
export interface Upload {
  /** Name of the form's field. */
  field: string;
  filename: string;
  /** A view into the request's body, no copy. */
  bytes: Uint8Array;
}

/** A request, whether it came as JSON or as a form. */
export interface OperationInput {
  /** The JSON object, or the text fields of the form. */
  fields: Readonly<Record<string, unknown>>;
  uploads: readonly Upload[];
}

/** What an answer is charged by where it is not charged by tokens. */
export type Units =
  /** Characters of a text that is read aloud. */
  | { kind: "characters"; count: number }
  | {
      kind: "images";
      count: number;
      size: string;
      quality: string;
      /** What the client asked for, where the answer says what came: the cheaper of both is charged. */
      asked?: { size: string; quality: string };
    }
  /** Seconds of a recording, rounded up. */
  | { kind: "seconds"; count: number }
  /** Searches of a reranker that bills by them. */
  | { kind: "searches"; count: number };

/** What the engine must know of a request before it is sent. */
export interface OperationSummary {
  isStream: boolean;
  /** The client asked for the event of a stream that only reports usage. */
  wantsUsageChunk: boolean;
  /** What the model reads, for counting it here. */
  prompt: PromptText;
  /** The most that the model may write, 0 where it writes no text; undefined when the client set no limit. */
  maxOutputTokens: number | undefined;
  /** How many texts it writes, for the hold of those without a limit; 1 when left out. */
  answers?: number;
  /** What the answer is charged by at worst; undefined where tokens are charged. */
  units: Units | undefined;
  /** Length of the recording that the request brings; undefined where its file does not tell, or there is none. */
  recordingSeconds?: number | undefined;
}

/** What an answer says of its price. */
export interface AnswerReading {
  usage: Usage;
  /** What the model wrote, for counting it here. */
  text: string;
  /** What was delivered, in units; undefined where tokens are charged. */
  units: Units | undefined;
  /** How many times a price per call is charged where tokens are told; once when left out. */
  calls?: number | undefined;
}

/** An answer in one piece. */
export interface OperationAnswer {
  /** Parsed JSON, undefined when it is none. */
  body: unknown;
  text: string;
}

/** How a stream's events are looked at (see PassThrough), and what they are charged by. */
export interface OperationEvents {
  inspectEvent(data: string): EventInspection;
  readonly markers: readonly string[];
  /** The upstream alone knows how many tokens it has read, and tells it in the last event. */
  readonly isToldAtEnd?: boolean;
  /** @returns the fields to set at the top of a JSON request, so that its stream tells its usage. */
  amendBody?(fields: Readonly<Record<string, unknown>>): Record<string, unknown> | undefined;
  /** The stream in which a whole answer is told to a client that asked for one; absent where the answer itself is. */
  encodeWhole?(body: unknown): string;
  /** What a stream says of its price once it is over. */
  readStream(stream: DeliveredStream, input: OperationInput, summary: OperationSummary): AnswerReading;
}

/** What a stream brought. */
export interface DeliveredStream {
  usage: Usage;
  text: string;
  /** The client did not get all of it: the upstream's numbers would cover what was not delivered. */
  isInterrupted: boolean;
}

/** One operation: everything in which it differs from the others. Pure; the engine does the rest. */
export interface Operation {
  /** Its path below /v1 of the OpenAI API, or of Jina's and Cohere's rerank. */
  readonly name: string;
  /** How the request comes. */
  readonly input: "json" | "form";
  /** The model of a request that names none (contract section 2.2). */
  readonly defaultModel: string | undefined;
  /** False where the model answers without words of its own although no limit says so; they need no price then. */
  readonly writesText?: boolean;
  /** Whether the answer is bytes to be passed on as they come (speech), instead of a text. */
  readonly isBinary: boolean;
  /**
   * Reads what the hold needs, and refuses what cannot be meant.
   * @param model what the client asked for.
   * @throws RequestInvalid
   */
  summarizeRequest(input: OperationInput, model: string): OperationSummary;
  /** Does the same in steps between which other requests run; absent where large files are not read. */
  summarizeInSteps?(input: OperationInput, model: string): Generator<undefined, OperationSummary>;
  /** @returns undefined when the answer gives the client nothing. */
  readAnswer(
    answer: OperationAnswer,
    input: OperationInput,
    summary: OperationSummary,
  ): AnswerReading | undefined;
  /** How a stream of it is looked at; undefined where it has none. */
  readonly events: OperationEvents | undefined;
}

/** What a protocol's upstreams do besides chats, by the operation's name. A channel is no candidate for what is not named here. */
export type UpstreamOperations = Readonly<Record<string, UpstreamOperation>>;

/** How an upstream does an operation. */
export interface UpstreamOperation {
  /** Path below the base address, starting with "/". */
  path(model: string): string;
  /** Headers by which the vendor tells what is asked. */
  readonly headers?: Readonly<Record<string, string>>;
  /** How it is said in a shape of the vendor's own; undefined where the client's bytes pass unchanged. */
  readonly translation: OperationTranslation | undefined;
}

export interface OperationTranslation {
  /** @throws RequestInvalid when the vendor cannot do what is asked. */
  buildBody(input: OperationInput, model: string, fields: ChannelFields): unknown;
  /** The vendor's answer in the shape that the client knows; undefined when it is none. */
  readBody(body: unknown, input: OperationInput, model: string): unknown;
}
