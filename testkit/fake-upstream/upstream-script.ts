import type { AnswerToolCall, AnswerUsage } from "../answer-shapes/answer";
import type { FaultName } from "./faults";

/** What the fake upstream does with the next requests. Everything may be left out. */
export interface UpstreamScript {
  /** What goes wrong; nothing by default. */
  fault?: FaultName;
  text?: string;
  reasoning?: string;
  toolCalls?: readonly AnswerToolCall[];
  usage?: AnswerUsage;
  finish?: "stop" | "length" | "tool-calls";
  /** How long the faults wait that wait (slow, slow-first-byte). */
  delayMs?: number;
  /** The length of a recording, where the answer is to tell it. */
  seconds?: number;
  /** How many pieces a stream cuts the text into. */
  pieces?: number;
}

export const DEFAULT_TEXT = "Hello! 你好，世界 👋 How can I help?";
/** What every answer says it consumed unless the script says otherwise. */
export const DEFAULT_USAGE: AnswerUsage = { input: 13, output: 5 };
