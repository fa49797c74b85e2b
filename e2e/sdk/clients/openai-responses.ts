import OpenAI from "openai";
import type { Response, ResponseInput, ResponseOutputItem } from "openai/resources/responses/responses";
import { type Given, PNG, QUESTION, type SdkClient, SYSTEM, TOOL, TOOL_RESULT } from "./client";

const textsOf = (item: ResponseOutputItem): string[] =>
  item.type === "message" ? item.content.map((part) => (part.type === "output_text" ? part.text : "")) : [];

const givenBy = ({ output, usage }: Response): Given => ({
  text: output.flatMap(textsOf).join(""),
  toolCalls: output.flatMap((item) =>
    item.type === "function_call" ? [{ id: item.call_id, name: item.name, arguments: item.arguments }] : [],
  ),
  usage: usage && { input: usage.input_tokens, output: usage.output_tokens },
});

/** OpenAI's own client, Responses. */
export const OPENAI_RESPONSES_CLIENT: SdkClient = {
  name: "openai, responses",
  keepsSeals: true,
  async converse({ url, key, model, isStream }) {
    const client = new OpenAI({ apiKey: key, baseURL: `${url}/v1`, maxRetries: 0 });
    const input: ResponseInput = [
      {
        role: "user",
        content: [
          { type: "input_text", text: QUESTION },
          { type: "input_image", image_url: `data:image/png;base64,${PNG}`, detail: "auto" },
        ],
      },
    ];
    const say = async (): Promise<Response> => {
      const tool = { type: "function" as const, ...TOOL, strict: false };
      const request = { model, instructions: SYSTEM, input, tools: [tool] };
      if (!isStream) return client.responses.create(request);
      return client.responses.stream(request).finalResponse();
    };
    const first = await say();
    const asked = givenBy(first);
    input.push(...first.output);
    for (const { id } of asked.toolCalls) {
      input.push({ type: "function_call_output", call_id: id, output: JSON.stringify(TOOL_RESULT) });
    }
    return { asked, answered: givenBy(await say()) };
  },
};
