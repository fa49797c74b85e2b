/** The two API shapes that a client can speak. */
export type ClientShape = "chat" | "messages";

export const PATHS = { chat: "/v1/chat/completions", messages: "/v1/messages" } as const;

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
    headers: { ...(body === undefined ? {} : { "content-type": "application/json" }), ...headers },
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
  error?: { message?: unknown; type?: unknown; code?: unknown; param?: unknown };
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
  if (typeof error.message !== "string" || typeof error.type !== "string") throw wrong();
  const common = { message: error.message, type: error.type, code: error.code, param: error.param };
  if (shape === "messages") {
    if (type !== "error" || typeof request_id !== "string" || "code" in error) throw wrong();
    return { ...common, requestId: request_id };
  }
  if (Object.keys(body).length !== 1 || Object.keys(error).sort().join() !== "code,message,param,type") {
    throw wrong();
  }
  return { ...common, requestId: /\(request id: (\w+)\)$/.exec(error.message)?.[1] };
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

/** Reads a successful answer as a client of the shape would. */
export const understand = (shape: ClientShape, isStream: boolean, text: string): Understood => {
  if (isStream) {
    const events = text
      .split("\n")
      .filter((line) => line.startsWith("data:"))
      .map((line) => line.slice(5).trim());
    return shape === "chat" ? understandChatStream(events) : understandMessagesStream(events);
  }
  if (shape === "chat") {
    const { choices, usage } = JSON.parse(text) as ChatBody;
    return {
      text: choices?.[0]?.message?.content ?? "",
      isEnded: true,
      error: undefined,
      usage: usage ? { input: usage.prompt_tokens, output: usage.completion_tokens } : undefined,
    };
  }
  const { content, usage } = JSON.parse(text) as MessagesBody;
  return {
    text: content?.map((block) => block.text ?? "").join("") ?? "",
    isEnded: true,
    error: undefined,
    usage: usage ? { input: usage.input_tokens ?? 0, output: usage.output_tokens } : undefined,
  };
};
