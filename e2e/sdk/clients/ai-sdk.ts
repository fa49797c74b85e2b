import { createAnthropic } from "@ai-sdk/anthropic";
import { createGoogleGenerativeAI } from "@ai-sdk/google";
import { createOpenAI } from "@ai-sdk/openai";
import { generateText, jsonSchema, type LanguageModel, type ModelMessage, streamText, tool } from "ai";
import { type Access, type Given, PNG, QUESTION, type SdkClient, SYSTEM, TOOL, TOOL_RESULT } from "./client";

// It warns of models that it does not know.
globalThis.AI_SDK_LOG_WARNINGS = false;

/** Vercel's AI SDK over one of its providers. */
const createAiSdkClient = (name: string, modelOf: (access: Access) => LanguageModel): SdkClient => ({
  name: `ai, ${name}`,
  async converse(access) {
    const messages: ModelMessage[] = [
      {
        role: "user",
        content: [
          { type: "text", text: QUESTION },
          { type: "image", image: PNG, mediaType: "image/png" },
        ],
      },
    ];
    const say = async (): Promise<Given> => {
      const { description, parameters } = TOOL;
      const request = {
        model: modelOf(access),
        system: SYSTEM,
        messages,
        maxRetries: 0,
        maxOutputTokens: 500,
        tools: { [TOOL.name]: tool({ description, inputSchema: jsonSchema(parameters) }) },
        // Its Responses provider names what it said before by id unless it is told that nothing is stored.
        providerOptions: { openai: { store: false } },
      };
      const result = access.isStream
        ? streamText({ ...request, onError: () => undefined })
        : await generateText(request);
      const [text, toolCalls, usage, response] = await Promise.all([
        result.text,
        result.toolCalls,
        result.usage,
        result.response,
      ]);
      messages.push(...response.messages);
      return {
        text,
        toolCalls: toolCalls.map((call) => ({
          id: call.toolCallId,
          name: call.toolName,
          arguments: JSON.stringify(call.input),
        })),
        usage: { input: usage.inputTokens ?? 0, output: usage.outputTokens ?? 0 },
      };
    };
    const asked = await say();
    messages.push({
      role: "tool",
      content: asked.toolCalls.map(({ id, name: toolName }) => ({
        type: "tool-result",
        toolCallId: id,
        toolName,
        output: { type: "json", value: TOOL_RESULT },
      })),
    });
    return { asked, answered: await say() };
  },
});

export const AI_SDK_CLIENTS: readonly SdkClient[] = [
  createAiSdkClient("openai chat", ({ url, key, model }) =>
    createOpenAI({ apiKey: key, baseURL: `${url}/v1` }).chat(model),
  ),
  createAiSdkClient("openai responses", ({ url, key, model }) =>
    createOpenAI({ apiKey: key, baseURL: `${url}/v1` }).responses(model),
  ),
  createAiSdkClient("anthropic", ({ url, key, model }) =>
    createAnthropic({ apiKey: key, baseURL: `${url}/v1` })(model),
  ),
  createAiSdkClient("google", ({ url, key, model }) =>
    createGoogleGenerativeAI({ apiKey: key, baseURL: `${url}/v1beta` })(model),
  ),
];
