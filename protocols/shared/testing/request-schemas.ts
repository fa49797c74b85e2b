import type { ClientProtocolName } from "@tollgate/contract/relay/protocol";
import { z } from "zod";

/*
 * Schemas of the requests built here that each protocol's upstreams accept, by the vendors' documents and SDKs: no
 * unknown or missing fields, and the required order.
 */

const text = z.string().min(1);
const object = z.record(z.string(), z.unknown());

// Chat Completions: https://platform.openai.com/docs/api-reference/chat/create

const chatPart = z.discriminatedUnion("type", [
  z.strictObject({ type: z.literal("text"), text }),
  z.strictObject({
    type: z.literal("image_url"),
    image_url: z.strictObject({ url: text, detail: text.optional() }),
  }),
  z.strictObject({
    type: z.literal("file"),
    file: z.strictObject({ filename: text, file_data: z.string().startsWith("data:") }),
  }),
]);

const chatCall = z.strictObject({
  id: text,
  type: z.literal("function"),
  function: z.strictObject({ name: z.string().regex(/^[a-zA-Z0-9_-]{1,64}$/), arguments: text }),
  extra_content: object.optional(),
});

const chatMessage = z.discriminatedUnion("role", [
  z.strictObject({ role: z.literal("system"), content: text }),
  z.strictObject({ role: z.literal("user"), content: z.union([text, z.array(chatPart).min(1)]) }),
  z.strictObject({
    role: z.literal("assistant"),
    content: text.nullable(),
    reasoning_content: text.optional(),
    tool_calls: z.array(chatCall).min(1).optional(),
  }),
  z.strictObject({ role: z.literal("tool"), tool_call_id: text, content: z.string() }),
]);

const chat = z.looseObject({ model: text, messages: z.array(chatMessage).min(1) }).refine(({ messages }) => {
  let open: string[] = [];
  for (const message of messages) {
    if (message.role === "tool") {
      if (!open.includes(message.tool_call_id)) return false;
      open = open.filter((id) => id !== message.tool_call_id);
    } else if (open.length > 0) return false;
    else if (message.role === "assistant") open = message.tool_calls?.map(({ id }) => id) ?? [];
  }
  return open.length === 0;
}, "results must follow their calls");

// Responses: https://platform.openai.com/docs/api-reference/responses/create

const inputPart = z.discriminatedUnion("type", [
  z.strictObject({ type: z.literal("input_text"), text }),
  z.strictObject({ type: z.literal("input_image"), image_url: text, detail: text }),
  z.strictObject({
    type: z.literal("input_file"),
    filename: text.optional(),
    file_data: z.string().startsWith("data:").optional(),
    file_url: text.optional(),
  }),
]);

const responses = z.looseObject({
  model: text,
  store: z.literal(false),
  input: z
    .array(
      z.union([
        z.strictObject({ role: z.enum(["user", "developer"]), content: z.array(inputPart).min(1) }),
        z.strictObject({ role: z.literal("assistant"), content: text }),
        z.strictObject({
          type: z.literal("reasoning"),
          summary: z.array(z.strictObject({ type: z.literal("summary_text"), text })),
          encrypted_content: text,
        }),
        z.strictObject({ type: z.literal("function_call"), call_id: text, name: text, arguments: text }),
        z.strictObject({
          type: z.literal("function_call_output"),
          call_id: text,
          output: z.union([z.string(), z.array(inputPart).min(1)]),
        }),
      ]),
    )
    .min(1),
});

// Messages: https://docs.anthropic.com/en/api/messages

const cache = {
  cache_control: z.strictObject({ type: z.literal("ephemeral"), ttl: text.optional() }).optional(),
};
const textBlock = z.strictObject({ type: z.literal("text"), text, ...cache });
const imageBlock = z.strictObject({ type: z.literal("image"), source: object, ...cache });
const documentBlock = z.strictObject({
  type: z.literal("document"),
  source: object,
  title: text.optional(),
  ...cache,
});
const userBlock = z.discriminatedUnion("type", [
  textBlock,
  imageBlock,
  documentBlock,
  z.strictObject({
    type: z.literal("tool_result"),
    tool_use_id: text,
    is_error: z.boolean().optional(),
    content: z.array(z.discriminatedUnion("type", [textBlock, imageBlock, documentBlock])).optional(),
    ...cache,
  }),
]);
const assistantBlock = z.discriminatedUnion("type", [
  textBlock,
  z.strictObject({ type: z.literal("thinking"), thinking: z.string(), signature: text }),
  z.strictObject({ type: z.literal("redacted_thinking"), data: text }),
  z.strictObject({
    type: z.literal("tool_use"),
    id: z.string().regex(/^[a-zA-Z0-9_-]{1,64}$/),
    name: z.string().regex(/^[a-zA-Z0-9_-]{1,128}$/),
    input: object,
  }),
]);

const messages = z
  .looseObject({
    model: text,
    max_tokens: z.number().int().positive(),
    messages: z
      .array(
        z.discriminatedUnion("role", [
          z.strictObject({ role: z.literal("user"), content: z.array(userBlock).min(1) }),
          z.strictObject({ role: z.literal("assistant"), content: z.array(assistantBlock).min(1) }),
          z.strictObject({ role: z.literal("system"), content: z.array(textBlock).min(1) }),
        ]),
      )
      .min(1),
  })
  .refine(({ messages: list }) => {
    const roles = list.map(({ role }) => role);
    // The user is first; instructions follow a user turn, and only a model turn may follow them.
    return roles.every((role, index) => {
      const next = roles[index + 1];
      if (index === 0 && role !== "user") return false;
      return (
        role !== next && (role !== "system" || next !== "user") && (role !== "assistant" || next !== "system")
      );
    });
  }, "turns must alternate")
  .refine(
    ({ messages: list }) =>
      list.every((message, index) => {
        if (message.role !== "assistant") return true;
        const calls = message.content.flatMap((block) => (block.type === "tool_use" ? [block.id] : []));
        const next = list[index + 1];
        const answered =
          next?.role === "user"
            ? next.content
                .slice(0, calls.length)
                .flatMap((block) => (block.type === "tool_result" ? [block.tool_use_id] : []))
            : [];
        return calls.every((id) => answered.includes(id));
      }),
    "results must follow their calls, before anything else",
  );

// generateContent: https://ai.google.dev/api/generate-content

const geminiPart = z
  .strictObject({
    text: z.string().optional(),
    inlineData: z.strictObject({ mimeType: text, data: text }).optional(),
    functionCall: z.strictObject({ id: text, name: text, args: object }).optional(),
    functionResponse: z.strictObject({ id: text, name: text, response: object }).optional(),
    thoughtSignature: text.optional(),
  })
  .refine(
    ({ thoughtSignature: _seal, ...data }) =>
      Object.values(data).filter((one) => one !== undefined).length === 1,
    "a part holds one thing",
  );

const gemini = z.looseObject({
  contents: z
    .array(z.strictObject({ role: z.enum(["user", "model"]), parts: z.array(geminiPart).min(1) }))
    .min(1)
    .refine(
      (contents) => contents.every(({ role }, index) => role !== contents[index + 1]?.role),
      "turns must alternate",
    ),
});

export const REQUEST_SCHEMAS: Readonly<Record<ClientProtocolName, z.ZodType>> = {
  "openai-chat": chat,
  "openai-responses": responses,
  "anthropic-messages": messages,
  "gemini-generate": gemini,
};
