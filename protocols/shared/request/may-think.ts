import { isRecord, type JsonRecord, readRecord, readString } from "../json/json-values";
import { findModelRule } from "./openai-model-rules";

/** Names of models that think without being asked, beyond those with a rule. */
const THINKERS =
  /(?:^|[^a-z])(?:r1|reasoner|reasoning|thinking|think|qwq|qvq|magistral|deep-?research)(?:[^a-z]|$)/;
const NO_THINKERS = /non-?(?:reasoning|thinking)|no-?think/;

const isOff = (value: unknown): boolean => value === "none" || value === "disabled" || value === "minimal";

/** Whether an object of a vendor's thinking settings switches it on; undefined when it does not say. */
const wishOfObject = (value: unknown): boolean | undefined => {
  if (!isRecord(value)) return undefined;
  const { type, effort, enabled } = value;
  const budget = value.budget_tokens ?? value.thinking_budget ?? value.thinkingBudget ?? value.max_tokens;
  const level = value.thinking_level ?? value.thinkingLevel;
  if (enabled === false || budget === 0 || [type, effort, level].some(isOff)) return false;
  const words = [type, effort, level].some((word) => readString(word) !== "");
  return words || enabled === true || typeof budget === "number" ? true : undefined;
};

const wishOf = (holder: JsonRecord): boolean | undefined => {
  const { reasoning_effort: effort, enable_thinking: isOn, thinking_budget: budget } = holder;
  if (readString(effort) !== "") return !isOff(effort);
  if (typeof isOn === "boolean") return isOn;
  if (typeof budget === "number") return budget !== 0;
  const config = readRecord(holder.generationConfig ?? holder.generation_config);
  return (
    wishOfObject(holder.thinking) ??
    wishOfObject(holder.reasoning) ??
    wishOfObject(readRecord(holder.google).thinking_config) ??
    wishOfObject(config.thinkingConfig ?? config.thinking_config)
  );
};

/**
 * Whether a model may think before it answers: the request switches thinking on, or, if it says nothing, the model is known
 * to think. Prefers true: it only allows more time.
 * @param request its fields, in any client's protocol. @param model the upstream's name.
 */
export const mayThink = (request: JsonRecord, model: string): boolean => {
  const wish = wishOf(request) ?? wishOf(readRecord(request.extra_body));
  if (wish !== undefined) return wish;
  const rule = findModelRule(model);
  if (rule.isReasoning || rule.hidesReasoning === true) return true;
  const name = model.toLowerCase();
  return THINKERS.test(name) && !NO_THINKERS.test(name);
};
