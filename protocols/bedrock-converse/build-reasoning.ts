import type { ChatRequest } from "@tollgate/contract/relay/request";

/** Claude models that take a budget; newer ones decide by themselves, steered by an effort. */
const BUDGETED = /claude-(?:3-7|(?:opus|sonnet|haiku)-4(?:-[0-5](?!\d)|-20|$))/;
const BUDGETS = {
  minimal: 1024,
  low: 1024,
  medium: 8192,
  high: 24_576,
  xhigh: 32_000,
  max: 32_000,
} as const;
/** Left for the visible answer beside a budget when the client names no limit. */
const VISIBLE_TOKENS = 4096;

/** The fields that let a Claude model reason, and the limit that grows with a budget; other models are left alone. */
export const buildReasoning = (
  request: ChatRequest,
): { fields: Record<string, unknown> | undefined; maxTokens: number | undefined } => {
  const { reasoning, model, maxOutputTokens: maxTokens } = request;
  const off = { fields: undefined, maxTokens };
  const isForced = request.toolChoice?.kind === "tool" || request.toolChoice?.kind === "required";
  if (!reasoning || reasoning.effort === "none" || !model.includes("claude") || isForced) return off;
  const effort = reasoning.effort ?? "medium";
  if (!BUDGETED.test(model)) {
    const fields = {
      thinking: { type: "adaptive" },
      output_config: { effort: effort === "minimal" ? "low" : effort },
    };
    return { fields, maxTokens };
  }
  const budget = Math.max(1024, reasoning.budgetTokens ?? BUDGETS[effort]);
  return {
    fields: { thinking: { type: "enabled", budget_tokens: budget } },
    maxTokens: budget + (maxTokens ?? VISIBLE_TOKENS),
  };
};
