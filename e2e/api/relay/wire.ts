/** The API shapes that a client can speak. */
export type ClientShape = "chat" | "messages" | "responses" | "gemini";

export const PATHS = {
  chat: "/v1/chat/completions",
  messages: "/v1/messages",
  responses: "/v1/responses",
} as const;

/** An answer of /v1 as it travelled. */
export interface RawAnswer {
  status: number;
  headers: Headers;
  text: string;
}

/** Sends to /v1 without any client library in between. */
export const sendRaw = async (
  url: string,
  headers: Record<string, string>,
  body: unknown,
  method = "POST",
): Promise<RawAnswer> => {
  const response = await fetch(url, {
    method,
    headers: {
      "accept-language": "zh-CN",
      ...(body === undefined ? {} : { "content-type": "application/json" }),
      ...headers,
    },
    ...(body === undefined ? {} : { body: typeof body === "string" ? body : JSON.stringify(body) }),
  });
  return { status: response.status, headers: response.headers, text: await response.text() };
};

/** The same small request in either shape; fields can be added or replaced. */
export const smallRequest = (model: string, more: Record<string, unknown> = {}): Record<string, unknown> => ({
  model,
  messages: [{ role: "user", content: "hi" }],
  max_tokens: 100,
  ...more,
});

/** The shapes whose address says nothing of the request. */
export type FixedShape = keyof typeof PATHS;

/** The small request in any shape: where it goes, and its body. */
export const smallCall = (
  shape: ClientShape,
  model: string,
  isStream: boolean,
): { path: string; body: Record<string, unknown> } => {
  const stream = isStream ? { stream: true } : {};
  if (shape === "gemini") {
    const method = isStream ? "streamGenerateContent?alt=sse" : "generateContent";
    return {
      path: `/v1beta/models/${model}:${method}`,
      body: {
        contents: [{ role: "user", parts: [{ text: "hi" }] }],
        generationConfig: { maxOutputTokens: 100 },
      },
    };
  }
  const path = PATHS[shape];
  if (shape !== "responses") return { path, body: smallRequest(model, stream) };
  return { path, body: { model, input: "hi", max_output_tokens: 100, ...stream } };
};

/** What an error says, whatever its shape. */
export interface ReadError {
  message: string;
  type: string;
  /** Only the chat shape has them. */
  code: unknown;
  param: unknown;
  requestId: string | undefined;
}

interface ErrorBody {
  type?: unknown;
  request_id?: unknown;
  error?: {
    message?: unknown;
    type?: unknown;
    code?: unknown;
    param?: unknown;
    status?: unknown;
    details?: { "@type": string; requestId?: string; reason?: string }[];
  };
}

const isObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === "object" && value !== null && !Array.isArray(value);

/**
 * Reads an error and checks its shape to the last member.
 * @throws Error when it is not exactly the error object of the shape.
 */
export const readError = (shape: ClientShape, body: unknown): ReadError => {
  const { error, type, request_id } = body as ErrorBody;
  const wrong = () => new Error(`not an error in the ${shape} shape: ${JSON.stringify(body)}`);
  if (!isObject(body) || !isObject(error)) throw wrong();
  if (shape === "gemini") return readGeminiError(error, wrong);
  if (typeof error.message !== "string" || typeof error.type !== "string") throw wrong();
  const common = { message: error.message, type: error.type, code: error.code, param: error.param };
  if (shape === "messages") {
    if (type !== "error" || typeof request_id !== "string" || "code" in error) throw wrong();
    return { ...common, requestId: request_id };
  }
  // In a stream of Responses the error is an event, whose fields stand beside it as well.
  const isAlone = Object.keys(body).length === 1 || (shape === "responses" && type === "error");
  if (!isAlone || Object.keys(error).sort().join() !== "code,message,param,type") {
    throw wrong();
  }
  return { ...common, requestId: /\(request id: (\w+)\)$/.exec(error.message)?.[1] };
};

const readGeminiError = (error: NonNullable<ErrorBody["error"]>, wrong: () => Error): ReadError => {
  const { code, message, status, details } = error;
  if (typeof code !== "number" || typeof message !== "string" || typeof status !== "string") throw wrong();
  if (Object.keys(error).sort().join() !== "code,details,message,status") throw wrong();
  const requestId = details?.find((detail) => detail["@type"].endsWith(".RequestInfo"))?.requestId;
  return { message, type: status, code, param: undefined, requestId };
};

/** What a client gets out of an answer, plain or streamed, in either shape. */
export interface Understood {
  text: string;
  /** The stream ended as the shape says a whole answer ends; always true of a plain answer. */
  isEnded: boolean;
  /** The error event that ended the stream. */
  error: ReadError | undefined;
  usage: { input: number; output: number } | undefined;
}

interface ChatBody {
  choices?: { message?: { content?: string }; delta?: { content?: string | null } }[];
  usage?: { prompt_tokens: number; completion_tokens: number } | null;
}

interface MessagesBody {
  type?: string;
  content?: { text?: string }[];
  message?: { usage?: { input_tokens: number; output_tokens: number } };
  delta?: { text?: string };
  usage?: { input_tokens?: number; output_tokens: number };
}

