import { RequestInvalid } from "@tollgate/contract/relay/protocol";
import type { ChatRequest } from "@tollgate/contract/relay/request";
import { type JsonRecord, readRecord } from "../shared/json/json-values";
import { shownValue } from "../shared/json/shown-value";
import { isReasoningEffort, REASONING_EFFORTS } from "../shared/request/reasoning-effort";
import { readInteger, requireRecord } from "../shared/request/request-fields";

/**
 * Parses `thinking` and `output_config.effort`
 * (https://docs.anthropic.com/en/docs/build-with-claude/extended-thinking). A budget is kept as a budget; adaptive
 * thinking without an effort leaves the model at its default.
 * @throws RequestInvalid
 */
export const parseReasoning = (request: JsonRecord): ChatRequest["reasoning"] => {
  const effort = parseEffort(readRecord(request.output_config).effort);
  if (request.thinking === undefined || request.thinking === null) return effort && { effort };
  const thinking = requireRecord(request.thinking, "thinking");
  switch (thinking.type) {
    case "disabled":
    // Next to no thinking: the least that some models can be set to.
    case "between_tools":
      return { effort: "none" };
    case "enabled":
      return { effort, budgetTokens: parseBudget(thinking) };
    case "adaptive":
      return effort && { effort };
    default:
      throw new RequestInvalid({
        code: "not-one-of",
        field: "thinking.type",
        allowed: ["enabled", "disabled", "adaptive"],
      });
  }
};

/** Whether the client requested visible thinking. */
export const showsReasoning = ({ thinking }: JsonRecord): boolean | undefined => {
  const { type, display } = readRecord(thinking);
  return (type === "enabled" || type === "adaptive") && display !== "omitted" ? true : undefined;
};

const parseBudget = (thinking: JsonRecord): number => {
  const budget = readInteger(thinking, "budget_tokens", 1, 2 ** 31 - 1);
  if (budget === undefined) {
    throw new RequestInvalid({
      code: "missing-while",
      field: "thinking.budget_tokens",
      other: "thinking.type",
      value: "enabled",
    });
  }
  return budget;
};

const parseEffort = (effort: unknown) => {
  if (effort === undefined || effort === null) return undefined;
  if (isReasoningEffort(effort)) return effort;
  throw new RequestInvalid({
    code: "unknown-value",
    field: "output_config.effort",
    value: shownValue(effort),
    allowed: REASONING_EFFORTS,
  });
};
