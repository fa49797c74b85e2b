import type { ServedTiers } from "./extras";

/**
 * Tokens that one answer consumed. `undefined` means "not reported", which is never the same as 0. The classes are
 * disjoint from the price's point of view: `inputTokens` is everything the model read, the cached parts included;
 * `outputTokens` everything it wrote, reasoning included.
 */
export interface Usage {
  inputTokens: number | undefined;
  outputTokens: number | undefined;
  /** Part of inputTokens that came from a prompt cache. */
  cacheReadTokens: number | undefined;
  /** Part of inputTokens that was written to a prompt cache. */
  cacheWriteTokens: number | undefined;
  /** Part of cacheWriteTokens that is kept for an hour; the rest is kept for five minutes. */
  cacheWrite1hTokens?: number | undefined;
  /** Part of inputTokens that was sound. */
  audioInputTokens?: number | undefined;
  /** Part of outputTokens that is sound. */
  audioOutputTokens?: number | undefined;
  /** Part of outputTokens that was spent on reasoning. */
  reasoningTokens: number | undefined;
  /** Part of outputTokens that was not delivered: a prediction of the client's that the model did not take. */
  rejectedTokens?: number | undefined;
  /** Which tiers the upstream says that it served. */
  servedTiers?: ServedTiers | undefined;
  /** How often the vendor ran its own tools, by its word. */
  toolCalls?: Readonly<Record<string, number>> | undefined;
  /** Calls of such tools that the answer itself shows: the tool's name, a space, and the call's identification. */
  toolCallIds?: readonly string[] | undefined;
  /** The model that the upstream says it used, cut and without control characters. Untrusted: never used for prices. */
  servedModel?: string | undefined;
}

export const NO_USAGE: Usage = {
  inputTokens: undefined,
  outputTokens: undefined,
  cacheReadTokens: undefined,
  cacheWriteTokens: undefined,
  reasoningTokens: undefined,
};

/** True when the upstream told how much was read and written. */
export const isComplete = (usage: Usage): boolean =>
  usage.inputTokens !== undefined && usage.outputTokens !== undefined;

const larger = (one: number | undefined, other: number | undefined): number | undefined =>
  one === undefined || other === undefined ? (other ?? one) : Math.max(one, other);

/**
 * The read tokens: those of the later report, unless it says nothing of a cache that the earlier one knew. Then its count
 * may lack the cached part, as Anthropic's `input_tokens` does.
 */
const mergeInput = (earlier: Usage, later: Usage): number | undefined => {
  const knewCache = (earlier.cacheReadTokens ?? 0) + (earlier.cacheWriteTokens ?? 0) > 0;
  const tellsCache = (later.cacheReadTokens ?? later.cacheWriteTokens) !== undefined;
  return knewCache && !tellsCache
    ? larger(earlier.inputTokens, later.inputTokens)
    : (later.inputTokens ?? earlier.inputTokens);
};

/**
 * Merges the reports of a stream over time: the later value wins, a missing one changes nothing; never a sum. Written
 * tokens only grow: a smaller count after a larger one does not reduce it.
 */
export const mergeUsage = (earlier: Usage, later: Usage): Usage => ({
  inputTokens: mergeInput(earlier, later),
  outputTokens: larger(earlier.outputTokens, later.outputTokens),
  cacheReadTokens: later.cacheReadTokens ?? earlier.cacheReadTokens,
  cacheWriteTokens: later.cacheWriteTokens ?? earlier.cacheWriteTokens,
  cacheWrite1hTokens: later.cacheWrite1hTokens ?? earlier.cacheWrite1hTokens,
  audioInputTokens: later.audioInputTokens ?? earlier.audioInputTokens,
  audioOutputTokens: larger(earlier.audioOutputTokens, later.audioOutputTokens),
  reasoningTokens: larger(earlier.reasoningTokens, later.reasoningTokens),
  rejectedTokens: larger(earlier.rejectedTokens, later.rejectedTokens),
  servedTiers: later.servedTiers ?? earlier.servedTiers,
  toolCalls: later.toolCalls ?? earlier.toolCalls,
  toolCallIds: joinIds(earlier.toolCallIds, later.toolCallIds),
  servedModel: earlier.servedModel ?? later.servedModel,
});

/** Adds the report of a further part of an answer, such as the next picture: what was read counts once. */
export const addPart = (earlier: Usage, part: Usage): Usage => ({
  ...mergeUsage(earlier, part),
  outputTokens:
    earlier.outputTokens === undefined || part.outputTokens === undefined
      ? (part.outputTokens ?? earlier.outputTokens)
      : earlier.outputTokens + part.outputTokens,
});

/** No answer takes as many calls of tools; more of them only serve to make work. */
export const MAX_CALLS = 1000;

/** The end of a stream repeats its content: each call counts once. */
const joinIds = (
  earlier: readonly string[] | undefined,
  later: readonly string[] | undefined,
): readonly string[] | undefined => {
  if (earlier === undefined || later === undefined) return later ?? earlier;
  return [...new Set([...earlier, ...later])].slice(0, MAX_CALLS);
};

/** How often a tool of the vendor's was called: by its word, or as the answer shows, whichever is more. */
export const callsOf = ({ toolCalls, toolCallIds }: Usage, tool: string): number => {
  const shown = toolCallIds?.filter((id) => id.startsWith(`${tool} `)).length ?? 0;
  return Math.min(MAX_CALLS, Math.max(toolCalls?.[tool] ?? 0, shown));
};

/**
 * No answer reads or writes as many tokens: the longest context of any model is a tenth of it. A larger number of an
 * upstream is no count, and would overflow the sums over many answers.
 */
const MAX_TOKENS = 100_000_000;

/** Whether a number can be the count of tokens of one answer: a whole number that is neither negative nor beyond measure. */
export const isPlausibleCount = (value: unknown): value is number =>
  typeof value === "number" && Number.isSafeInteger(value) && value >= 0 && value <= MAX_TOKENS;

/** Returns a counter of an upstream, or undefined for an implausible value. */
export const readCounter = (value: unknown): number | undefined =>
  isPlausibleCount(value) ? value : undefined;
