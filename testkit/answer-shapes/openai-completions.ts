import type { Answer, AnswerShape } from "./answer";
import { OPENAI_CHAT } from "./openai-chat";

// https://platform.openai.com/docs/api-reference/completions

const FINISH_REASONS = { stop: "stop", length: "length", "tool-calls": "stop" } as const;

const event = (data: unknown): string => `data: ${JSON.stringify(data)}\n\n`;

const encodeUsage = ({ usage }: Answer) => ({
  prompt_tokens: usage.input,
  completion_tokens: usage.output,
  total_tokens: usage.input + usage.output,
});

/** OpenAI's completions, the forerunner of chats. */
export const OPENAI_COMPLETIONS: AnswerShape = {
  encodeJson: (answer, placement) => ({
    id: answer.id,
    object: "text_completion",
    created: answer.createdAt,
    model: answer.model,
    choices: [
      {
        index: 0,
        text: answer.pieces.join(""),
        logprobs: null,
        finish_reason: FINISH_REASONS[answer.finish],
      },
    ],
    ...(placement === "none" ? {} : { usage: encodeUsage(answer) }),
  }),

  encodeEvents: (answer, placement, isUsageWanted) => {
    const chunk = (text: string, finish: string | null, usage?: unknown): string =>
      event({
        id: answer.id,
        object: "text_completion",
        created: answer.createdAt,
        model: answer.model,
        choices: [{ index: 0, text, logprobs: null, finish_reason: finish }],
        ...(usage === undefined ? {} : { usage }),
      });
    const isEvery = placement === "every-event";
    const usage = encodeUsage(answer);
    const events = answer.pieces.map((text) => chunk(text, null, isEvery ? usage : undefined));
    const isWithLast = isEvery || placement === "with-last-choice";
    events.push(chunk("", FINISH_REASONS[answer.finish], isWithLast ? usage : undefined));
    if (placement === "documented" && isUsageWanted) {
      events.push(event({ id: answer.id, object: "text_completion", choices: [], usage }));
    }
    return [...events, "data: [DONE]\n\n"];
  },

  encodeError: OPENAI_CHAT.encodeError,
  encodeErrorEvent: OPENAI_CHAT.encodeErrorEvent,
};
