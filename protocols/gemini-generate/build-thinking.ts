import type { ChatRequest, ReasoningEffort } from "@tollgate/contract/relay/request";
import { effortOfBudget, nearestEffort } from "../shared/request/reasoning-effort";
import type { ModelRule } from "./model-rules";

/** https://ai.google.dev/gemini-api/docs/openai#thinking; above "high" there is only the model's own limit. */
const BUDGETS: Readonly<Record<Exclude<ReasoningEffort, "none">, number>> = {
  minimal: 1024,
  low: 1024,
  medium: 8192,
  high: 24_576,
  xhigh: 32_768,
  max: 32_768,
};

/**
 * Builds `thinkingConfig` (https://ai.google.dev/gemini-api/docs/thinking): a budget for some models, a level for
 * others, never both. Thoughts are requested whenever the client requests thinking.
 * @returns undefined to leave the model at its default.
 */
export const buildThinking = (
  { reasoning, showsReasoning }: Pick<ChatRequest, "reasoning" | "showsReasoning">,
  { thinking }: ModelRule,
): Record<string, unknown> | undefined => {
  if (thinking.kind === "none") return undefined;
  if (!reasoning) return showsReasoning ? { includeThoughts: true } : undefined;
  const { effort, budgetTokens } = reasoning;
  const includeThoughts = effort === "none" ? undefined : true;
  if (thinking.kind === "level") {
    const thinkingLevel = nearestEffort(effort ?? effortOfBudget(budgetTokens ?? 0), thinking.levels);
    return { thinkingLevel, includeThoughts };
  }
  if (effort === "none") return { thinkingBudget: thinking.least };
  const wanted = budgetTokens ?? BUDGETS[effort ?? "medium"];
  return { thinkingBudget: Math.min(thinking.max, Math.max(thinking.min, wanted)), includeThoughts };
};
