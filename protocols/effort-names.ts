import type { ChatRequest, ReasoningEffort } from "@tollgate/contract/relay/request";
import { findModelRule as findClaudeRule } from "./anthropic-messages/model-rules";
import { findModelRule as findGeminiRule } from "./gemini-generate/model-rules";
import { findModelRule } from "./shared/request/openai-model-rules";

/* Names of models with an effort, as new-api has them: `o3-mini-high`, `claude-…-thinking` (docs/reference/aliases.md). */

export interface EffortName {
  /** The model without the effort. */
  readonly base: string;
  readonly reasoning: NonNullable<ChatRequest["reasoning"]>;
}

/** A longer name is no model's. */
const MAX_NAME = 200;

const EFFORT = /^(.+)-(none|minimal|low|medium|high|xhigh|max)$/;
const THINKING = /^(.+)-(nothinking|thinking)$/;
const BUDGET = /^(.+)-thinking-(\d{1,6})$/;

const CLAUDE = /(?:^|[./])claude-/i;
const GEMINI = /(?:^|[./])gemini-/i;

/** Models with a budget have the three efforts of Google's OpenAI-shaped endpoint. */
const BUDGET_EFFORTS: readonly string[] = ["low", "medium", "high"];

const hasEffort = (base: string, effort: string): boolean => {
  if (GEMINI.test(base)) {
    const { thinking } = findGeminiRule(base);
    if (thinking.kind === "none") return false;
    return (thinking.kind === "level" ? thinking.levels : BUDGET_EFFORTS).some((each) => each === effort);
  }
  if (CLAUDE.test(base)) return findClaudeRule(base).efforts.some((each) => each === effort);
  const { isOpenai, efforts } = findModelRule(base);
  return isOpenai === true && efforts.some((each) => each === effort);
};

const canThink = (base: string): boolean =>
  (CLAUDE.test(base) && findClaudeRule(base).thinking !== "none") ||
  (GEMINI.test(base) && findGeminiRule(base).thinking.kind !== "none");

/** Reads a name that ends with an effort that its model knows; undefined for any other name. */
export const readEffortName = (name: string): EffortName | undefined => {
  if (name.length > MAX_NAME) return undefined;
  const [, base, effort] = EFFORT.exec(name) ?? [];
  if (base !== undefined && effort !== undefined)
    return hasEffort(base, effort) ? { base, reasoning: { effort: effort as ReasoningEffort } } : undefined;
  const [, switched, mode] = THINKING.exec(name) ?? [];
  if (switched !== undefined)
    return canThink(switched)
      ? { base: switched, reasoning: { effort: mode === "thinking" ? "medium" : "none" } }
      : undefined;
  const [, budgeted, budget] = BUDGET.exec(name) ?? [];
  if (budgeted === undefined || !GEMINI.test(budgeted) || !canThink(budgeted)) return undefined;
  const budgetTokens = Number(budget);
  return { base: budgeted, reasoning: budgetTokens === 0 ? { effort: "none" } : { budgetTokens } };
};
