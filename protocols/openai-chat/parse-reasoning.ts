import { RequestInvalid } from "@tollgate/contract/relay/protocol";
import type { ChatRequest } from "@tollgate/contract/relay/request";
import { type JsonRecord, readRecord, readString } from "../shared/json/json-values";
import { isReasoningEffort, REASONING_EFFORTS } from "../shared/request/reasoning-effort";

type Reasoning = NonNullable<ChatRequest["reasoning"]>;

/** Objects that may contain other vendors' fields: clients of OpenAI's library put them into `extra_body`. */
const holdersOf = (request: JsonRecord): JsonRecord[] => [request, readRecord(request.extra_body)];

const configOf = (holder: JsonRecord): JsonRecord => readRecord(readRecord(holder.google).thinking_config);

/**
 * Parses `reasoning_effort`, and its equivalents of other vendors of this shape: Anthropic's `thinking`
 * (https://docs.anthropic.com/en/api/openai-sdk), Google's `google.thinking_config`
 * (https://ai.google.dev/gemini-api/docs/openai#thinking), OpenRouter's `reasoning` and Qwen's `enable_thinking`.
 * @throws RequestInvalid
 */
export const parseReasoning = (request: JsonRecord): ChatRequest["reasoning"] => {
  const effort = request.reasoning_effort;
  if (effort !== undefined && effort !== null) {
    if (isReasoningEffort(effort)) return { effort };
    throw new RequestInvalid({ code: "not-one-of", field: "reasoning_effort", allowed: REASONING_EFFORTS });
  }
  for (const holder of holdersOf(request)) {
    const found =
      parseThinking(readRecord(holder.thinking)) ??
      parseConfig(configOf(holder)) ??
      parseObject(readRecord(holder.reasoning)) ??
      parseSwitch(holder);
    if (found) return found;
  }
  return undefined;
};

/** Whether the client requested visible reasoning. */
export const showsReasoning = (request: JsonRecord): boolean | undefined =>
  holdersOf(request).some((holder) => {
    const { type, display } = readRecord(holder.thinking);
    return (
      ((type === "enabled" || type === "adaptive") && display !== "omitted") ||
      configOf(holder).include_thoughts === true ||
      holder.include_reasoning === true ||
      readString(readRecord(holder.reasoning).summary) !== ""
    );
  }) || undefined;

const parseThinking = ({ type, budget_tokens: budget }: JsonRecord): Reasoning | undefined => {
  if (type === "disabled") return { effort: "none" };
  return type === "enabled" ? (ofBudget(budget) ?? { effort: "medium" }) : undefined;
};

const parseConfig = (config: JsonRecord): Reasoning | undefined => {
  const level = readString(config.thinking_level).toLowerCase();
  return isReasoningEffort(level) ? { effort: level } : ofBudget(config.thinking_budget);
};

const parseObject = ({ effort, enabled, max_tokens: budget }: JsonRecord): Reasoning | undefined => {
  if (enabled === false) return { effort: "none" };
  return (
    (isReasoningEffort(effort) ? { effort } : ofBudget(budget)) ??
    (enabled === true ? { effort: "medium" } : undefined)
  );
};

const parseSwitch = ({
  enable_thinking: isOn,
  thinking_budget: budget,
}: JsonRecord): Reasoning | undefined => {
  if (isOn === false) return { effort: "none" };
  return ofBudget(budget) ?? (isOn === true ? { effort: "medium" } : undefined);
};

/** A budget of 0 turns thinking off; a negative one leaves it to the model. */
const ofBudget = (budget: unknown): Reasoning | undefined => {
  if (typeof budget !== "number" || !Number.isSafeInteger(budget) || budget < 0) return undefined;
  return budget === 0 ? { effort: "none" } : { budgetTokens: budget };
};
