/*
 * The canonical request: what every client protocol is parsed into and every upstream protocol is built from.
 */

/** The client asks the vendor to keep the prompt up to here (Anthropic's `cache_control`). */
export interface CacheMark {
  /** "5m" or "1h"; undefined for the vendor's default. */
  ttl?: string;
}

/** A token of an answer, and how likely it was. */
export interface TokenLogprob {
  token: string;
  logprob: number;
  /** Its bytes, where the vendor tells them. */
  bytes?: number[];
  /** The likeliest tokens in its place. */
  alternatives?: TokenLogprob[];
}

export interface TextPart {
  kind: "text";
  text: string;
  /** Tokens of the model's words, if the client asked for them and the upstream told them. */
  logprobs?: TokenLogprob[];
  cacheMark?: CacheMark;
}

export interface ImagePart {
  kind: "image";
  /** An http(s) address; or else `data`. */
  url?: string;
  /** Base64 without a prefix. */
  data?: string;
  mediaType?: string;
  detail?: string;
  cacheMark?: CacheMark;
}

export interface FilePart {
  kind: "file";
  url?: string;
  /** Base64 without a prefix. */
  data?: string;
  mediaType?: string;
  filename?: string;
  /** An id in the vendor's own file store. */
  fileId?: string;
  cacheMark?: CacheMark;
}

export interface AudioPart {
  kind: "audio";
  /** Base64 without a prefix. */
  data: string;
  /** "wav", "mp3" … */
  format: string;
}

export interface ToolCallPart {
  kind: "tool-call";
  id: string;
  name: string;
  /** JSON text as the model wrote it; may be unparsable, "" counts as "{}". */
  arguments: string;
}

export interface ToolResultPart {
  kind: "tool-result";
  toolCallId: string;
  content: (TextPart | ImagePart | FilePart)[];
  isError?: boolean;
  cacheMark?: CacheMark;
}

export interface ReasoningPart {
  kind: "reasoning";
  text: string;
  /** The vendor's seal on this reasoning; without it a vendor that asks for one refuses the part. */
  signature?: string;
  /** Reasoning that only the vendor can read, in place of `text`. */
  redactedData?: string;
}

export type UserPart = TextPart | ImagePart | FilePart | AudioPart | ToolResultPart;
export type AssistantPart = TextPart | ReasoningPart | ToolCallPart;

/** Instructions inside a conversation. They never stand between a turn with calls and its results. */
export interface SystemTurn {
  role: "system";
  parts: TextPart[];
}

/** A turn of one of the two who speak. */
export type SpokenTurn = { role: "user"; parts: UserPart[] } | { role: "assistant"; parts: AssistantPart[] };

/** Tool results live in user turns. Neighbouring turns of one role are allowed. */
export type Turn = SpokenTurn | SystemTurn;

export interface Tool {
  name: string;
  description?: string;
  /** JSON Schema of the arguments. */
  parameters?: Record<string, unknown>;
  isStrict?: boolean;
  cacheMark?: CacheMark;
}

/** A search of the web that the vendor runs itself. Where it has none, the model answers without, unless it is required. */
export interface WebSearch {
  /** The client insists on a search. */
  isRequired?: boolean;
  contextSize?: string;
  allowedDomains?: string[];
  blockedDomains?: string[];
  /** Country, region, city and time zone, in the field names that all vendors share. */
  userLocation?: Record<string, string>;
  /** The most searches that the answer may take. */
  maxUses?: number;
}

/** Features of both of OpenAI's protocols that no other protocol has. */
export interface OpenaiHints {
  promptCacheKey?: string;
  promptCacheRetention?: string;
  serviceTier?: string;
  verbosity?: string;
  metadata?: Record<string, unknown>;
  /** The vendor must not keep the answer. */
  isUnstored?: true;
}

export type ToolChoice =
  | { kind: "auto" }
  | { kind: "none" }
  | { kind: "required" }
  | { kind: "tool"; name: string };

export type ReasoningEffort = "none" | "minimal" | "low" | "medium" | "high" | "xhigh" | "max";

export interface ChatRequest {
  model: string;
  /** System and developer messages before the first turn, in order; later ones are turns of their own. */
  system: TextPart[];
  turns: Turn[];
  tools: Tool[];
  toolChoice?: ToolChoice;
  isParallelToolCallsAllowed?: boolean;
  maxOutputTokens?: number;
  temperature?: number;
  topP?: number;
  topK?: number;
  stopSequences?: string[];
  seed?: number;
  /** The client asks how likely the answer's tokens were; `top` is the number of alternatives. */
  logprobs?: { top?: number };
  presencePenalty?: number;
  frequencyPenalty?: number;
  reasoning?: { effort?: ReasoningEffort; budgetTokens?: number };
  /** The client asks to be shown the reasoning, or a summary of it. */
  showsReasoning?: boolean;
  webSearch?: WebSearch;
  openaiHints?: OpenaiHints;
  responseFormat?:
    | { kind: "json" }
    | {
        kind: "json-schema";
        name: string;
        description?: string | undefined;
        schema: Record<string, unknown>;
        isStrict?: boolean;
      };
  endUserId?: string;
  isStream: boolean;
  /** Chat Completions only: the client asked for a last chunk with the usage. */
  wantsUsageChunk: boolean;
}
