import { chatBody } from "./chat-request";
import { readChat, StreamError } from "./chat-stream";
import { type Conversation, emptyStep, type Step } from "./conversation";
import { callPlayground, failureOf, requestIdOf } from "./playground-call";

/** Time between two drawings of a stream. */
const DRAW_MS = 80;

/** The position of an answer. */
export interface StepPosition {
  turn: number;
  column: number;
  step: number;
}

/** A request and its answer as they were on the wire. */
export interface Raw {
  request: Record<string, unknown>;
  answer: string;
}

/**
 * Sends a column's next request and reads the answer. A failure is a part of the answer.
 * @param draw receives the answer as it stands: when it begins, a few times a second, and when it is over.
 * @returns what went over the wire.
 */
export const runAnswer = async (
  conversation: Conversation,
  { column }: StepPosition,
  signal: AbortSignal,
  draw: (step: Step) => void,
): Promise<Raw> => {
  const step = emptyStep(conversation.models[column] ?? "");
  const request = {
    ...chatBody(conversation, column),
    stream: true,
    stream_options: { include_usage: true },
  };
  const drawNow = (): void => draw({ ...step, toolCalls: step.toolCalls.map((call) => ({ ...call })) });
  let timer: ReturnType<typeof setTimeout> | undefined;
  const drawSoon = (): void => {
    timer ??= setTimeout(() => {
      timer = undefined;
      drawNow();
    }, DRAW_MS);
  };
  drawNow();
  const wire: Raw = { request, answer: "" };
  try {
    const response = await callPlayground({
      path: "/v1/chat/completions",
      group: conversation.group,
      body: request,
      signal,
    });
    step.requestId = requestIdOf(response);
    await readChat(response, step, wire, drawSoon);
  } catch (error) {
    if (signal.aborted) step.isStopped = true;
    else {
      step.failure = failureOf(error, step.requestId);
      if (error instanceof StreamError) step.failure.message = error.message;
      step.requestId = step.failure.requestId;
    }
  }
  clearTimeout(timer);
  drawNow();
  return wire;
};
