import { RequestInvalid, type UpstreamCall } from "@tollgate/contract/relay/protocol";
import type {
  ChatRequest,
  OpenaiHints,
  ReasoningEffort,
  Tool,
  ToolChoice,
  Turn,
  WebSearch,
} from "@tollgate/contract/relay/request";
import { hexHash } from "../shared/json/stable-hash";
import { formatWords, mentionsJson } from "../shared/messages/format-words";
import { findModelRule, type ModelRule } from "../shared/request/openai-model-rules";
import { effortOfBudget, nearestEffort } from "../shared/request/reasoning-effort";
import { isStrictSchema } from "../shared/tools/strict-schema";
import { buildInput } from "./build-input";
import { LOGPROBS } from "./fields";

/** Smaller limits are refused. */
const MIN_OUTPUT_TOKENS = 16;
/** Longer user ids are refused. */
const MAX_USER_ID_LENGTH = 64;

/**
 * Builds a Responses request (https://platform.openai.com/docs/api-reference/responses/create) from the canonical one.
 * Nothing is stored, so reasoning is sealed. Undefined fields disappear when the body is serialized.
 * @throws RequestInvalid
 */
export const buildRequest = (request: ChatRequest): UpstreamCall => {
  const rule = findModelRule(request.model);
  const effort = chooseEffort(request, rule);
  // A reasoning model refuses all sampling fields.
  const isSampling = !rule.isReasoning || effort === "none";
  return {
    path: "/v1/responses",
    headers: {},
    body: {
      model: request.model,
      ...buildPrompt(request),
      ...buildTools(request),
      max_output_tokens: outputLimit(request),
      ...(isSampling
        ? { temperature: request.temperature, top_p: request.topP, top_logprobs: request.logprobs?.top }
        : {}),
      reasoning: buildReasoning(effort, rule.isReasoning && request.showsReasoning === true),
      text: buildText(request),
      ...buildHints(request.openaiHints),
      safety_identifier: request.endUserId && buildUserId(request.endUserId),
      store: false,
      include: buildInclude(rule, isSampling && request.logprobs !== undefined),
      stream: request.isStream ? true : undefined,
    },
  };
};

const buildPrompt = ({ system, turns, responseFormat }: ChatRequest): Record<string, unknown> => {
  const instructions = system
    .map((part) => part.text)
    .filter((text) => text !== "")
    .join("\n\n");
  const input = buildInput(turns);
  const isHeadOnly = input.length === 0;
  if (isHeadOnly && instructions === "") throw new RequestInvalid({ code: "nothing-to-send" }, "messages");
  // JSON mode requires the word in the input; instructions do not count.
  const isMissing =
    responseFormat?.kind === "json" && !mentionsJson({ turns, system: isHeadOnly ? system : [] });
  const words = isMissing ? [formatWords(responseFormat)] : [];
  // A conversation that contains only instructions: they become a user turn.
  if (isHeadOnly) return { input: [instructions, ...words].join("\n\n") };
  const asked = words.map((text): Turn => ({ role: "system", parts: [{ kind: "text", text }] }));
  return { instructions: instructions || undefined, input: [...buildInput(asked), ...input] };
};

const buildInclude = (rule: ModelRule, hasLogprobs: boolean): string[] | undefined => {
  const include = [
    ...(rule.isReasoning ? ["reasoning.encrypted_content"] : []),
    ...(hasLogprobs ? [LOGPROBS] : []),
  ];
  return include.length === 0 ? undefined : include;
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

/** Without a summary the model keeps its reasoning to itself. */
const buildReasoning = (effort: ReasoningEffort | undefined, isShown: boolean): unknown =>
  effort === undefined && !isShown
    ? undefined
    : { effort, summary: isShown && effort !== "none" ? "auto" : undefined };

const buildText = ({ responseFormat, openaiHints }: ChatRequest): unknown =>
  responseFormat === undefined && openaiHints?.verbosity === undefined
    ? undefined
    : { format: responseFormat && buildFormat(responseFormat), verbosity: openaiHints?.verbosity };

const buildHints = (hints: OpenaiHints | undefined): Record<string, unknown> => ({
  prompt_cache_key: hints?.promptCacheKey,
  prompt_cache_retention: hints?.promptCacheRetention,
  service_tier: hints?.serviceTier,
  metadata: hints?.metadata,
});

const buildTools = (request: ChatRequest): Record<string, unknown> => {
  const { tools, webSearch, toolChoice } = request;
  if (tools.length === 0 && webSearch === undefined) return {};
  return {
    tools: [...tools.map(buildTool), ...(webSearch ? [buildSearch(webSearch)] : [])],
    max_tool_calls: webSearch?.maxUses,
    tool_choice: webSearch?.isRequired ? { type: "web_search" } : toolChoice && buildChoice(toolChoice),
    parallel_tool_calls: request.isParallelToolCallsAllowed === false ? false : undefined,
  };
};

/** https://platform.openai.com/docs/guides/tools-web-search */
const buildSearch = ({ contextSize, allowedDomains, blockedDomains, userLocation }: WebSearch): unknown => ({
  type: "web_search",
  search_context_size: contextSize,
  filters:
    allowedDomains || blockedDomains
      ? { allowed_domains: allowedDomains, blocked_domains: blockedDomains }
      : undefined,
  user_location: userLocation && { type: "approximate", ...userLocation },
});

/** A tool is strict by default here; in other APIs it is not. */
const buildTool = ({ name, description, parameters, isStrict }: Tool): unknown => ({
  type: "function",
  name,
  description,
  parameters: parameters ?? { type: "object", properties: {} },
  strict: isStrict === true && isStrictSchema(parameters),
});

const buildChoice = (choice: ToolChoice): unknown =>
  choice.kind === "tool" ? { type: "function", name: choice.name } : choice.kind;

const buildFormat = (format: NonNullable<ChatRequest["responseFormat"]>): unknown => {
  if (format.kind === "json") return { type: "json_object" };
  const { name, description, schema, isStrict } = format;
  return { type: "json_schema", name, description, schema, strict: isStrict && isStrictSchema(schema) };
};

const buildUserId = (id: string): string => (id.length <= MAX_USER_ID_LENGTH ? id : hexHash(id));
