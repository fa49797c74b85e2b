import type { ClientProtocolName } from "@tollgate/contract/relay/protocol";

/* Requests of each client protocol that request one feature each, by the field of its table. */

export type Json = Record<string, unknown>;

export interface FieldSample {
  /** The fields of a request; lists and objects replace those of the plain request. */
  fields: Json;
  /** Request without the field, unless it is the plain one. */
  without?: Json;
}

const SCHEMA = {
  type: "object",
  properties: { a: { type: "string" } },
  required: ["a"],
  additionalProperties: false,
};
const PNG = "data:image/png;base64,iVBORw0KGgoAAAANSUhEUg==";

/** Requests with nothing optional. */
export const PLAIN: Readonly<Record<ClientProtocolName, Json>> = {
  "openai-chat": { messages: [{ role: "user", content: "hi" }] },
  "openai-responses": { input: [{ role: "user", content: "hi" }] },
  "anthropic-messages": { max_tokens: 5000, messages: [{ role: "user", content: "hi" }] },
  "gemini-generate": { contents: [{ role: "user", parts: [{ text: "hi" }] }] },
};

/** A sample whose field is inside an object that exists without it as well. */
const inside = (make: (more: Json) => Json, more: Json): FieldSample => ({
  fields: make(more),
  without: make({}),
});

const chatTool = (more: Json): Json => ({
  tools: [{ type: "function", function: { name: "f", parameters: SCHEMA, ...more } }],
});
const chatPart = (part: Json): Json => ({
  messages: [{ role: "user", content: [{ type: "text", text: "hi" }, part] }],
});
const chatImage = (more: Json): Json => chatPart({ type: "image_url", image_url: { url: PNG, ...more } });
const chatText = (more: Json): Json => ({
  messages: [{ role: "user", content: [{ type: "text", text: "hi", ...more }] }],
});
const chatResult = (more: Json): Json => ({
  messages: [
    { role: "user", content: "hi" },
    {
      role: "assistant",
      content: null,
      tool_calls: [{ id: "1", type: "function", function: { name: "f", arguments: "{}" } }],
    },
    { role: "tool", tool_call_id: "1", content: "r", ...more },
  ],
});
const chatFormat = (more: Json): Json => ({
  response_format: { type: "json_schema", json_schema: { name: "n", schema: SCHEMA, ...more } },
});
const chatSearch = (more: Json): Json => ({ web_search_options: more });

