import type { ChatRequest } from "@tollgate/contract/relay/request";
import type { ModelRule } from "./model-rules";

/** Below this, `top_p` is refused beside thinking. */
const MIN_THINKING_TOP_P = 0.95;

/** Builds the sampling fields that the model accepts. Temperature ends at 1 here, at 2 elsewhere. */
export const buildSampling = (
  { temperature, topP, topK }: ChatRequest,
  rule: ModelRule,
  isThinking: boolean,
): Record<string, number | undefined> => {
  if (rule.sampling === "none") return {};
  if (isThinking) return { top_p: topP !== undefined && topP >= MIN_THINKING_TOP_P ? topP : undefined };
  const isTemperatureAlone = rule.sampling === "one" && temperature !== undefined;
  return {
    temperature: temperature === undefined ? undefined : Math.min(1, Math.max(0, temperature)),
    top_p: isTemperatureAlone ? undefined : topP,
    top_k: topK,
  };
};
