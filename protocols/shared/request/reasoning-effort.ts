import type { ReasoningEffort } from "@tollgate/contract/relay/request";

/** In ascending order. */
export const REASONING_EFFORTS: readonly ReasoningEffort[] = [
  "none",
  "minimal",
  "low",
  "medium",
  "high",
  "xhigh",
  "max",
];

/** Whether a value is an effort of the canonical request. */
export const isReasoningEffort = (value: unknown): value is ReasoningEffort =>
  REASONING_EFFORTS.some((effort) => effort === value);

/**
 * The effort equivalent to a budget of reasoning tokens. The thresholds are those that Google documents for its
 * OpenAI-shaped endpoint: https://ai.google.dev/gemini-api/docs/openai#thinking
 */
export const effortOfBudget = (budgetTokens: number): ReasoningEffort => {
  if (budgetTokens <= 0) return "none";
  if (budgetTokens <= 1024) return "low";
  if (budgetTokens <= 8192) return "medium";
  return budgetTokens <= 24_576 ? "high" : "xhigh";
};

/**
 * The effort for a model that supports only some: the wanted one, or the next lower, or the lowest available.
 * @param supported in ascending order, not empty.
 */
export const nearestEffort = (
  wanted: ReasoningEffort,
  supported: readonly ReasoningEffort[],
): ReasoningEffort | undefined => {
  const limit = REASONING_EFFORTS.indexOf(wanted);
  return supported.findLast((effort) => REASONING_EFFORTS.indexOf(effort) <= limit) ?? supported[0];
};
