import type { OutputBounds } from "@tollgate/contract/relay/protocol";
import { isRecord, type JsonRecord } from "../json/json-values";

/**
 * Names for the output limit in the parsers of OpenAI's, Anthropic's, Google's, Cohere's and Ollama's API and of vLLM,
 * TGI, SGLang and llama.cpp.
 */
const LIMITS = [
  "max_tokens",
  "max_completion_tokens",
  "max_output_tokens",
  "maxOutputTokens",
  "maxTokens",
  "max_new_tokens",
  "max_tokens_to_sample",
  "max_gen_len",
  "max_length",
  "num_predict",
  "n_predict",
];

/** Names of a thinking budget within the limit, so that the limit is at least as large. */
const INCLUDED_BUDGETS = ["budget_tokens", "thinkingBudget"];

/** Names of a thinking budget in addition to the limit (https://help.aliyun.com/zh/model-studio/deep-thinking). */
const ADDED_BUDGETS = ["thinking_budget"];

/** Names for the number of answers. */
const ANSWERS = [
  "n",
  "best_of",
  "candidateCount",
  "candidate_count",
  "num_return_sequences",
  "num_generations",
];

/** Objects that may contain such fields instead of the top level. */
const SECTIONS = [
  "generationConfig",
  "generation_config",
  "inferenceConfig",
  "options",
  "parameters",
  "extra_body",
  "google",
  "thinking",
  "thinkingConfig",
  "thinking_config",
  "reasoning",
];

/** "extra_body", "google", "thinking_config". */
const DEEPEST_SECTION = 3;

/** No request may ask for more, so that calculations stay exact. */
const MAX_ANSWERS = 1024;
const MAX_TOKENS = 2 ** 31 - 1;

interface Found {
  limit: number;
  added: number;
  answers: number;
}

/** A number as lenient parsers read it; a negative one means "as much as you like" to them. */
const readLimit = (value: unknown): number => {
  const number = typeof value === "string" ? Number(value) : value;
  if (typeof number !== "number" || Number.isNaN(number)) return 0;
  return number < 0 ? Number.POSITIVE_INFINITY : Math.ceil(number);
};

/** The meaning of a field: the output limit, an addition to it, the number of answers, or a section to search. */
type Meaning = "limit" | "added" | "answers" | "section";

const MEANINGS: ReadonlyMap<string, Meaning> = new Map<string, Meaning>([
  ...[...LIMITS, ...INCLUDED_BUDGETS].map((name) => [name, "limit"] as const),
  ...ADDED_BUDGETS.map((name) => [name, "added"] as const),
  ...ANSWERS.map((name) => [name, "answers"] as const),
  ...SECTIONS.map((name) => [name, "section"] as const),
]);

const search = (record: JsonRecord, found: Found, depth: number): void => {
  // Iterates over the few names of the body, not over all possible names.
  for (const name of Object.keys(record)) {
    const meaning = MEANINGS.get(name);
    if (meaning === undefined) continue;
    const value = record[name];
    if (meaning !== "section") found[meaning] = Math.max(found[meaning], readLimit(value));
    else if (isRecord(value) && depth < DEEPEST_SECTION) search(value, found, depth + 1);
  }
};

/**
 * The worst case that a body may request: the largest limit under any name, because it is not known which of them the
 * upstream reads. Unlimited thinking counts as no limit.
 * @param hasLimit whether the body has a limit that every upstream of its shape reads.
 */
export const readOutputBounds = (body: JsonRecord, hasLimit: boolean): OutputBounds => {
  const found: Found = { limit: 0, added: 0, answers: 1 };
  search(body, found, 0);
  const isThinkingFree = body.enable_thinking === true && found.added === 0;
  const tokens = found.limit + found.added;
  return {
    tokens: hasLimit && !isThinkingFree && tokens <= MAX_TOKENS ? tokens : undefined,
    answers: Math.min(MAX_ANSWERS, found.answers),
  };
};
