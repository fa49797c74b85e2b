import type { ReasoningEffort } from "@tollgate/contract/relay/request";

/** The fields that a family of models accepts on /v1/messages. */
export interface ModelRule {
  match: RegExp;
  /** `max_tokens` when the client sets no limit; also the maximum to which it is raised for a thinking budget. */
  defaultMaxTokens: number;
  /** "both": temperature and top_p together; "one": only one of them; "none": every sampling field is refused. */
  sampling: "both" | "one" | "none";
  /** "budget": a number of tokens; "adaptive": the model decides, steered by an effort. */
  thinking: "none" | "budget" | "adaptive";
  /** Efforts that adaptive thinking knows, from the least to the most. */
  efforts: readonly ReasoningEffort[];
  /**
   * The field value that disables thinking; undefined when it cannot be disabled, so that the lowest effort is used.
   */
  thinkingOff?: "disabled" | "between_tools";
  /** Thinks unless thinking is disabled. */
  thinksByDefault?: boolean;
  /** The conversation may end with an assistant turn that the model continues. */
  canPrefill: boolean;
  /** `tool_choice` may force a tool. */
  canForceTool: boolean;
  /** `output_config.format` is known. */
  hasOutputFormat: boolean;
  /**
   * Messages of the role `system` may follow a user turn
   * (https://platform.claude.com/docs/en/build-with-claude/mid-conversation-system-messages).
   */
  takesSystemTurns?: boolean;
}

const CLASSIC = {
  sampling: "both",
  thinking: "none",
  efforts: [],
  thinkingOff: "disabled",
  canPrefill: true,
  canForceTool: true,
  hasOutputFormat: false,
} as const satisfies Partial<ModelRule>;

const BUDGET = { ...CLASSIC, thinking: "budget" } as const;

const FIXED_SAMPLING = {
  sampling: "none",
  thinking: "adaptive",
  efforts: ["low", "medium", "high", "xhigh", "max"],
  thinkingOff: "disabled",
  canPrefill: false,
  canForceTool: true,
  hasOutputFormat: true,
  takesSystemTurns: true,
} as const satisfies Partial<ModelRule>;

/** The first models of that kind take instructions in the head alone. */
const BEFORE_SYSTEM_TURNS = { ...FIXED_SAMPLING, takesSystemTurns: false } as const;

/**
 * The first match applies; the name is in lower case and starts at "claude". Sources: the model overview
 * (https://docs.anthropic.com/en/docs/about-claude/models/overview), extended and adaptive thinking, and each model's
 * migration notes.
 */
const MODEL_RULES: readonly ModelRule[] = [
  {
    match: /^claude-(?:opus-5-5|fable-5[-.]1)/,
    defaultMaxTokens: 128_000,
    ...FIXED_SAMPLING,
    thinkingOff: undefined,
    canForceTool: false,
  },
  {
    match: /^claude-sonnet-5-5/,
    defaultMaxTokens: 64_000,
    ...FIXED_SAMPLING,
    thinkingOff: "between_tools",
    canForceTool: false,
  },
  { match: /^claude-haiku-5-5/, defaultMaxTokens: 64_000, ...FIXED_SAMPLING, thinksByDefault: true },
  { match: /^claude-opus-5/, defaultMaxTokens: 128_000, ...FIXED_SAMPLING, thinksByDefault: true },
  { match: /^claude-opus-4-8/, defaultMaxTokens: 128_000, ...FIXED_SAMPLING },
  { match: /^claude-opus-4-7/, defaultMaxTokens: 128_000, ...BEFORE_SYSTEM_TURNS },
  {
    match: /^claude-opus-4-6/,
    defaultMaxTokens: 128_000,
    ...BEFORE_SYSTEM_TURNS,
    sampling: "one",
    efforts: ["low", "medium", "high", "max"],
  },
  {
    match: /^claude-sonnet-4-6/,
    defaultMaxTokens: 64_000,
    ...BEFORE_SYSTEM_TURNS,
    sampling: "one",
    efforts: ["low", "medium", "high", "max"],
  },
  { match: /^claude-opus-4-5/, defaultMaxTokens: 32_000, ...BUDGET, sampling: "one", hasOutputFormat: true },
  { match: /^claude-opus-4-1/, defaultMaxTokens: 32_000, ...BUDGET, sampling: "one", hasOutputFormat: true },
  { match: /^claude-opus-4/, defaultMaxTokens: 32_000, ...BUDGET },
  {
    match: /^claude-(?:sonnet|haiku)-4-5/,
    defaultMaxTokens: 64_000,
    ...BUDGET,
    sampling: "one",
    hasOutputFormat: true,
  },
  { match: /^claude-(?:sonnet|haiku)-4/, defaultMaxTokens: 64_000, ...BUDGET },
  { match: /^claude-3-7/, defaultMaxTokens: 64_000, ...BUDGET },
  { match: /^claude-3-5/, defaultMaxTokens: 8_192, ...CLASSIC },
  { match: /^claude-3|^claude-instant|^claude-2/, defaultMaxTokens: 4_096, ...CLASSIC },
  // Models newer than this table: the common rules of the newest known ones.
  { match: /^claude-/, defaultMaxTokens: 64_000, ...FIXED_SAMPLING },
];

/** Other vendors that took over this shape: its oldest form, with a thinking budget. */
const OTHERS: ModelRule = { match: /^/, defaultMaxTokens: 8_192, ...BUDGET };

/** The rule of a model, by its name alone. */
export const findModelRule = (model: string): ModelRule => {
  const name = model.toLowerCase();
  const start = name.indexOf("claude-");
  return start === -1 ? OTHERS : (MODEL_RULES.find(({ match }) => match.test(name.slice(start))) ?? OTHERS);
};
