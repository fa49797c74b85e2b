import type { AssistantPart } from "./request";
import type { Usage } from "./usage";

export type FinishReason = "stop" | "length" | "tool-calls" | "content-filter";

/** The canonical answer of one attempt. */
export interface ChatResponse {
  /** The upstream's own id of the answer, or "" when it gives none. */
  id: string;
  /** The model that the upstream says it used, or "" when it does not say. */
  model: string;
  parts: AssistantPart[];
  /** A refusal in the model's words, apart from the content. */
  refusal?: string;
  finishReason: FinishReason;
  /** The client's sequence that ended the answer, where that is known. */
  stopSequence?: string;
  usage: Usage;
}
