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

/** Units by which an answer is charged where it is not charged by tokens. */
export type Units =
  /** Characters of a text that is read aloud. */
  | { kind: "characters"; count: number }
  | {
      kind: "images";
      count: number;
      size: string;
      quality: string;
      /** The requested values, where the answer contains the delivered ones: the cheaper of both is charged. */
      asked?: { size: string; quality: string };
    }
  /** Seconds of a recording, rounded up. */
  | { kind: "seconds"; count: number }
  /** Searches of a reranker that bills by them. */
  | { kind: "searches"; count: number };

/** Facts about a request that the engine needs before it is sent. */
export interface OperationSummary {
  isStream: boolean;
  /** The client asked for the event of a stream that only reports usage. */
  wantsUsageChunk: boolean;
  /** Text that the model reads, for counting it here. */
  prompt: PromptText;
  /** The most that the model may write, 0 where it writes no text; undefined when the client set no limit. */
  maxOutputTokens: number | undefined;
  /** How many texts it writes, for the hold of those without a limit; 1 when left out. */
  answers?: number;
  /** Maximum units of the answer's charge; undefined where tokens are charged. */
  units: Units | undefined;
  /** Length of the recording in the request; undefined where its file does not contain it, or there is none. */
  recordingSeconds?: number | undefined;
  /** Its tokens, included in those of `prompt`; undefined where a recording is charged by its seconds. */
  recordingTokens?: number | undefined;
}

/** The part of an answer that its price depends on. */
export interface AnswerReading {
  usage: Usage;
  /** Text that the model wrote, for counting it here. */
  text: string;
  /** Delivered units; undefined where tokens are charged. */
  units: Units | undefined;
  /** How many times a price per call is charged where tokens are told; once when left out. */
  calls?: number | undefined;
  /** Length of the delivered sound, for counting its tokens here; 0 when left out. */
  soundSeconds?: number | undefined;
}

/** An answer in one piece. */
export interface OperationAnswer {
  /** Parsed JSON, undefined for other text. */
  body: unknown;
  text: string;
}

/** Reading of a stream's events (see PassThrough), and their charge. */
export interface OperationEvents {
  inspectEvent(data: string): EventInspection;
  readonly markers: readonly string[];
  /** The upstream alone knows how many tokens it has read, and tells it in the last event. */
  readonly isReportedAtEnd?: boolean;
  /** @returns the fields to set at the top of a JSON request, so that its stream tells its usage. */
  amendBody?(fields: Readonly<Record<string, unknown>>): Record<string, unknown> | undefined;
  /** The stream in which a whole answer is told to a client that asked for one; absent where the answer itself is. */
  encodeWhole?(body: unknown): string;
  /** Returns the usage of a finished stream. */
  readStream(stream: DeliveredStream, input: OperationInput, summary: OperationSummary): AnswerReading;
}

/** A translated answer as its client gets it. */
export interface WrittenAnswer {
  /** undefined for server-sent events. */
  contentType: string | undefined;
  body: Uint8Array | string;
}

/** The charged tokens that the client is told; undefined where units are charged. */
export interface ToldTokens {
  input: number;
  output: number;
}

/** Content of a delivered stream. */
export interface DeliveredStream {
  usage: Usage;
  text: string;
  /** Number of finished pictures, without previews. */
  images: number;
  /** The client did not get all of it: the upstream's numbers would include undelivered content. */
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
   * Reads the facts that the hold needs, and refuses requests that make no sense.
   * @param model the client's name of the model.
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
  /**
   * Writes an answer that a translation has read; absent where that is JSON with the usage of embeddings.
   * @param body the translation's.
   * @param reading what is charged for it.
   */
  writeAnswer?(
    body: unknown,
    input: OperationInput,
    summary: OperationSummary,
    reading: AnswerReading,
    tokens: ToldTokens | undefined,
  ): WrittenAnswer;
  /** How a stream of it is looked at; undefined where it has none. */
  readonly events: OperationEvents | undefined;
}

/**
 * Operations of a protocol's upstreams besides chats, by name. A channel is no candidate for operations that are
 * missing here.
 */
export type UpstreamOperations = Readonly<Record<string, UpstreamOperation>>;

/** How an upstream does an operation. */
export interface UpstreamOperation {
  /** Path below the base address, starting with "/". */
  path(model: string): string;
  /** Headers that tell the vendor the operation, or the parts of the request that it reads there. */
  headers?(model: string, input: OperationInput): Readonly<Record<string, string>>;
  /**
   * The facts that the hold needs, where the vendor charges in another way than the operation's own. Called before
   * anything is held.
   * @param summary the operation's.
   * @throws RequestInvalid when the vendor does not support the request.
   */
  summarize?(input: OperationInput, summary: OperationSummary, model: string): OperationSummary;
  /** How it is said in a shape of the vendor's own; undefined where the client's bytes pass unchanged. */
  readonly translation: OperationTranslation | undefined;
  /** Work between the vendor's first answer and the final one; absent where the first is final. */
  readonly followUp?: OperationFollowUp;
}

/** What the gateway still asks for after the vendor's first answer. */
export interface OperationFollowUp {
  /** Path, below the base address, of the task that an unfinished answer names; undefined when the answer is final. */
  taskPath(body: unknown): string | undefined;
  /** Addresses of pictures in the final answer that the client asked for as data. */
  picturesToFetch(body: unknown, input: OperationInput): readonly string[];
}

/** Raw sound in an event of a vendor: one channel of 16-bit samples at 24 kHz. */
export interface SoundPiece {
  samples: Uint8Array;
  isEnd: boolean;
  /** What the vendor says of its charge; undefined for nothing. */
  report: unknown;
}

/** How a stream of sound in a vendor's own shape is read. */
export interface SoundEvents {
  /** @returns undefined for an error, or anything else that is no event of sound. */
  read(event: unknown): SoundPiece | undefined;
  /**
   * What is charged.
   * @param report the vendor's latest.
   * @param seconds length of the sound.
   */
  charge(report: unknown, input: OperationInput, summary: OperationSummary, seconds: number): AnswerReading;
}

export interface OperationTranslation {
  /** @throws RequestInvalid when the vendor does not support the request. */
  buildBody(input: OperationInput, model: string, fields: ChannelFields): unknown;
  /** Converts the vendor's answer to the shape that the client knows; undefined for an invalid answer. */
  readBody(body: unknown, input: OperationInput, model: string): unknown;
  /**
   * Finds the reason in an answer that gives the client nothing, in the shape of the protocol's errors. Absent where the
   * whole answer has that shape.
   */
  errorIn?(body: unknown): unknown;
  /** How its stream of sound is read; absent where answers come whole. */
  readonly sound?: SoundEvents;
}