const chat: Readonly<Record<string, FieldSample>> = {
  max_tokens: { fields: { max_tokens: 321 } },
  max_completion_tokens: { fields: { max_completion_tokens: 321 } },
  temperature: { fields: { temperature: 0.3 } },
  top_p: { fields: { top_p: 0.97 } },
  top_k: { fields: { top_k: 5 } },
  min_p: { fields: { min_p: 0.1 } },
  seed: { fields: { seed: 77 } },
  presence_penalty: { fields: { presence_penalty: 0.4 } },
  frequency_penalty: { fields: { frequency_penalty: 0.4 } },
  logit_bias: { fields: { logit_bias: { 50256: -100 } } },
  logprobs: { fields: { logprobs: true } },
  top_logprobs: { fields: { logprobs: true, top_logprobs: 3 }, without: { logprobs: true } },
  stop: { fields: { stop: ["END"] } },
  prediction: { fields: { prediction: { type: "content", content: "x" } } },
  reasoning_effort: { fields: { reasoning_effort: "high" } },
  verbosity: { fields: { verbosity: "low" } },
  response_format: { fields: { response_format: { type: "json_object" } } },
  "response_format.json_schema.name": { fields: chatFormat({ name: "other" }), without: chatFormat({}) },
  "response_format.json_schema.description": inside(chatFormat, { description: "d" }),
  "response_format.json_schema.strict": inside(chatFormat, { strict: true }),
  "tools.function.strict": inside(chatTool, { strict: true }),
  "tools.cache_control": {
    fields: { tools: [{ type: "function", function: { name: "f" }, cache_control: { type: "ephemeral" } }] },
    without: { tools: [{ type: "function", function: { name: "f" } }] },
  },
  tool_choice: { fields: { ...chatTool({}), tool_choice: "required" }, without: chatTool({}) },
  function_call: { fields: { ...chatTool({}), function_call: { name: "f" } }, without: chatTool({}) },
  parallel_tool_calls: { fields: { ...chatTool({}), parallel_tool_calls: false }, without: chatTool({}) },
  web_search_options: { fields: { web_search_options: {} } },
  "web_search_options.search_context_size": inside(chatSearch, { search_context_size: "low" }),
  "web_search_options.user_location": inside(chatSearch, {
    user_location: { type: "approximate", approximate: { country: "FR" } },
  }),
  "web_search_options.filters.allowed_domains": inside(chatSearch, {
    filters: { allowed_domains: ["a.test"] },
  }),
  "web_search_options.filters.blocked_domains": inside(chatSearch, {
    filters: { blocked_domains: ["a.test"] },
  }),
  "web_search_options.allowed_domains": inside(chatSearch, { allowed_domains: ["a.test"] }),
  "web_search_options.blocked_domains": inside(chatSearch, { blocked_domains: ["a.test"] }),
  "web_search_options.max_uses": inside(chatSearch, { max_uses: 2 }),
  audio: { fields: { audio: { format: "wav", voice: "alloy" } } },
  prompt_cache_key: { fields: { prompt_cache_key: "k" } },
  prompt_cache_retention: { fields: { prompt_cache_retention: "24h" } },
  cache_control: { fields: { cache_control: { type: "ephemeral" } } },
  service_tier: { fields: { service_tier: "priority" } },
  store: { fields: { store: true } },
  metadata: { fields: { metadata: { a: "b" } } },
  user: { fields: { user: "u1" } },
  safety_identifier: { fields: { safety_identifier: "u1" } },
  "stream_options.include_obfuscation": { fields: { stream_options: { include_obfuscation: false } } },
  "messages.name": { fields: { messages: [{ role: "user", content: "hi", name: "ann" }] } },
  "messages.audio": {
    fields: {
      messages: [
        { role: "user", content: "hi" },
        { role: "assistant", content: "a", audio: { id: "x" } },
        { role: "user", content: "more" },
      ],
    },
    without: {
      messages: [
        { role: "user", content: "hi" },
        { role: "assistant", content: "a" },
        { role: "user", content: "more" },
      ],
    },
  },
  ...Object.fromEntries(
    ["annotations", "reasoning_details", "id", "status", "created"].map((name): [string, FieldSample] => [
      `messages.${name}`,
      { fields: { messages: [{ role: "user", content: "hi", [name]: "x" }] } },
    ]),
  ),
  "messages.cache_control": {
    fields: chatResult({ cache_control: { type: "ephemeral" } }),
    without: chatResult({}),
  },
  "messages.content.cache_control": inside(chatText, { cache_control: { type: "ephemeral" } }),
  "messages.content.citations": inside(chatText, { citations: { enabled: true } }),
  "messages.content.image_url.detail": inside(chatImage, { detail: "low" }),
  thinking: { fields: { thinking: { type: "enabled", budget_tokens: 2000 } } },
  "thinking.display": inside((more) => ({ thinking: { type: "enabled", budget_tokens: 2000, ...more } }), {
    display: "updates",
  }),
  "thinking.block_binding": inside(
    (more) => ({ thinking: { type: "enabled", budget_tokens: 2000, ...more } }),
    { block_binding: { mode: "x" } },
  ),
  "reasoning.effort": { fields: { reasoning: { effort: "high" } } },
  "reasoning.max_tokens": { fields: { reasoning: { max_tokens: 2000 } } },
  "reasoning.enabled": { fields: { reasoning: { enabled: true } } },
  "reasoning.exclude": { fields: { reasoning: { exclude: true } } },
  "reasoning.summary": { fields: { reasoning: { summary: "auto" } } },
  enable_thinking: { fields: { enable_thinking: true } },
  thinking_budget: { fields: { thinking_budget: 2000 } },
  include_reasoning: { fields: { include_reasoning: false } },
  reasoning_format: { fields: { reasoning_format: "hidden" } },
  "google.thinking_config.thinking_budget": {
    fields: { google: { thinking_config: { thinking_budget: 2000 } } },
  },
  "google.thinking_config.thinking_level": {
    fields: { google: { thinking_config: { thinking_level: "high" } } },
  },
  "google.thinking_config.include_thoughts": {
    fields: { google: { thinking_config: { include_thoughts: true } } },
  },
  "google.cached_content": { fields: { google: { cached_content: "c" } } },
  inference_geo: { fields: { inference_geo: "us" } },
  speed: { fields: { speed: "fast" } },
  moderation: { fields: { moderation: { mode: "block" } } },
};

