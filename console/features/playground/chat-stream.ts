import { tryParseJson } from "@tollgate/contract/values/parse-json";
import * as z from "zod/mini";
import { MAX_ANSWER, type Step, type ToolCall } from "./conversation";
import { readEvents } from "./event-stream";

const text = z.catch(z.optional(z.nullable(z.string())), undefined);
const count = z.catch(z.optional(z.int()), undefined);

const chunkSchema = z.object({
  choices: z.catch(
    z.optional(
      z.array(
        z.object({
          delta: z.catch(
            z.object({
              content: text,
              reasoning_content: text,
              reasoning: text,
              tool_calls: z.catch(
                z.optional(
                  z.array(
                    z.object({
                      index: count,
                      id: text,
                      function: z.optional(z.object({ name: text, arguments: text })),
                    }),
                  ),
                ),
                undefined,
              ),
            }),
            {},
          ),
          finish_reason: text,
        }),
      ),
    ),
    undefined,
  ),
  usage: z.catch(
    z.optional(z.nullable(z.object({ prompt_tokens: count, completion_tokens: count }))),
    undefined,
  ),
  error: z.optional(z.object({ message: text })),
});

/** Calls of one answer: no model makes more. */
const MAX_CALLS = 64;
/** Characters of the stream as it arrived, for the raw view. */
const MAX_RAW = 1_000_000;

/** A stream that ended with an error of the gateway. */
export class StreamError extends Error {}

type Delta = NonNullable<z.infer<typeof chunkSchema>["choices"]>[number]["delta"];

/** Texts longer than are kept end there. */
const add = (step: Step, field: "text" | "reasoning", more: string): void => {
  const room = MAX_ANSWER - step[field].length;
  if (more.length > room) step.isCut = true;
  step[field] += more.slice(0, Math.max(0, room));
};

const addCalls = (calls: ToolCall[], deltas: NonNullable<Delta["tool_calls"]>): void => {
  for (const { index = calls.length, id, function: called } of deltas) {
    if (index < 0 || index >= MAX_CALLS) continue;
    while (calls.length <= index) calls.push({ id: "", name: "", arguments: "" });
    const call = calls[index] as ToolCall;
    if (id) call.id = id;
    if (called?.name) call.name += called.name;
    if (called?.arguments && call.arguments.length < MAX_ANSWER) call.arguments += called.arguments;
  }
};

const addChunk = (step: Step, data: string): void => {
  const parsed = chunkSchema.safeParse(tryParseJson(data));
  if (!parsed.success) return;
  const { choices, usage, error } = parsed.data;
  if (error) throw new StreamError(error.message ?? "");
  const [choice] = choices ?? [];
  if (choice) {
    const { content, reasoning_content: reasoning, reasoning: other, tool_calls: calls } = choice.delta;
    if (reasoning ?? other) add(step, "reasoning", reasoning ?? other ?? "");
    if (content) add(step, "text", content);
    if (calls) addCalls(step.toolCalls, calls);
    if (choice.finish_reason) step.finish = choice.finish_reason;
  }
  if (usage?.prompt_tokens !== undefined) step.promptTokens = usage.prompt_tokens;
  if (usage?.completion_tokens !== undefined) step.completionTokens = usage.completion_tokens;
};

/**
 * Reads an answer of the chat API as it arrives, into `step`.
 * @param wire receives the stream as it arrives, also of one that breaks off.
 * @param onChange called after each event; its receiver decides how often it draws.
 * @throws StreamError with the gateway's words, and the errors of the connection.
 */
export const readChat = async (
  response: Response,
  step: Step,
  wire: { answer: string },
  onChange: () => void,
): Promise<void> => {
  if (!response.body) return;
  for await (const data of readEvents(response.body)) {
    if (wire.answer.length < MAX_RAW) wire.answer += `data: ${data}\n\n`;
    if (data === "[DONE]") continue;
    addChunk(step, data);
    onChange();
  }
};
