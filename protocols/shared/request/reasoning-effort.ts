import type { ReasoningEffort } from "@tollgate/contract/relay/request";

/** From the least to the most. */
export const REASONING_EFFORTS: readonly ReasoningEffort[] = [
  "none",
  "minimal",
  "low",
  "medium",
  "high",
  "xhigh",
  "max",
];

/** Tells an effort that the canonical request knows from any other value. */
export const isReasoningEffort = (value: unknown): value is ReasoningEffort =>
  REASONING_EFFORTS.some((effort) => effort === value);

/**
 * The effort that stands for a budget of reasoning tokens. The limits are those that Google documents for its
 * OpenAI-shaped endpoint: https://ai.google.dev/gemini-api/docs/openai#thinking
 */
export const effortOfBudget = (budgetTokens: number): ReasoningEffort => {
  if (budgetTokens <= 0) return "none";
  if (budgetTokens <= 1024) return "low";
  if (budgetTokens <= 8192) return "medium";
  return budgetTokens <= 24_576 ? "high" : "xhigh";
};

/**
 * The effort to ask for when a model knows only some: the wanted one, or the next lower, or the lowest there is.
 * @param supported from the least to the most, not empty.
 */
export const nearestEffort = (
  wanted: ReasoningEffort,
  supported: readonly ReasoningEffort[],
): ReasoningEffort | undefined => {
  const limit = REASONING_EFFORTS.indexOf(wanted);
  return supported.findLast((effort) => REASONING_EFFORTS.indexOf(effort) <= limit) ?? supported[0];
};
