import type { MediaContent } from "./content";
import type { ClientError, UpstreamError } from "./error";
import type { Extras } from "./extras";
import type { FeatureCarriers, FieldTable } from "./features";
import type { LimitHeaders } from "./limits";
import type { PromptText } from "./prompt-text";
import type { ChatRequest } from "./request";
import type { RequestFault } from "./request-fault";
import type { ChatResponse } from "./response";
import type { StreamReader, StreamWriter, WriteJson } from "./stream";
import type { Usage } from "./usage";

/** A request that cannot be accepted. */
export class RequestInvalid extends Error {
  override readonly name = "RequestInvalid";
  /** The wrong field, as programs are told it. */
  readonly param: string | undefined;

  /**
   * @param param the field, where it differs from the one that the fault names.
   * @param code machine readable code of the mistake; undefined for the general code.
   */
  constructor(
    readonly fault: RequestFault,
    param?: string,
    readonly code?: string,
  ) {
    super(fault.code);
    this.param = param ?? ("field" in fault ? fault.field : undefined);
  }
}

/** Values that an encoder stamps on an answer; time and ids come in from outside. */
export interface AnswerStamp {
  /** Id of the answer for the client when the upstream gave none. */
  id: string;
  /** Unix seconds. */
  createdAt: number;
  /** The model that the client asked for. */
  model: string;
  requestId: string;
  /** An estimate, for a stream that must begin with a number before the upstream has told one. */
  promptTokens: number;
  /** The client's own request, for protocols whose answers repeat it or name tools as it does. */
  request: Readonly<Record<string, unknown>>;
}

/** Maximum output that a request may ask for where its body passes unchanged, under any name that an upstream reads. */
export interface OutputBounds {
  /** Tokens of one answer; undefined where the upstream may find no limit that it knows. */
  tokens: number | undefined;
  /** How many answers are asked for. */
  answers: number;
}

/** Facts about a request that the engine needs before any translation, read from the parsed body. */
export interface RequestSummary {
  model: string;
  isStream: boolean;
  /** The client's limit on the answer, undefined when it set none. */
  maxOutputTokens: number | undefined;
  /** How many answers are asked for (Chat Completions `n`). */
  choices: number;
  bounds: OutputBounds;
  wantsUsageChunk: boolean;
}

/** Values in the address of a request, in protocols that name the model there instead of in the body. */
export interface RequestAddress {
  model: string;
  isStream: boolean;
}

/** "snake": lower case, words joined by underscores; "google": in camel case, or with underscores. */
export type Spelling = "snake" | "google";

/** A JSON object as it was read. */
export type JsonBody = Record<string, unknown>;

/** The client's side of an API shape. */
export interface ClientProtocol {
  readonly name: ClientProtocolName;
  /** How the names in its requests are written. */
  readonly spelling: Spelling;
  /** Feature that each field of its requests asks for. */
  readonly fields: FieldTable;
  /**
   * Absent where no address names a model.
   * @param model the address's. @throws RequestInvalid when the body names another one.
   */
  requireOneModel?(body: unknown, model: string): void;
  /** A stream begins with the prompt's tokens, which some clients never correct. */
  readonly sendsPromptTokensFirst?: true;
  /**
   * Reads the few fields that admission needs.
   * @param address given where the address names the model.
   * @throws RequestInvalid when one of them is missing or cannot be meant (a negative limit, no messages).
   */
  summarizeRequest(body: unknown, address?: RequestAddress): RequestSummary;
  /** All text of the request that counts as prompt, for counting it here. */
  promptText(body: unknown): PromptText;
  /**
   * A request with instructions of the operator's.
   * @param body of a request that was read; stays as it is.
   * @param isFirst before the client's own, if it gives any; else only where it gives none.
   * @returns the same object where nothing is added.
   */
  withInstructions(body: JsonBody, text: string, isFirst: boolean): JsonBody;
  /**
   * A request with an amount of reasoning in place of the client's own.
   * @param body of a request that was read; stays as it is.
   * @param model decides about the fields in which a vendor wants it.
   */
  withReasoning(body: JsonBody, reasoning: NonNullable<ChatRequest["reasoning"]>, model: string): JsonBody;
  /**
   * A request without the seals of other vendors, which an upstream of this protocol refuses: they came with answers that
   * were translated for the client.
   * @param body of a request that was read; stays as it is.
   * @param model the upstream's name. @returns the same object where nothing is removed.
   */
  withoutForeignSeals(body: JsonBody, model: string): JsonBody;
  /**
   * @param summary the result of `summarizeRequest` of the same request.
   * @throws RequestInvalid
   */
  parseRequest(body: unknown, summary: RequestSummary): ChatRequest;
  encodeResponse(response: ChatResponse, stamp: AnswerStamp): unknown;
  /** @param write encodes possibly large values as JSON; JSON.stringify by default. */
  createStreamWriter(stamp: AnswerStamp, wantsUsageChunk: boolean, write?: WriteJson): StreamWriter;
  encodeError(error: ClientError, requestId: string): unknown;
  /** The same error in the middle of a stream, as the bytes that end it. */
  encodeStreamError(error: ClientError, requestId: string): string;
  readonly limitHeaders: LimitHeaders;
}

