import { tryParseJson } from "@tollgate/contract/values/parse-json";
import type { Attachment, ChatSettings, Conversation, Step } from "./conversation";

/** A field of the parameters that cannot be sent as it is typed. */
export type SettingMistake = "temperature" | "topP" | "maxTokens" | "tools";

const isWithin = (text: string, min: number, max: number): boolean =>
  text.trim() === "" || (Number.isFinite(Number(text)) && Number(text) >= min && Number(text) <= max);

/** The tools of a text; undefined for a text that is no list of objects. */
const readTools = (text: string): object[] | undefined => {
  const tools = tryParseJson(text);
  if (!Array.isArray(tools)) return undefined;
  return tools.every((each) => typeof each === "object" && each !== null && !Array.isArray(each))
    ? tools
    : undefined;
};

/** The parameters that cannot be sent. */
export const settingMistakes = ({ temperature, topP, maxTokens, tools }: ChatSettings): SettingMistake[] => [
  ...(isWithin(temperature, 0, 2) ? [] : ["temperature" as const]),
  ...(isWithin(topP, 0, 1) ? [] : ["topP" as const]),
  ...(/^\d{0,9}$/.test(maxTokens.trim()) ? [] : ["maxTokens" as const]),
  ...(tools.trim() === "" || readTools(tools) ? [] : ["tools" as const]),
];

const parametersOf = ({ temperature, topP, maxTokens, effort, tools }: ChatSettings) => ({
  ...(temperature.trim() === "" ? {} : { temperature: Number(temperature) }),
  ...(topP.trim() === "" ? {} : { top_p: Number(topP) }),
  ...(maxTokens.trim() === "" ? {} : { max_tokens: Number(maxTokens) }),
  ...(effort === "" ? {} : { reasoning_effort: effort }),
  ...(tools.trim() === "" ? {} : { tools: readTools(tools) }),
});

const partOf = ({ name, type, data }: Attachment) =>
  type.startsWith("image/")
    ? { type: "image_url", image_url: { url: data } }
    : { type: "file", file: { filename: name, file_data: data } };

const userMessage = (text: string, attachments: readonly Attachment[]) => {
  // Those of a stored conversation are gone.
  const present = attachments.filter(({ data }) => data !== "");
  if (present.length === 0) return { role: "user", content: text };
  const words = text === "" ? [] : [{ type: "text", text }];
  return { role: "user", content: [...words, ...present.map(partOf)] };
};

/** An answer and the results of its calls; nothing for one that failed before it began. */
const stepMessages = ({ text, toolCalls, results }: Step): object[] => {
  // A model refuses calls without results.
  const isAnswered = toolCalls.length > 0 && results !== undefined;
  if (text === "" && !isAnswered) return [];
  if (!isAnswered) return [{ role: "assistant", content: text }];
  return [
    {
      role: "assistant",
      content: text === "" ? null : text,
      tool_calls: toolCalls.map(({ id, name, arguments: sent }) => ({
        id,
        type: "function",
        function: { name, arguments: sent },
      })),
    },
    ...toolCalls.map(({ id }, index) => ({ role: "tool", tool_call_id: id, content: results[index] ?? "" })),
  ];
};

/**
 * The body of a column's next request: the conversation as this column has seen it.
 * @param turns how many turns it contains.
 */
export const chatBody = (
  { models, settings, turns }: Conversation,
  column: number,
  lastTurn = turns.length - 1,
): Record<string, unknown> => ({
  model: models[column] ?? "",
  messages: [
    ...(settings.system.trim() === "" ? [] : [{ role: "system", content: settings.system }]),
    ...turns
      .slice(0, lastTurn + 1)
      .flatMap(({ text, attachments, answers }) => [
        userMessage(text, attachments),
        ...(answers[column] ?? []).flatMap(stepMessages),
      ]),
  ],
  ...parametersOf(settings),
});
