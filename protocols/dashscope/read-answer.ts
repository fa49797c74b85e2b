import type { ChatResponse, FinishReason } from "@tollgate/contract/relay/response";
import { NO_USAGE, readCounter, type Usage } from "@tollgate/contract/relay/usage";
import { usageOf } from "../shared/answer/native-protocol";
import {
  isRecord,
  type JsonRecord,
  lookUp,
  readArray,
  readRecord,
  readString,
} from "../shared/json/json-values";
import { textAnswer } from "../shared/stream/text-answer";

/** The content of one `output`: with `choices`, or in its older form with a bare `text`. */
export interface ReadOutput {
  text: string;
  reasoning: string;
  calls: readonly JsonRecord[];
  /** undefined while the answer continues. */
  finishReason: FinishReason | undefined;
}

const FINISH_REASONS: Readonly<Record<string, FinishReason>> = { length: "length", tool_calls: "tool-calls" };

const readFinish = (value: unknown): FinishReason | undefined =>
  typeof value !== "string" || value === "" || value === "null"
    ? undefined
    : (lookUp(FINISH_REASONS, value) ?? "stop");

/** @returns undefined when it is no output. */
export const readOutput = (value: unknown): ReadOutput | undefined => {
  if (!isRecord(value)) return undefined;
  const choice = readArray(value.choices)[0];
  if (isRecord(choice)) {
    const message = readRecord(choice.message);
    return {
      text: readContent(message.content),
      reasoning: readContent(message.reasoning_content),
      calls: readArray(message.tool_calls).filter(isRecord),
      finishReason: readFinish(choice.finish_reason),
    };
  }
  if (typeof value.text !== "string") return undefined;
  return { text: value.text, reasoning: "", calls: [], finishReason: readFinish(value.finish_reason) };
};

/** Text, or from models that look at pictures a list of texts. */
const readContent = (content: unknown): string =>
  typeof content === "string"
    ? content
    : readArray(content)
        .map((part) => readString(readRecord(part).text))
        .join("");

/** Reads a whole answer: `{request_id, output, usage}`. */
export const readAnswer = (body: JsonRecord): ChatResponse | undefined => {
  const output = readOutput(body.output);
  if (!output) return undefined;
  return textAnswer({
    id: readString(body.request_id),
    text: output.text,
    reasoning: output.reasoning,
    calls: output.calls.map((call) => {
      const called = readRecord(call.function);
      return {
        id: readString(call.id),
        name: readString(called.name),
        arguments: readString(called.arguments),
      };
    }),
    finishReason: output.finishReason ?? "stop",
    usage: readUsageObject(body.usage),
  });
};

export const readUsageObject = (value: unknown): Usage => {
  const usage = readRecord(value);
  const counts = usageOf(usage.input_tokens, usage.output_tokens);
  if (counts === NO_USAGE) return counts;
  return {
    ...counts,
    cacheReadTokens: readCounter(readRecord(usage.prompt_tokens_details).cached_tokens),
    reasoningTokens: readCounter(readRecord(usage.output_tokens_details).reasoning_tokens),
  };
};