const EXTENSION_FIELDS =
  "thinking reasoning.effort reasoning.max_tokens reasoning.enabled reasoning.exclude reasoning.summary enable_thinking thinking_budget include_reasoning reasoning_format top_k min_p inference_geo speed moderation google.thinking_config.thinking_budget google.thinking_config.thinking_level google.thinking_config.include_thoughts google.cached_content thinking.display thinking.block_binding";

/** OpenAI's library sends unknown fields in `extra_body`, some clients literally. */
const inExtraBody = Object.fromEntries(
  EXTENSION_FIELDS.split(" ").map((name): [string, FieldSample] => {
    const { fields = {}, without } = chat[name] ?? {};
    return [
      `extra_body.${name}`,
      { fields: { extra_body: fields }, ...(without ? { without: { extra_body: without } } : {}) },
    ];
  }),
);

const responsesTool = (more: Json): Json => ({
  tools: [{ type: "function", name: "f", parameters: SCHEMA, ...more }],
});
const responsesSearch = (more: Json): Json => ({ tools: [{ type: "web_search", ...more }] });
const responsesFormat = (more: Json): Json => ({
  text: { format: { type: "json_schema", name: "n", schema: SCHEMA, ...more } },
});
const responsesImage = (more: Json): Json => ({
  input: [{ role: "user", content: [{ type: "input_image", image_url: PNG, ...more }] }],
});
const responsesOutput = (more: Json): Json => ({
  input: [
    { role: "user", content: "hi" },
    { type: "function_call", call_id: "c", name: "f", arguments: "{}" },
    {
      type: "function_call_output",
      call_id: "c",
      output: [{ type: "input_image", image_url: PNG, ...more }],
    },
  ],
});

