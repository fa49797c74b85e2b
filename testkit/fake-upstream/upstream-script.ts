import type { AnswerToolCall, AnswerUsage } from "../answer-shapes/answer";
import type { FaultName } from "./faults";

/** The fake upstream's treatment of the next requests. Every field is optional. */
export interface UpstreamScript {
  /** None by default. */
  fault?: FaultName;
  text?: string;
  reasoning?: string;
  toolCalls?: readonly AnswerToolCall[];
  usage?: AnswerUsage;
  finish?: "stop" | "length" | "tool-calls";
  /** Delay of the faults that wait (slow, slow-first-byte). */
  delayMs?: number;
  /** The length of a recording, for answers that report it. */
  seconds?: number;
  /** Pictures that a vendor delivers; 0 when its filter refuses. As many as were asked for by default. */
  pictures?: number;
  /** Address at which vendors keep pictures. */
  pictureAddress?: string;
  /** Number of pieces into which a stream cuts the text. */
  pieces?: number;
}

export const DEFAULT_TEXT = "Hello! 你好，世界 👋 How can I help?";
/** The usage in every answer, unless the script sets another. */
export const DEFAULT_USAGE: AnswerUsage = { input: 13, output: 5 };
