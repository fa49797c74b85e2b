import type { ClientProtocol } from "@tollgate/contract/relay/protocol";
import { readRecord } from "../shared/json/json-values";
import { effortOfBudget } from "../shared/request/reasoning-effort";

/** Sets `reasoning.effort`; what the client asked to see of the reasoning stays. */
export const withReasoning: ClientProtocol["withReasoning"] = (body, { effort, budgetTokens = 0 }) => ({
  ...body,
  reasoning: { ...readRecord(body.reasoning), effort: effort ?? effortOfBudget(budgetTokens) },
});
