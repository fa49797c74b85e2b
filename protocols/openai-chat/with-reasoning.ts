import type { ClientProtocol } from "@tollgate/contract/relay/protocol";
import { isRecord, type JsonRecord, readRecord } from "../shared/json/json-values";

/** Fields for the same amount, of this and other vendors, which would contradict it. */
const OTHERS: ReadonlySet<string> = new Set([
  ...["reasoning_effort", "thinking", "reasoning", "enable_thinking", "thinking_budget"],
]);

/** Google's fields keep only the wish to see the thinking. */
const withoutBudget = ({ thinking_config: config, thinkingConfig: _, ...rest }: JsonRecord): JsonRecord =>
  readRecord(config).include_thoughts === true
    ? { ...rest, thinking_config: { include_thoughts: true } }
    : rest;

/** @param holder the request, or its `extra_body`: upstreams read the fields in both. */
const withoutAmount = (holder: JsonRecord): JsonRecord => {
  const rest = Object.fromEntries(Object.entries(holder).filter(([name]) => !OTHERS.has(name)));
  return isRecord(rest.google) ? { ...rest, google: withoutBudget(rest.google) } : rest;
};

/** Sets `reasoning_effort`, which all upstreams of this shape know; a budget is Google's alone. */
export const withReasoning: ClientProtocol["withReasoning"] = (body, { effort, budgetTokens }) => {
  const rest = withoutAmount(body);
  const extra = withoutAmount(readRecord(body.extra_body));
  if (effort !== undefined) {
    const kept = isRecord(body.extra_body) ? { extra_body: extra } : {};
    return { ...rest, ...kept, reasoning_effort: effort };
  }
  const thinking_config = { thinking_budget: budgetTokens, include_thoughts: true };
  return { ...rest, extra_body: { ...extra, google: { ...readRecord(extra.google), thinking_config } } };
};