const responses: Readonly<Record<string, FieldSample>> = {
  max_output_tokens: { fields: { max_output_tokens: 321 } },
  max_tool_calls: { fields: { ...responsesSearch({}), max_tool_calls: 2 }, without: responsesSearch({}) },
  temperature: { fields: { temperature: 0.3 } },
  top_p: { fields: { top_p: 0.97 } },
  top_logprobs: { fields: { top_logprobs: 3 } },
  "reasoning.effort": { fields: { reasoning: { effort: "high" } } },
  "reasoning.summary": { fields: { reasoning: { summary: "auto" } } },
  "reasoning.generate_summary": { fields: { reasoning: { generate_summary: "auto" } } },
  "text.format": { fields: { text: { format: { type: "json_object" } } } },
  "text.format.name": { fields: responsesFormat({ name: "other" }), without: responsesFormat({}) },
  "text.format.description": inside(responsesFormat, { description: "d" }),
  "text.format.strict": inside(responsesFormat, { strict: true }),
  "text.verbosity": { fields: { text: { verbosity: "low" } } },
  tools: { fields: responsesSearch({}) },
  "tools.strict": inside(responsesTool, { strict: true }),
  "tools.defer_loading": inside(responsesTool, { defer_loading: true }),
  "tools.output_schema": inside(responsesTool, { output_schema: SCHEMA }),
  "tools.allowed_callers": inside(responsesTool, { allowed_callers: ["x"] }),
  "tools.filters.allowed_domains": inside(responsesSearch, { filters: { allowed_domains: ["a.test"] } }),
  "tools.filters.blocked_domains": inside(responsesSearch, { filters: { blocked_domains: ["a.test"] } }),
  "tools.allowed_domains": inside(responsesSearch, { allowed_domains: ["a.test"] }),
  "tools.blocked_domains": inside(responsesSearch, { blocked_domains: ["a.test"] }),
  "tools.search_context_size": inside(responsesSearch, { search_context_size: "low" }),
  "tools.search_content_types": inside(responsesSearch, { search_content_types: ["image"] }),
  "tools.user_location": inside(responsesSearch, { user_location: { type: "approximate", country: "FR" } }),
  tool_choice: { fields: { ...responsesTool({}), tool_choice: "required" }, without: responsesTool({}) },
  parallel_tool_calls: {
    fields: { ...responsesTool({}), parallel_tool_calls: false },
    without: responsesTool({}),
  },
  truncation: { fields: { truncation: "auto" } },
  context_management: { fields: { context_management: [{ type: "compaction", compact_threshold: 1000 }] } },
  include: { fields: { include: ["message.output_text.logprobs"] } },
  prompt_cache_key: { fields: { prompt_cache_key: "k" } },
  prompt_cache_retention: { fields: { prompt_cache_retention: "24h" } },
  service_tier: { fields: { service_tier: "priority" } },
  speed: { fields: { speed: "fast" } },
  inference_geo: { fields: { inference_geo: "us" } },
  moderation: { fields: { moderation: { mode: "block" } } },
  store: { fields: { store: true } },
  metadata: { fields: { metadata: { a: "b" } } },
  client_metadata: { fields: { client_metadata: { a: "b" } } },
  user: { fields: { user: "u1" } },
  safety_identifier: { fields: { safety_identifier: "u1" } },
  "stream_options.include_obfuscation": { fields: { stream_options: { include_obfuscation: false } } },
  "input.content.detail": inside(responsesImage, { detail: "low" }),
  "input.output.detail": inside(responsesOutput, { detail: "low" }),
  "input.phase": {
    fields: {
      input: [
        { role: "user", content: "hi" },
        { role: "assistant", content: "a", phase: "commentary" },
      ],
    },
    without: {
      input: [
        { role: "user", content: "hi" },
        { role: "assistant", content: "a" },
      ],
    },
  },
  "input.tools": {
    fields: {
      input: [
        { role: "user", content: "hi" },
        { type: "additional_tools", tools: [{ type: "web_search" }] },
      ],
    },
  },
};

const messagesTool = (more: Json): Json => ({ tools: [{ name: "f", input_schema: SCHEMA, ...more }] });
const messagesSearch = (more: Json): Json => ({
  tools: [{ type: "web_search_20250305", name: "web_search", ...more }],
});
const messagesBlock = (block: Json): Json => ({
  messages: [{ role: "user", content: [{ type: "text", text: "hi" }, block] }],
});
const messagesDocument = (more: Json): Json =>
  messagesBlock({ type: "document", source: { type: "text", media_type: "text/plain", data: "d" }, ...more });
const messagesResult = (more: Json): Json => ({
  messages: [
    { role: "user", content: "hi" },
    { role: "assistant", content: [{ type: "tool_use", id: "t", name: "f", input: {} }] },
    {
      role: "user",
      content: [{ type: "tool_result", tool_use_id: "t", content: [{ type: "text", text: "r", ...more }] }],
    },
  ],
});
const messagesSystem = (more: Json): Json => ({ system: [{ type: "text", text: "s", ...more }] });

