import type { ClientProtocol } from "@tollgate/contract/relay/protocol";
import { readRecord } from "../shared/json/json-values";

/** Fields for the same amount, of this and other vendors, which would contradict it. */
const OTHERS: ReadonlySet<string> = new Set([
  ...["reasoning_effort", "thinking", "reasoning", "enable_thinking", "thinking_budget"],
]);

/** Sets `reasoning_effort`, which all upstreams of this shape know; a budget is Google's alone. */
export const withReasoning: ClientProtocol["withReasoning"] = (body, { effort, budgetTokens }) => {
  const rest = Object.fromEntries(Object.entries(body).filter(([name]) => !OTHERS.has(name)));
  if (effort !== undefined) return { ...rest, reasoning_effort: effort };
  const google = { thinking_config: { thinking_budget: budgetTokens, include_thoughts: true } };
  return { ...rest, extra_body: { ...readRecord(body.extra_body), google } };
};
