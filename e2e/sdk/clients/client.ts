import type { AnswerToolCall, AnswerUsage } from "@tollgate/testkit/answer-shapes/answer";

/** What a client library is told of the gateway. */
export interface Access {
  url: string;
  key: string;
  model: string;
  isStream: boolean;
}

/** What the user of a client library holds in hands when an answer is there. */
export interface Given {
  text: string;
  toolCalls: readonly AnswerToolCall[];
  /** What the library says was consumed, where it says so. */
  usage: Pick<AnswerUsage, "input" | "output"> | undefined;
}

/** The conversation that every library leads: a question with an image and a tool, the tool's result, an answer. */
export interface Conversation {
  /** The model's first answer. */
  asked: Given;
  /** Its answer to the tool's result. */
  answered: Given;
}

/** A client library, as its users use it. */
export interface SdkClient {
  name: string;
  /** Sends back the seal that a vendor puts on its reasoning. */
  keepsSeals?: boolean;
  converse(access: Access): Promise<Conversation>;
}

export const SYSTEM = "Be brief.";
export const QUESTION = "What is the weather where this was taken?";
export const TOOL = {
  name: "get_weather",
  description: "The weather of a city",
  parameters: {
    type: "object" as const,
    properties: { city: { type: "string" as const } },
    required: ["city"],
  },
};
export const TOOL_RESULT = { sky: "clear over 巴黎" };
/** A picture of one pixel. */
export const PNG =
  "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNkYPhfDwAChwGA60e6kgAAAABJRU5ErkJggg==";