const thinking = { type: "enabled", budget_tokens: 2000 };
const format = { type: "json_schema", schema: SCHEMA };
const ephemeral = { cache_control: { type: "ephemeral" } };
const cited = { citations: { enabled: true } };

const messages: Readonly<Record<string, FieldSample>> = {
  max_tokens: { fields: { max_tokens: 4321 } },
  temperature: { fields: { temperature: 0.3 } },
  top_p: { fields: { top_p: 0.97 } },
  top_k: { fields: { top_k: 5 } },
  stop_sequences: { fields: { stop_sequences: ["END"] } },
  thinking: { fields: { thinking } },
  "thinking.display": inside((more) => ({ thinking: { ...thinking, ...more } }), { display: "updates" }),
  "thinking.block_binding": inside((more) => ({ thinking: { ...thinking, ...more } }), {
    block_binding: { mode: "x" },
  }),
  "output_config.effort": { fields: { output_config: { effort: "high" } } },
  "output_config.format": { fields: { output_config: { format } } },
  "output_config.task_budget": {
    fields: { output_config: { task_budget: { type: "tokens", total: 20_000 } } },
  },
  output_format: { fields: { output_format: format } },
  tools: { fields: messagesSearch({}) },
  "tools.cache_control": inside(messagesTool, ephemeral),
  "tools.strict": inside(messagesTool, { strict: true }),
  "tools.input_examples": inside(messagesTool, { input_examples: [{ a: "1" }] }),
  "tools.allowed_callers": inside(messagesTool, { allowed_callers: ["code_execution_20250825"] }),
  "tools.eager_input_streaming": inside(messagesTool, { eager_input_streaming: true }),
  "tools.defer_loading": inside(messagesTool, { defer_loading: true }),
  "tools.allowed_domains": inside(messagesSearch, { allowed_domains: ["a.test"] }),
  "tools.blocked_domains": inside(messagesSearch, { blocked_domains: ["a.test"] }),
  "tools.max_uses": inside(messagesSearch, { max_uses: 2 }),
  "tools.user_location": inside(messagesSearch, { user_location: { type: "approximate", country: "FR" } }),
  tool_choice: { fields: { ...messagesTool({}), tool_choice: { type: "any" } }, without: messagesTool({}) },
  "tool_choice.disable_parallel_tool_use": inside(
    (more) => ({ ...messagesTool({}), tool_choice: { type: "auto", ...more } }),
    { disable_parallel_tool_use: true },
  ),
  cache_control: { fields: ephemeral },
  context_management: { fields: { context_management: { edits: [{ type: "clear_tool_uses_20250919" }] } } },
  compaction: { fields: { compaction: { type: "x" } } },
  thread: { fields: { thread: { id: "x" } } },
  service_tier: { fields: { service_tier: "priority" } },
  speed: { fields: { speed: "fast" } },
  inference_geo: { fields: { inference_geo: "us" } },
  fallbacks: { fields: { fallbacks: [{ model: "m2" }] } },
  "metadata.user_id": { fields: { metadata: { user_id: "u1" } } },
  diagnostics: { fields: { diagnostics: { a: 1 } } },
  betas: { fields: { betas: ["b"] } },
  billing_policy: { fields: { billing_policy: { a: 1 } } },
  fallback_credit_token: { fields: { fallback_credit_token: "t" } },
  user_profile_id: { fields: { user_profile_id: "p" } },
  workspace_id: { fields: { workspace_id: "w" } },
  "system.cache_control": inside(messagesSystem, ephemeral),
  "system.citations": inside(messagesSystem, cited),
  "system.transformations": inside(messagesSystem, { transformations: [{ type: "x" }] }),
  "messages.content.cache_control": inside(messagesDocument, ephemeral),
  "messages.content.citations": inside(messagesDocument, cited),
  "messages.content.transformations": inside(messagesDocument, { transformations: [{ type: "x" }] }),
  "messages.content.caller": inside(messagesDocument, { caller: { type: "direct" } }),
  "messages.content.toolset_name": inside(messagesDocument, { toolset_name: "t" }),
  "messages.content.content.cache_control": inside(messagesResult, ephemeral),
  "messages.content.content.citations": inside(messagesResult, cited),
  "messages.content.content.transformations": inside(messagesResult, { transformations: [{ type: "x" }] }),
};

