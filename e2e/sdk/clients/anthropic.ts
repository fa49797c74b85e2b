import Anthropic from "@anthropic-ai/sdk";
import { type Given, PNG, QUESTION, type SdkClient, SYSTEM, TOOL, TOOL_RESULT } from "./client";

const givenBy = ({ content, usage }: Anthropic.Message): Given => ({
  text: content.map((block) => (block.type === "text" ? block.text : "")).join(""),
  toolCalls: content.flatMap((block) =>
    block.type === "tool_use"
      ? [{ id: block.id, name: block.name, arguments: JSON.stringify(block.input) }]
      : [],
  ),
  usage: { input: usage.input_tokens, output: usage.output_tokens },
});

/** Anthropic's own client. */
export const ANTHROPIC_CLIENT: SdkClient = {
  name: "anthropic",
  keepsSeals: true,
  async converse({ url, key, model, isStream }) {
    const client = new Anthropic({ baseURL: url, apiKey: key, authToken: null, maxRetries: 0 });
    const messages: Anthropic.MessageParam[] = [
      {
        role: "user",
        content: [
          { type: "text", text: QUESTION },
          { type: "image", source: { type: "base64", media_type: "image/png", data: PNG } },
        ],
      },
    ];
    const say = async (): Promise<Anthropic.Message> => {
      const { name, description, parameters } = TOOL;
      const tools = [{ name, description, input_schema: parameters }];
      const request = { model, max_tokens: 500, system: SYSTEM, messages, tools };
      return isStream ? client.messages.stream(request).finalMessage() : client.messages.create(request);
    };
    const first = await say();
    const asked = givenBy(first);
    messages.push({ role: "assistant", content: first.content });
    messages.push({
      role: "user",
      content: asked.toolCalls.map(({ id }) => ({
        type: "tool_result",
        tool_use_id: id,
        content: JSON.stringify(TOOL_RESULT),
      })),
    });
    return { asked, answered: givenBy(await say()) };
  },
};
