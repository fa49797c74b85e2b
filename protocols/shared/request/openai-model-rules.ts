import type { ReasoningEffort } from "@tollgate/contract/relay/request";

/** The fields that a family of models accepts on chat/completions. */
export interface ModelRule {
  match: RegExp;
  /** Its limit is `max_completion_tokens`; sampling parameters and `stop` are refused while it reasons. */
  isReasoning: boolean;
  /** In ascending order; empty when `reasoning_effort` is refused. */
  efforts: readonly ReasoningEffort[];
  /** Function tools are refused on chat/completions unless the effort is "none". */
  areToolsWithoutReasoning?: boolean;
  /** It wants its earlier reasoning back as `reasoning_content`. */
  readsReasoning?: boolean;
  /** OpenAI's own: supports the fields that no other vendor does. */
  isOpenai?: boolean;
  /** Instructions are allowed at any position; templates of other models allow them only at the beginning. */
  takesSystemTurns?: boolean;
  /**
   * It is not OpenAI's, and reasons without showing it: https://ai.google.dev/gemini-api/docs/openai#thinking,
   * https://docs.x.ai/docs/guides/reasoning
   */
  hidesReasoning?: boolean;
  /** `response_format` knows no schema: https://api-docs.deepseek.com/guides/json_mode */
  lacksSchemaFormat?: boolean;
  /** Requires the seals of its calls back (`extra_content`), which others refuse. */
  readsSeals?: boolean;
}

const OPENAI = { isOpenai: true, takesSystemTurns: true } as const;
const CHAT = { ...OPENAI, isReasoning: false, efforts: [] } as const;
const OPEN_WEIGHTS = {
  isReasoning: false,
  efforts: ["low", "medium", "high"],
  readsReasoning: true,
} as const;
const REASONING = { ...OPENAI, isReasoning: true } as const;

/**
 * The first match applies; the name is in lower case and without a vendor's prefix ("openai/gpt-5" is "gpt-5").
 * Sources: https://platform.openai.com/docs/guides/reasoning and the model pages;
 * https://api-docs.deepseek.com/guides/thinking_mode for reasoning that is sent back.
 */
const MODEL_RULES: readonly ModelRule[] = [
  { match: /^gpt-\d.*-chat-latest/, ...CHAT },
  { match: /^(?:gpt-[34]|chatgpt-)/, ...CHAT },
  { match: /^o1-(?:mini|preview)/, ...REASONING, efforts: [] },
  { match: /^o[134](?:-|$)/, ...REASONING, efforts: ["low", "medium", "high"] },
  { match: /^gpt-5\.1-codex-max/, ...REASONING, efforts: ["none", "low", "medium", "high", "xhigh"] },
  { match: /^gpt-5\.1/, ...REASONING, efforts: ["none", "low", "medium", "high"] },
  { match: /^gpt-5\.[2-5]/, ...REASONING, efforts: ["none", "low", "medium", "high", "xhigh"] },
  { match: /^gpt-5(?:-|$)/, ...REASONING, efforts: ["minimal", "low", "medium", "high"] },
  { match: /^gpt-6(?:-astra|\.1-sol)/, ...REASONING, efforts: ["low", "medium", "high", "xhigh"] },
  {
    match: /^gpt-(?:5\.|[6-9])/,
    ...REASONING,
    efforts: ["none", "low", "medium", "high", "xhigh"],
    areToolsWithoutReasoning: true,
  },
  { match: /^deepseek/, ...OPEN_WEIGHTS, lacksSchemaFormat: true },
  { match: /^(?:kimi|glm|minimax|qwen|qwq|mimo)/, ...OPEN_WEIGHTS },
  {
    match: /^gemini-(?:2\.5|[3-9])/,
    isReasoning: false,
    efforts: ["low", "medium", "high"],
    readsSeals: true,
    hidesReasoning: true,
  },
  { match: /^gemini-/, isReasoning: false, efforts: ["low", "medium", "high"], readsSeals: true },
  {
    match: /^grok-(?!.*non-reasoning)(?:[4-9]|code)/,
    isReasoning: false,
    efforts: ["low", "medium", "high"],
    hidesReasoning: true,
  },
];

/** Other vendors' models: the three efforts that all support if they know the field at all. */
const OTHERS: ModelRule = { match: /^/, isReasoning: false, efforts: ["low", "medium", "high"] };

/** The rule of a model, by its name alone. */
export const findModelRule = (model: string): ModelRule => {
  const name = model.slice(model.lastIndexOf("/") + 1).toLowerCase();
  return MODEL_RULES.find(({ match }) => match.test(name)) ?? OTHERS;
};
