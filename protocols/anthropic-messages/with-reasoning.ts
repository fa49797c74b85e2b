import type { ClientProtocol } from "@tollgate/contract/relay/protocol";
import type { ChatRequest, ReasoningEffort } from "@tollgate/contract/relay/request";
import { isRecord, readRecord } from "../shared/json/json-values";
import { effortOfBudget } from "../shared/request/reasoning-effort";
import { findModelRule } from "./model-rules";
import { showsReasoning } from "./parse-reasoning";

/** The API's least budget, and what is left for the answer beside it. */
const MIN_BUDGET_TOKENS = 1024;
const MIN_VISIBLE_TOKENS = 256;
/** The part of the client's limit that thinking may use, as in new-api. */
const BUDGET_SHARE = 0.8;

/** Thinking accepts no other value of these fields than its own. */
const SAMPLING: ReadonlySet<string> = new Set(["temperature", "top_p", "top_k"]);

type Body = Readonly<Record<string, unknown>>;
type Reasoning = NonNullable<ChatRequest["reasoning"]>;

const withoutSampling = (body: Body): Body =>
  Object.fromEntries(Object.entries(body).filter(([name]) => !SAMPLING.has(name)));

const withBudget = (body: Body): Body => {
  const limit = typeof body.max_tokens === "number" ? body.max_tokens : 0;
  const maxTokens = Math.max(limit, MIN_BUDGET_TOKENS + MIN_VISIBLE_TOKENS);
  const budget = Math.max(MIN_BUDGET_TOKENS, Math.floor(maxTokens * BUDGET_SHARE));
  return {
    ...withoutSampling(body),
    max_tokens: maxTokens,
    thinking: { type: "enabled", budget_tokens: budget },
  };
};

/** Removes the client's own amount. */
const withoutAmount = (body: Body): Body => {
  const { thinking: _, output_config: config, ...rest } = body;
  if (!isRecord(config)) return rest;
  const { effort: _effort, ...others } = config;
  return { ...rest, output_config: others };
};

/**
 * For models of other vendors, which have no budget to check: the fields are read again when they are translated. What
 * the client asked to see of the thinking stays.
 */
const forOthers = (body: Body, { effort, budgetTokens }: Reasoning): Body => {
  const rest = withoutAmount(body);
  if (effort === undefined) return { ...rest, thinking: { type: "enabled", budget_tokens: budgetTokens } };
  const thinking = effort !== "none" && showsReasoning(body) ? { thinking: { type: "adaptive" } } : {};
  return { ...withEffort(rest, effort), ...thinking };
};

const withEffort = (body: Body, effort: ReasoningEffort): Body => ({
  ...body,
  output_config: { ...readRecord(body.output_config), effort },
});

/**
 * Sets `thinking`, and `output_config.effort` for models that choose their amount themselves. A budget takes most of
 * the client's limit, which is raised if it is too small for any thinking.
 */
export const withReasoning: ClientProtocol["withReasoning"] = (body, reasoning, model) => {
  if (!/claude/i.test(model)) return forOthers(body, reasoning);
  const effort = reasoning.effort ?? effortOfBudget(reasoning.budgetTokens ?? 0);
  const rule = findModelRule(model);
  if (effort === "none") return { ...body, thinking: { type: rule.thinkingOff ?? "disabled" } };
  if (rule.thinking === "adaptive") {
    const thinking = { type: "adaptive", display: "summarized" };
    return { ...withEffort(withoutSampling(body), effort), thinking };
  }
  return rule.thinking === "budget" ? withBudget(withoutAmount(body)) : body;
};