/** An upstream call as a protocol builds it; base address and credentials are added by the vendor's data. */
export interface UpstreamCall {
  /** Path below the base address, starting with "/". */
  path: string;
  headers: Record<string, string>;
  body: unknown;
}

/** Values that a channel adds to requests, in protocols that carry more than the client's own words. */
export interface ChannelFields {
  /** The channel's `other` field: an API version, a model version, a knowledge base … */
  other: string;
  /** The part of the channel's key that names an application or account and is no secret; "" for none. */
  accountId: string;
}

/** A page of an upstream's models. */
export interface ModelPage {
  /** As the upstream wrote them, whatever they are. */
  names: unknown[];
  /** Path of the next page, as of the first; undefined for the last. */
  next?: string | undefined;
}

/** GET request for an upstream's models, and the reading of its answer. */
export interface ModelListing {
  /** Path below the base address with its query, starting with "/". */
  path: string;
  /** @returns undefined where the answer is no list. */
  read(answer: Readonly<Record<string, unknown>>): ModelPage | undefined;
}

/** The upstream's side of an API shape. */
export interface UpstreamProtocol {
  readonly name: ProtocolName;
  /** Places of features in its requests. */
  readonly carries: FeatureCarriers;
  /** Names of tools that a model accepts; absent where OpenAI's rule applies. @param model the upstream's name. */
  toolNames?(model: string): RegExp;
  /** @throws RequestInvalid when the request needs a feature that this protocol lacks. */
  buildRequest(request: ChatRequest, fields: ChannelFields): UpstreamCall;
  /**
   * Maximum tokens of an answer to the result of `buildRequest`, reasoning included; undefined where the upstream gets
   * no limit.
   */
  outputLimit(request: ChatRequest, fields: ChannelFields): number | undefined;
  /** @returns undefined when the body is not an answer of this protocol. */
  readResponse(body: unknown): ChatResponse | undefined;
  createStreamReader(): StreamReader;
  /**
   * Whether a whole JSON body is an answer with content for the client: cheap, for bodies that pass unchanged. An
   * error, an answer without choices or content, or anything else is not.
   */
  isAnswer(body: unknown): boolean;
  /**
   * Headers of a client that reach an upstream of this protocol, in lower case: those that switch the vendor's own
   * features on. All others stay with the gateway.
   */
  readonly clientHeaders?: readonly string[];
  /**
   * Its models may think without showing it, and tell how much only at the end of a stream. Absent where reasoning is shown,
   * sealed or not, or counted in each event.
   */
  readonly mayHideReasoning?: boolean;
  /** Only the end of a stream tells how often the vendor's tools ran, which was before the delivered text. */
  readonly reportsCallsAtEnd?: boolean;
  /** Clients mark what of a prompt is cached; without marks nothing is. */
  readonly takesCacheMarks?: boolean;
  /** Images must be sent as data: the upstream fetches none from their addresses. */
  readonly needsImageData?: boolean;
  /** Tells whether a document at this address must be sent as data, because the upstream does not fetch it. */
  needsFileData?(url: string): boolean;
  /**
   * Returns the features of a body of this protocol that are billed apart from its tokens; undefined for none, and
   * absent for protocols whose built bodies never have any.
   * @param model the upstream's name of the model.
   */
  extras?(body: Readonly<Record<string, unknown>>, model: string): Extras | undefined;
  /** Reads the usage out of a whole JSON answer. */
  readUsage(body: unknown): Usage;
  /** Reads a refusal: an HTTP error, or an error inside a success. `body` is parsed JSON, or text that is not JSON. */
  readError(
    status: number,
    headers: Record<string, string | string[] | undefined>,
    body: unknown,
  ): UpstreamError;
  /** How an upstream of this protocol tells its models; absent where it does not. */
  readonly modelListing?: ModelListing;
  /** How bytes pass unchanged when the client speaks this protocol, too; undefined where no client does. */
  readonly passThrough: PassThrough | undefined;
  /** Turns a stream's bytes into events, where they are not plain server-sent events. */
  createDecoder?(): StreamDecoder;
  /** Only over a WebSocket: tells whether a message is the last one, so that the socket can be closed. */
  isLastMessage?(data: string): boolean;
}

