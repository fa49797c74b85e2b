import type { Spelling } from "@tollgate/contract/relay/protocol";
import { foldName, type NameRules } from "../json/json-names";

/*
 * The names that the gateway reads in requests: every check, hold and charge depends on one of them. A test observes
 * every reader and fails when it reads a name that is missing here.
 */

/** OpenAI's, Anthropic's and the rerankers' APIs: lower case, words joined by underscores. */
const SNAKE_NAMES = [
  "additional_tools allowed_tools annotations arguments audio audio_url background best_of betas budget_tokens cache_control",
  "call_id caller citations code configuration container content context context_management conversation data",
  "description detail dimensions disable_parallel_tool_use display documents echo edits effort encoding_format",
  "encrypted_content exclude_from_context extra_content file file_data file_id file_ids file_url filename format",
  "frequency_penalty function function_call functions google grammar id image image_url images include",
  "include_obfuscation include_usage input input_audio input_fidelity input_schema instruction instructions",
  "is_error json_schema language logit_bias logprobs mask max_completion_tokens max_output_tokens max_tokens",
  "max_tool_calls max_uses media_type messages metadata modalities mode model moderation n name namespace output",
  "output_config output_format parallel_tool_calls parameters partial_images phase prediction presence_penalty",
  "previous_response_id prompt prompt_cache_key prompt_cache_retention quality query reasoning reasoning_content",
  "reasoning_details reasoning_effort refusal response_format return_documents role safety_identifier schema seed",
  "service_tier signature size source speed status stop stop_sequences store stream stream_format stream_options",
  "strict style suffix summary syntax system task_budget temperature text thinking thinking_budget thought_signature",
  "timestamp_granularities title tool_call_id tool_calls tool_choice tool_name tool_references tool_use_id tools top_k",
  "top_logprobs top_n top_p truncation ttl type url user value verbosity video_url voice web_search_options enable_thinking",
  "mcp_servers action operation stdout stderr",
  "web_search with_search_enhance enable_enhancement force_search_enhancement enable",
  "inference_geo enable_search search_parameters plugins models fallbacks environment memory_limit extra_body",
  "custom exclude include_reasoning reasoning_format generate_summary thinking_level include_thoughts enabled",
  "input_text input_type background_mode moderation_level output_compression response_mime_type chunking_strategy",
];

/** Limits on the answer in the names of other APIs or their servers: the hold covers the effect of any of them. */
const LIMIT_NAMES = [
  "maxOutputTokens maxTokens max_new_tokens max_tokens_to_sample max_gen_len max_length num_predict n_predict",
  "thinkingBudget candidateCount candidate_count num_return_sequences num_generations generationConfig",
  "generation_config inferenceConfig options extra_body thinkingConfig thinking_config max_tokens n best_of",
  "max_completion_tokens max_output_tokens budget_tokens thinking enable_thinking reasoning google",
];

/** Numbers of pictures in the names of other APIs or their servers: the hold covers the largest of them. */
const COUNT_NAMES = [
  "n batch_size num_images num_outputs num_samples images_per_prompt num_images_per_prompt number_of_images",
  "numberOfImages max_images sampleCount sample_count sequential_image_generation_options parameters options input",
  "extra_body",
];

/** Google's API, whose names may also be written with underscores. */
const GOOGLE_NAMES = [
  "additionalProperties allowedFunctionNames args audioTimestamp cachedContent candidateCount code content contents",
  "data description displayName enableAffectiveDialog enableEnhancedCivicAnswers endOffset enum executableCode",
  "codeExecutionResult fileData fileUri format fps frequencyPenalty functionCall functionCallingConfig",
  "functionDeclarations functionResponse generateContentRequest generationConfig id imageConfig includeThoughts",
  "inlineData labels language logprobs maxOutputTokens mediaResolution mimeType mode model name output",
  "outcome parameters parametersJsonSchema parts presencePenalty response responseJsonSchema responseLogprobs",
  "responseMimeType responseModalities responseSchema retrievalConfig role safetySettings scheduling schema seed",
  "serviceTier speechConfig startOffset stopSequences store systemInstruction temperature text thinkingBudget",
  "thinkingConfig thinkingLevel thought thoughtSignature toolConfig toolUsePromptTokenCount tools topK topP type",
  "videoMetadata willContinue googleSearch urlContext codeExecution googleSearchRetrieval requests taskType title",
  "outputDimensionality instances aspectRatio imageSize sampleCount",
];

/** Fields with user-defined names: schemas, the arguments of calls, labels. */
const FREE_NAMES = [
  "args arguments response parameters input input_schema inputSchema output_schema outputSchema schema json_schema",
  "jsonSchema responseSchema response_schema responseJsonSchema response_json_schema parametersJsonSchema",
  "parameters_json_schema properties definitions $defs patternProperties metadata labels logit_bias variables headers",
  "env filters inputs chat_template_kwargs extra_headers",
];

/** The same for the objects in a list: a reranker's documents have arbitrary fields (Cohere's `rank_fields`). */
const FREE_LISTS = ["documents"];

const split = (lines: readonly string[]): string[] => lines.join(" ").split(" ");

const toSnake = (name: string): string => name.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);

const createRules = (names: readonly string[], ignoresUnderscores: boolean): NameRules => {
  const known = new Map<string, string[]>();
  for (const name of names) {
    const folded = foldName(name, ignoresUnderscores);
    known.set(folded, [...(known.get(folded) ?? []), name]);
  }
  return { known, free: new Set(split(FREE_NAMES)), freeLists: new Set(FREE_LISTS), ignoresUnderscores };
};

const googleNames = split([...GOOGLE_NAMES, ...LIMIT_NAMES]);

/** The name rules of a request, by its protocol's spelling. */
export const REQUEST_NAMES: Readonly<Record<Spelling, NameRules>> = {
  snake: createRules([...new Set(split([...SNAKE_NAMES, ...LIMIT_NAMES, ...COUNT_NAMES]))], false),
  google: createRules([...new Set([...googleNames, ...googleNames.map(toSnake)])], true),
};
