import { isRecord, type JsonRecord, readArray, readString } from "../shared/json/json-values";

/** The text and the reasoning of a message or a delta. */
export interface ReadContent {
  text: string;
  reasoning: string;
}

/**
 * Reads `content` and the reasoning next to it. OpenAI writes a string; Mistral writes a list whose `thinking` parts
 * are reasoning (https://docs.mistral.ai/capabilities/reasoning/). Reasoning is `reasoning_content` (DeepSeek and most
 * others) or `reasoning` (OpenRouter, newer vLLM); never both, because some send the same text under both names.
 */
export const readContent = (message: JsonRecord): ReadContent => {
  let text = "";
  let reasoning = readString(message.reasoning_content) || readString(message.reasoning);
  if (typeof message.content === "string") return { text: message.content, reasoning };
  for (const part of readArray(message.content)) {
    if (!isRecord(part)) continue;
    if (part.type === "thinking") {
      for (const piece of readArray(part.thinking)) if (isRecord(piece)) reasoning += readString(piece.text);
    } else {
      text += readString(part.text);
    }
  }
  return { text, reasoning };
};
