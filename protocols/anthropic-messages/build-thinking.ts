import type { ChatRequest, ReasoningEffort, Turn } from "@tollgate/contract/relay/request";
import { isAnthropicSeal } from "../shared/messages/seal";
import { effortOfBudget, nearestEffort } from "../shared/request/reasoning-effort";
import { isToolForced } from "./build-tools";
import type { ModelRule } from "./model-rules";

/** The fields that steer thinking, and the limit that has to grow with a budget. */
export interface Thinking {
  /** Value of `thinking`; undefined to leave the field out. */
  thinking: unknown;
  /** Value of `output_config.effort`. */
  effort: ReasoningEffort | undefined;
  maxTokens: number;
  isOn: boolean;
}

/** The API's least. */
const MIN_BUDGET_TOKENS = 1024;

/** Left for the visible answer beside a budget when the client names no limit. */
const VISIBLE_TOKENS = 4096;

const BUDGETS: Readonly<Record<Exclude<ReasoningEffort, "none" | "max">, number>> = {
  minimal: 1024,
  low: 1024,
  medium: 8192,
  high: 24_576,
  xhigh: 32_000,
};

/**
 * Decides about thinking (https://docs.anthropic.com/en/docs/build-with-claude/extended-thinking).
 * @param maxTokens the current limit; a budget raises it, because this limit includes thinking and answer.
 * @param mostTokens maximum of a raised limit.
 */
export const buildThinking = (
  request: ChatRequest,
  rule: ModelRule,
  maxTokens: number,
  mostTokens: number,
): Thinking => {
  const off: Thinking = { thinking: undefined, effort: undefined, maxTokens, isOn: false };
  const { reasoning } = request;
  const isForced = rule.canForceTool && isToolForced(request);
  if (isForced && rule.thinksByDefault) return { ...off, thinking: { type: rule.thinkingOff } };
  if (!reasoning || rule.thinking === "none") return off;
  if (rule.thinking === "budget") {
    // Thinking and a forced tool exclude each other, and a turn that thought must be sent back with its seal.
    const isPossible = reasoning.effort !== "none" && !isForced && canContinueThinking(request.turns);
    return isPossible ? { ...budgetFor(request, maxTokens, mostTokens), effort: undefined, isOn: true } : off;
  }
  return { ...off, ...adaptiveThinking(reasoning, rule, isForced) };
};

/** Thinking of a model that chooses its amount itself. */
const adaptiveThinking = (
  reasoning: NonNullable<ChatRequest["reasoning"]>,
  rule: ModelRule,
  isForced: boolean,
): Partial<Thinking> => {
  const switchedOff = rule.thinkingOff && { type: rule.thinkingOff };
  const wanted = reasoning.effort ?? effortOfBudget(reasoning.budgetTokens ?? 0);
  const effort = nearestEffort(wanted, rule.efforts);
  // If thinking cannot be disabled, the lowest effort comes closest.
  if (wanted === "none" && !switchedOff) return { effort };
  if (wanted === "none" || isForced) return { thinking: switchedOff };
  // Without "summarized" the newer models keep their thinking to themselves.
  return { thinking: { type: "adaptive", display: "summarized" }, effort, isOn: true };
};

const budgetFor = (
  { reasoning, maxOutputTokens }: ChatRequest,
  maxTokens: number,
  mostTokens: number,
): Pick<Thinking, "thinking" | "maxTokens"> => {
  const effort = reasoning?.effort ?? "medium";
  const wanted =
    reasoning?.budgetTokens ?? (effort === "max" || effort === "none" ? maxTokens - 1 : BUDGETS[effort]);
  const budget = Math.max(MIN_BUDGET_TOKENS, wanted);
  if (budget < maxTokens) return { thinking: { type: "enabled", budget_tokens: budget }, maxTokens };
  const visible = maxOutputTokens ?? VISIBLE_TOKENS;
  const raised = Math.max(maxTokens, Math.min(budget + visible, mostTokens));
  const budget_tokens = Math.max(MIN_BUDGET_TOKENS, Math.min(budget, raised - Math.min(visible, raised - 1)));
  return { thinking: { type: "enabled", budget_tokens }, maxTokens: Math.max(raised, budget_tokens + 1) };
};

/**
 * With thinking on, these models require that a final assistant turn starts with its thinking. Thinking is therefore
 * impossible in a tool loop whose client lost the seal, and in a turn to be continued.
 */
const canContinueThinking = (turns: readonly Turn[]): boolean => {
  if (turns.at(-1)?.role === "assistant") return false;
  const last = turns.findLast((turn) => turn.role === "assistant");
  if (!last?.parts.some((part) => part.kind === "tool-call")) return true;
  const [first] = last.parts;
  if (first?.kind !== "reasoning") return false;
  return (
    first.redactedData !== undefined || (first.signature !== undefined && isAnthropicSeal(first.signature))
  );
};
