import { type Content, type GenerateContentResponse, GoogleGenAI, type Part } from "@google/genai";
import { type Given, PNG, QUESTION, type SdkClient, SYSTEM, TOOL, TOOL_RESULT } from "./client";

/** What one answer, or the pieces of a streamed one, hold. */
interface Gathered {
  parts: Part[];
  last: GenerateContentResponse | undefined;
}

const givenBy = ({ parts, last }: Gathered): Given => ({
  text: parts.map((part) => (part.thought ? "" : (part.text ?? ""))).join(""),
  toolCalls: parts.flatMap(({ functionCall }) =>
    functionCall
      ? [
          {
            id: functionCall.id ?? "",
            name: functionCall.name ?? "",
            arguments: JSON.stringify(functionCall.args),
          },
        ]
      : [],
  ),
  usage: last?.usageMetadata && {
    input: last.usageMetadata.promptTokenCount ?? 0,
    output: last.usageMetadata.candidatesTokenCount ?? 0,
  },
});

/** Google's own client. */
export const GOOGLE_GENAI_CLIENT: SdkClient = {
  name: "@google/genai",
  keepsSeals: true,
  async converse({ url, key, model, isStream }) {
    const client = new GoogleGenAI({ apiKey: key, httpOptions: { baseUrl: url } });
    const contents: Content[] = [
      { role: "user", parts: [{ text: QUESTION }, { inlineData: { mimeType: "image/png", data: PNG } }] },
    ];
    const say = async (): Promise<Gathered> => {
      const { name, description, parameters } = TOOL;
      const tools = [{ functionDeclarations: [{ name, description, parametersJsonSchema: parameters }] }];
      const request = { model, contents, config: { systemInstruction: SYSTEM, tools } };
      const gathered: Gathered = { parts: [], last: undefined };
      const gather = (response: GenerateContentResponse): void => {
        gathered.parts.push(...(response.candidates?.[0]?.content?.parts ?? []));
        gathered.last = response;
      };
      if (!isStream) gather(await client.models.generateContent(request));
      else for await (const chunk of await client.models.generateContentStream(request)) gather(chunk);
      return gathered;
    };
    const first = await say();
    const asked = givenBy(first);
    contents.push({ role: "model", parts: first.parts });
    contents.push({
      role: "user",
      parts: asked.toolCalls.map(({ id, name }) => ({
        functionResponse: { id, name, response: TOOL_RESULT },
      })),
    });
    return { asked, answered: givenBy(await say()) };
  },
};
