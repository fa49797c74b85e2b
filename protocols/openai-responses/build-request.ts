import { RequestInvalid, type UpstreamCall } from "@tollgate/contract/relay/protocol";
import type { ChatRequest, ReasoningEffort, Tool, ToolChoice } from "@tollgate/contract/relay/request";
import { findModelRule, type ModelRule } from "../shared/openai-model-rules";
import { effortOfBudget, nearestEffort } from "../shared/reasoning-effort";
import { hexHash } from "../shared/stable-hash";
import { buildInput } from "./build-input";

/** Smaller limits are refused. */
const MIN_OUTPUT_TOKENS = 16;
/** Longer user ids are refused. */
const MAX_USER_ID_LENGTH = 64;

/**
 * Builds a Responses request (https://platform.openai.com/docs/api-reference/responses/create) from the canonical one.
 * Stop sequences, seed, penalties and top_k have no counterpart and are left out. Nothing is stored, so reasoning comes
 * sealed. Fields that are undefined disappear when the body is serialised.
 * @throws RequestInvalid
 */
export const buildRequest = (request: ChatRequest): UpstreamCall => {
  const rule = findModelRule(request.model);
  const effort = chooseEffort(request, rule);
  // While a model reasons it refuses everything that steers its sampling.
  const isSampling = !rule.isReasoning || effort === "none";
  const instructions = request.system
    .map((part) => part.text)
    .filter((text) => text !== "")
    .join("\n\n");
  const input = buildInput(request.turns);
  if (input.length === 0 && instructions === "") {
    throw new RequestInvalid("the conversation holds nothing that could be sent", "messages");
  }
  return {
    path: "/v1/responses",
    headers: {},
    body: {
      model: request.model,
      // A conversation of nothing but instructions: they become what the user says.
      ...(input.length > 0 ? { instructions: instructions || undefined, input } : { input: instructions }),
      ...buildTools(request),
      max_output_tokens: outputLimit(request),
      ...(isSampling ? { temperature: request.temperature, top_p: request.topP } : {}),
      reasoning: effort && { effort },
      text: request.responseFormat && { format: buildFormat(request.responseFormat) },
      safety_identifier: request.endUserId && buildUserId(request.endUserId),
      store: false,
      include: rule.isReasoning ? ["reasoning.encrypted_content"] : undefined,
      stream: request.isStream ? true : undefined,
    },
  };
};

/** The client's limit, as far as it is not refused. */
export const outputLimit = ({ maxOutputTokens }: ChatRequest): number | undefined =>
  maxOutputTokens === undefined ? undefined : Math.max(maxOutputTokens, MIN_OUTPUT_TOKENS);

const chooseEffort = ({ reasoning }: ChatRequest, rule: ModelRule): ReasoningEffort | undefined => {
  const { effort, budgetTokens } = reasoning ?? {};
  const wanted = effort ?? (budgetTokens === undefined ? undefined : effortOfBudget(budgetTokens));
  if (wanted === undefined || (wanted === "none" && !rule.isReasoning)) return undefined;
  return nearestEffort(wanted, rule.efforts);
};

const buildTools = (request: ChatRequest): Record<string, unknown> =>
  request.tools.length === 0
    ? {}
    : {
        tools: request.tools.map(buildTool),
        tool_choice: request.toolChoice && buildChoice(request.toolChoice),
        parallel_tool_calls: request.isParallelToolCallsAllowed === false ? false : undefined,
      };

/** Here a tool is strict unless it says otherwise, elsewhere the other way round. */
const buildTool = ({ name, description, parameters, isStrict }: Tool): unknown => ({
  type: "function",
  name,
  description,
  parameters: parameters ?? { type: "object", properties: {} },
  strict: isStrict ?? false,
});

const buildChoice = (choice: ToolChoice): unknown =>
  choice.kind === "tool" ? { type: "function", name: choice.name } : choice.kind;

const buildFormat = (format: NonNullable<ChatRequest["responseFormat"]>): unknown => {
  if (format.kind === "json") return { type: "json_object" };
  const { name, schema, isStrict } = format;
  return { type: "json_schema", name, schema, strict: isStrict };
};

const buildUserId = (id: string): string => (id.length <= MAX_USER_ID_LENGTH ? id : hexHash(id));
