import OpenAI from "openai";
import { type Given, PNG, QUESTION, type SdkClient, SYSTEM, TOOL, TOOL_RESULT } from "./client";

const givenBy = ({ choices: [choice], usage }: OpenAI.ChatCompletion): Given => ({
  text: choice?.message.content ?? "",
  toolCalls: (choice?.message.tool_calls ?? []).flatMap((call) =>
    call.type === "function" ? [{ id: call.id, ...call.function }] : [],
  ),
  usage: usage && { input: usage.prompt_tokens, output: usage.completion_tokens },
});

/** OpenAI's own client, Chat Completions. */
export const OPENAI_CHAT_CLIENT: SdkClient = {
  name: "openai, chat",
  async converse({ url, key, model, isStream }) {
    const client = new OpenAI({ apiKey: key, baseURL: `${url}/v1`, maxRetries: 0 });
    const messages: OpenAI.ChatCompletionMessageParam[] = [
      { role: "system", content: SYSTEM },
      {
        role: "user",
        content: [
          { type: "text", text: QUESTION },
          { type: "image_url", image_url: { url: `data:image/png;base64,${PNG}` } },
        ],
      },
    ];
    const say = async (): Promise<OpenAI.ChatCompletion> => {
      const request = { model, messages, tools: [{ type: "function" as const, function: TOOL }] };
      if (!isStream) return client.chat.completions.create(request);
      const stream = client.chat.completions.stream({ ...request, stream_options: { include_usage: true } });
      return stream.finalChatCompletion();
    };
    const first = await say();
    const asked = givenBy(first);
    const [choice] = first.choices;
    if (choice) messages.push(choice.message);
    for (const { id } of asked.toolCalls) {
      messages.push({ role: "tool", tool_call_id: id, content: JSON.stringify(TOOL_RESULT) });
    }
    return { asked, answered: givenBy(await say()) };
  },
};