const config = (more: Json): Json => ({ generationConfig: more });
const geminiTool = (more: Json): Json => ({
  tools: [{ functionDeclarations: [{ name: "f", parametersJsonSchema: SCHEMA, ...more }] }],
});
const geminiSearch = (more: Json): Json => ({ tools: [{ googleSearch: more }] });
const geminiImage = (more: Json): Json => ({
  contents: [
    {
      role: "user",
      parts: [
        { text: "hi" },
        { inlineData: { mimeType: "image/png", data: "iVBORw0KGgoAAAANSUhEUg==" }, ...more },
      ],
    },
  ],
});
const geminiResponse = (more: Json): Json => ({
  contents: [
    { role: "user", parts: [{ text: "hi" }] },
    { role: "model", parts: [{ functionCall: { name: "f", args: {} } }] },
    { role: "user", parts: [{ functionResponse: { name: "f", response: { result: "r" }, ...more } }] },
  ],
});

const plainConfig = (name: string, value: unknown): [string, FieldSample] => [
  `generationConfig.${name}`,
  { fields: config({ [name]: value }) },
];

const gemini: Readonly<Record<string, FieldSample>> = {
  ...Object.fromEntries([
    plainConfig("maxOutputTokens", 321),
    plainConfig("temperature", 0.3),
    plainConfig("topP", 0.97),
    plainConfig("topK", 5),
    plainConfig("seed", 77),
    plainConfig("presencePenalty", 0.4),
    plainConfig("frequencyPenalty", 0.4),
    plainConfig("stopSequences", ["END"]),
    plainConfig("responseLogprobs", true),
    plainConfig("responseMimeType", "application/json"),
    plainConfig("responseJsonSchema", SCHEMA),
    plainConfig("responseSchema", { type: "OBJECT", properties: { a: { type: "STRING" } } }),
    plainConfig("responseFormat", [{ text: {} }]),
    plainConfig("speechConfig", { languageCode: "fr" }),
    plainConfig("enableAffectiveDialog", true),
    plainConfig("audioTimestamp", true),
    plainConfig("audioTranscriptionConfig", { a: 1 }),
    plainConfig("translationConfig", { a: 1 }),
    plainConfig("imageConfig", { aspectRatio: "1:1" }),
    plainConfig("routingConfig", { autoMode: { modelRoutingPreference: "BALANCED" } }),
    plainConfig("modelSelectionConfig", { a: 1 }),
    plainConfig("enableEnhancedCivicAnswers", true),
  ]),
  "generationConfig.logprobs": {
    fields: config({ responseLogprobs: true, logprobs: 3 }),
    without: config({ responseLogprobs: true }),
  },
  "generationConfig.mediaResolution": {
    fields: { ...geminiImage({}), ...config({ mediaResolution: "MEDIA_RESOLUTION_LOW" }) },
    without: geminiImage({}),
  },
  "generationConfig.thinkingConfig.thinkingBudget": {
    fields: config({ thinkingConfig: { thinkingBudget: 2000 } }),
  },
  "generationConfig.thinkingConfig.thinkingLevel": {
    fields: config({ thinkingConfig: { thinkingLevel: "HIGH" } }),
  },
  "generationConfig.thinkingConfig.includeThoughts": {
    fields: config({ thinkingConfig: { includeThoughts: true } }),
  },
  safetySettings: {
    fields: { safetySettings: [{ category: "HARM_CATEGORY_HATE_SPEECH", threshold: "BLOCK_LOW_AND_ABOVE" }] },
  },
  modelArmorConfig: { fields: { modelArmorConfig: { promptTemplateName: "t" } } },
  "tools.functionDeclarations.behavior": inside(geminiTool, { behavior: "NON_BLOCKING" }),
  "tools.functionDeclarations.response": inside(geminiTool, { response: { type: "OBJECT" } }),
  "tools.functionDeclarations.responseJsonSchema": inside(geminiTool, { responseJsonSchema: SCHEMA }),
  "tools.googleSearch": { fields: geminiSearch({}) },
  "tools.googleSearch.excludeDomains": inside(geminiSearch, { excludeDomains: ["a.test"] }),
  "tools.googleSearch.timeRangeFilter": inside(geminiSearch, {
    timeRangeFilter: { startTime: "2025-01-01T00:00:00Z", endTime: "2025-02-01T00:00:00Z" },
  }),
  "tools.googleSearch.blockingConfidence": inside(geminiSearch, {
    blockingConfidence: "BLOCK_LOW_AND_ABOVE",
  }),
  "tools.googleSearch.searchTypes": inside(geminiSearch, { searchTypes: { imageSearch: {} } }),
  "tools.googleSearchRetrieval": { fields: { tools: [{ googleSearchRetrieval: {} }] } },
  "tools.googleSearchRetrieval.dynamicRetrievalConfig": inside(
    (more) => ({ tools: [{ googleSearchRetrieval: more }] }),
    { dynamicRetrievalConfig: { mode: "MODE_DYNAMIC", dynamicThreshold: 0.3 } },
  ),
  "toolConfig.functionCallingConfig": {
    fields: { ...geminiTool({}), toolConfig: { functionCallingConfig: { mode: "ANY" } } },
    without: geminiTool({}),
  },
  "toolConfig.functionCallingConfig.streamFunctionCallArguments": inside(
    (more) => ({ ...geminiTool({}), toolConfig: { functionCallingConfig: { mode: "AUTO", ...more } } }),
    { streamFunctionCallArguments: true },
  ),
  "toolConfig.retrievalConfig.latLng": {
    fields: { toolConfig: { retrievalConfig: { latLng: { latitude: 1, longitude: 2 } } } },
  },
  "toolConfig.retrievalConfig.languageCode": {
    fields: { toolConfig: { retrievalConfig: { languageCode: "fr" } } },
  },
  "toolConfig.includeServerSideToolInvocations": {
    fields: { toolConfig: { includeServerSideToolInvocations: true } },
  },
  inferenceGeo: { fields: { inferenceGeo: "us" } },
  serviceTier: { fields: { serviceTier: "priority" } },
  store: { fields: { store: true } },
  labels: { fields: { labels: { a: "b" } } },
  continuationToken: { fields: { continuationToken: "t" } },
  automaticContinuation: { fields: { automaticContinuation: true } },
  generationOutputConfig: { fields: { generationOutputConfig: { a: 1 } } },
  "contents.parts.mediaResolution": inside(geminiImage, {
    mediaResolution: { level: "MEDIA_RESOLUTION_LOW" },
  }),
  "contents.parts.videoMetadata": inside(geminiImage, { videoMetadata: { fps: 2 } }),
  "contents.parts.mediaProcessing": inside(geminiImage, { mediaProcessing: "x" }),
  "contents.parts.functionResponse.scheduling": inside(geminiResponse, { scheduling: "SILENT" }),
  "contents.parts.functionResponse.willContinue": inside(geminiResponse, { willContinue: true }),
};

export const FIELD_SAMPLES: Readonly<Record<ClientProtocolName, Readonly<Record<string, FieldSample>>>> = {
  "openai-chat": { ...chat, ...inExtraBody },
  "openai-responses": responses,
  "anthropic-messages": messages,
  "gemini-generate": gemini,
};