interface GeminiBody {
  error?: unknown;
  candidates?: { content?: { parts?: { text?: string }[] }; finishReason?: string }[];
  usageMetadata?: { promptTokenCount?: number; candidatesTokenCount?: number };
}

interface ResponsesBody {
  output?: { content?: { text?: string }[] }[];
  usage?: { input_tokens: number; output_tokens: number } | null;
}

interface ResponsesEvent {
  type: string;
  delta?: string;
  response?: ResponsesBody;
}

const NOTHING_YET: Understood = { text: "", isEnded: false, error: undefined, usage: undefined };

const readGemini = ({ candidates, usageMetadata: usage }: GeminiBody): Understood => ({
  text: candidates?.[0]?.content?.parts?.map((part) => part.text ?? "").join("") ?? "",
  isEnded: candidates?.[0]?.finishReason !== undefined,
  error: undefined,
  usage: usage && { input: usage.promptTokenCount ?? 0, output: usage.candidatesTokenCount ?? 0 },
});

const understandGeminiStream = (events: string[]): Understood => {
  const understood = { ...NOTHING_YET };
  for (const event of events) {
    const body = JSON.parse(event) as GeminiBody;
    if ("error" in body) understood.error = readError("gemini", body);
    const { text, isEnded, usage } = readGemini(body);
    understood.text += text;
    understood.isEnded ||= isEnded;
    understood.usage = usage ?? understood.usage;
  }
  return understood;
};

const readResponses = ({ output, usage }: ResponsesBody): Understood => ({
  text: output?.map((item) => item.content?.map((part) => part.text ?? "").join("") ?? "").join("") ?? "",
  isEnded: true,
  error: undefined,
  usage: usage ? { input: usage.input_tokens, output: usage.output_tokens } : undefined,
});

/** The last event holds the whole answer, which must be what the pieces said. */
const understandResponsesStream = (events: string[]): Understood => {
  const understood = { ...NOTHING_YET };
  for (const event of events) {
    const body = JSON.parse(event) as ResponsesEvent;
    if (body.type === "error") understood.error = readError("responses", body);
    if (body.type === "response.output_text.delta") understood.text += body.delta ?? "";
    if (body.type !== "response.completed" || !body.response) continue;
    const whole = readResponses(body.response);
    if (understood.text !== "" && understood.text !== whole.text) throw new Error("the last event differs");
    Object.assign(understood, whole);
  }
  return understood;
};

const understandChatStream = (events: string[]): Understood => {
  const understood: Understood = { text: "", isEnded: false, error: undefined, usage: undefined };
  for (const event of events) {
    if (event === "[DONE]") {
      understood.isEnded = true;
      continue;
    }
    const body = JSON.parse(event) as ChatBody;
    if ("error" in body) understood.error = readError("chat", body);
    understood.text += body.choices?.[0]?.delta?.content ?? "";
    if (body.usage)
      understood.usage = { input: body.usage.prompt_tokens, output: body.usage.completion_tokens };
  }
  return understood;
};

const understandMessagesStream = (events: string[]): Understood => {
  const understood: Understood = { text: "", isEnded: false, error: undefined, usage: undefined };
  for (const event of events) {
    const body = JSON.parse(event) as MessagesBody;
    if (body.type === "error") understood.error = readError("messages", body);
    if (body.type === "message_stop") understood.isEnded = true;
    if (body.type === "content_block_delta") understood.text += body.delta?.text ?? "";
    const usage = body.message?.usage ?? body.usage;
    if (usage) {
      understood.usage = {
        input: usage.input_tokens ?? understood.usage?.input ?? 0,
        output: usage.output_tokens,
      };
    }
  }
  return understood;
};

const STREAMS: Readonly<Record<ClientShape, (events: string[]) => Understood>> = {
  chat: understandChatStream,
  messages: understandMessagesStream,
  responses: understandResponsesStream,
  gemini: understandGeminiStream,
};

/** Reads a successful answer as a client of the shape would. */
export const understand = (shape: ClientShape, isStream: boolean, text: string): Understood => {
  if (isStream) {
    const events = text
      .split("\n")
      .filter((line) => line.startsWith("data:"))
      .map((line) => line.slice(5).trim());
    return STREAMS[shape](events);
  }
  switch (shape) {
    case "responses":
      return readResponses(JSON.parse(text) as ResponsesBody);
    case "gemini":
      return readGemini(JSON.parse(text) as GeminiBody);
    case "chat": {
      const { choices, usage } = JSON.parse(text) as ChatBody;
      return {
        text: choices?.[0]?.message?.content ?? "",
        isEnded: true,
        error: undefined,
        usage: usage ? { input: usage.prompt_tokens, output: usage.completion_tokens } : undefined,
      };
    }
    case "messages": {
      const { content, usage } = JSON.parse(text) as MessagesBody;
      return {
        text: content?.map((block) => block.text ?? "").join("") ?? "",
        isEnded: true,
        error: undefined,
        usage: usage ? { input: usage.input_tokens ?? 0, output: usage.output_tokens } : undefined,
      };
    }
  }
};
