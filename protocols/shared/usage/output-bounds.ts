import type { OutputBounds } from "@tollgate/contract/relay/protocol";
import { isRecord, type JsonRecord } from "../json/json-values";

/**
 * Names under which the parsers of OpenAI's, Anthropic's, Google's, Cohere's and Ollama's API and of vLLM, TGI, SGLang and
 * llama.cpp read how much may be written.
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

/** Names of a budget for thinking that the limit includes, so that it is at least as large. */
const INCLUDED_BUDGETS = ["budget_tokens", "thinkingBudget"];

/** Names of a budget that comes on top (https://help.aliyun.com/zh/model-studio/deep-thinking). */
const ADDED_BUDGETS = ["thinking_budget"];

/** Names under which several answers are asked for. */
const ANSWERS = [
  "n",
  "best_of",
  "candidateCount",
  "candidate_count",
  "num_return_sequences",
  "num_generations",
];

/** Objects in which such fields may stand instead of at the top. */
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

/** No request may ask for more than that, so that what is worked out from it stays exact. */
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

/** What a field says: how much may be written at most, how much more, how many answers, or where to look on. */
type Meaning = "limit" | "added" | "answers" | "section";

const MEANINGS: ReadonlyMap<string, Meaning> = new Map<string, Meaning>([
  ...[...LIMITS, ...INCLUDED_BUDGETS].map((name) => [name, "limit"] as const),
  ...ADDED_BUDGETS.map((name) => [name, "added"] as const),
  ...ANSWERS.map((name) => [name, "answers"] as const),
  ...SECTIONS.map((name) => [name, "section"] as const),
]);

const search = (record: JsonRecord, found: Found, depth: number): void => {
  // By the few names that a body has, not by the many that it might have.
  for (const name of Object.keys(record)) {
    const meaning = MEANINGS.get(name);
    if (meaning === undefined) continue;
    const value = record[name];
    if (meaning !== "section") found[meaning] = Math.max(found[meaning], readLimit(value));
    else if (isRecord(value) && depth < DEEPEST_SECTION) search(value, found, depth + 1);
  }
};

/**
 * What a body may ask an upstream for at worst: the largest limit under any name, because nobody knows which of them the
 * upstream reads. Thinking that the body does not bound counts as no limit.
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