/** Turns the bytes of a stream into events. Holds all of its state, so bytes may be cut anywhere. */
export interface StreamDecoder {
  /** @throws AnswerUnreadable when the bytes cannot be trusted any further. */
  push(chunk: Uint8Array): StreamEvent[];
  /** The connection was closed: a last event without its end still counts. */
  end(): StreamEvent[];
}

/** One event of a stream. `event` is its name, or "" when it has none. */
export interface StreamEvent {
  event: string;
  data: string;
}

/** For a request and an answer of one and the same protocol, whose bytes pass unchanged. */
export interface PassThrough {
  /** Path below the base address, starting with "/". */
  path(model: string, isStream: boolean): string;
  /** False where the path alone names the model, so that a mapped name leaves the body as it is. */
  readonly hasModelInBody: boolean;
  /** Fields at the top of a body that are refused: they are left out. */
  readonly refusedFields?: readonly string[];
  /** Looks at one server-sent event (its `data` text). */
  inspectEvent(data: string): EventInspection;
  /** The same of an event, or of a whole answer, that was parsed before. */
  inspectBody(body: unknown): EventInspection;
  /**
   * Texts of which every event that `inspectEvent` must see (usage, the end, an error) contains at least one. A
   * colon behind a quote stands for one with any blanks around it. Bytes without any of them pass unparsed.
   */
  readonly markers: readonly string[];
  /**
   * Adds fields to a body that metering needs (requesting usage). Must leave everything else alone.
   * @returns the fields to set at the top of the body, or undefined when nothing is missing.
   */
  amendBody(body: Record<string, unknown>): Record<string, unknown> | undefined;
}

/** Content of one event of a passing stream. */
export interface EventInspection {
  /** Counters in this event. */
  usage?: Usage;
  /** The counters are those of one part of the answer, such as one of several pictures. */
  isOfPart?: boolean;
  /** Text, reasoning, code or tool arguments that the client receives with it, for counting. */
  text: string;
  /** Other content that the client receives with it, for counting; absent for none. */
  media?: MediaContent | undefined;
  /** It gives the client something (see isDelivery). */
  isDelivery: boolean;
  /** It says why the model stopped: the answer is whole, even if the end mark never comes. */
  isFinish: boolean;
  /** It is the end mark ("[DONE]", message_stop). */
  isEnd: boolean;
  /** It only reports usage that the client may not have asked for. */
  isUsageOnly: boolean;
  /** It is an error of the upstream. */
  error?: UpstreamError;
  /** The model that it names, unchecked. */
  servedModel?: unknown;
}

/** The API shapes that clients may speak. */
export type ClientProtocolName =
  | "openai-chat"
  | "anthropic-messages"
  | "openai-responses"
  | "gemini-generate";

/** The API shapes that only vendors speak. */
export type NativeProtocolName =
  | "aiproxy-library"
  | "baidu"
  | "bedrock-converse"
  | "dashscope"
  | "hunyuan"
  | "hunyuan-legacy"
  | "palm"
  | "spark"
  | "zhipu";

/** Every API shape. */
export type ProtocolName = ClientProtocolName | NativeProtocolName;
