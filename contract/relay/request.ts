/*
 * The canonical request: what every client protocol is parsed into and every upstream protocol is built from.
 */

export interface TextPart {
  kind: "text";
  text: string;
}

export interface ImagePart {
  kind: "image";
  /** An http(s) address; or else `data`. */
  url?: string;
  /** Base64 without a prefix. */
  data?: string;
  mediaType?: string;
  detail?: string;
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
  content: (TextPart | ImagePart)[];
  isError?: boolean;
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

/** Tool results live in user turns. Neighbouring turns of one role are allowed. */
export type Turn = { role: "user"; parts: UserPart[] } | { role: "assistant"; parts: AssistantPart[] };

export interface Tool {
  name: string;
  description?: string;
  /** JSON Schema of the arguments. */
  parameters?: Record<string, unknown>;
  isStrict?: boolean;
}

export type ToolChoice =
  | { kind: "auto" }
  | { kind: "none" }
  | { kind: "required" }
  | { kind: "tool"; name: string };

export type ReasoningEffort = "none" | "minimal" | "low" | "medium" | "high" | "xhigh" | "max";

export interface ChatRequest {
  model: string;
  /** System and developer messages, in order. */
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
  presencePenalty?: number;
  frequencyPenalty?: number;
  reasoning?: { effort?: ReasoningEffort; budgetTokens?: number };
  responseFormat?:
    | { kind: "json" }
    | { kind: "json-schema"; name: string; schema: Record<string, unknown>; isStrict?: boolean };
  endUserId?: string;
  isStream: boolean;
  /** Chat Completions only: the client asked for a last chunk with the usage. */
  wantsUsageChunk: boolean;
}
