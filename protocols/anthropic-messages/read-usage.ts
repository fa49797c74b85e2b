import { NO_USAGE, readCounter, type Usage } from "@tollgate/contract/relay/usage";
import { isRecord, type JsonRecord, readArray, readRecord } from "../shared/json/json-values";
import { callIds } from "./extras";

/** The counters as received; undefined when the vendor omits them. */
export interface RawUsage {
  /** Without tokens read from or written to the cache. */
  input: number | undefined;
  cacheWrite: number | undefined;
  /** Part of cacheWrite that is kept for an hour. */
  cacheWrite1h: number | undefined;
  cacheRead: number | undefined;
  output: number | undefined;
  thinking: number | undefined;
}

/** No counters yet. */
export const NO_RAW_USAGE: RawUsage = {
  input: undefined,
  cacheWrite: undefined,
  cacheWrite1h: undefined,
  cacheRead: undefined,
  output: undefined,
  thinking: undefined,
};

/**
 * Reads the usage of `message_start`: the input. The output is not known yet: the vendor reports a token or two there
 * (https://docs.anthropic.com/en/docs/build-with-claude/streaming), which must not count as the whole answer when no
 * other count follows.
 */
export const readStartUsage = (value: unknown): RawUsage => ({
  ...readRawUsage(value),
  output: undefined,
  thinking: undefined,
});

/** Reads the usage of a whole Messages answer. */
export const readUsage = (body: unknown): Usage => {
  const { usage, content } = readRecord(body);
  const told = withReportedExtras(toUsage(readRawUsage(usage)), usage);
  const toolCallIds = callIds(readArray(content));
  return toolCallIds.length === 0 ? told : { ...told, toolCallIds };
};

/**
 * Adds the speed and the region from a `usage` object, and the calls of Anthropic's tools (`web_search_requests`):
 * https://docs.anthropic.com/en/docs/agents-and-tools/tool-use/web-search-tool#usage-and-pricing
 */
export const withReportedExtras = (usage: Usage, value: unknown): Usage => {
  const { speed, inference_geo, server_tool_use } = readRecord(value);
  const isReported = typeof speed === "string" || typeof inference_geo === "string";
  if (!isReported && !isRecord(server_tool_use)) return usage;
  return {
    ...usage,
    servedTiers: isReported ? { speed: readText(speed), inference_geo: readText(inference_geo) } : undefined,
    toolCalls: isRecord(server_tool_use) ? readCalls(server_tool_use) : undefined,
  };
};

const readText = (value: unknown): string | undefined => (typeof value === "string" ? value : undefined);

const readCalls = (told: JsonRecord): Record<string, number> => {
  const calls: Record<string, number> = {};
  for (const [name, value] of Object.entries(told)) {
    const count = readCounter(value);
    if (count !== undefined) calls[name.replace(/_requests$/, "")] = count;
  }
  return calls;
};

/**
 * Reads a `usage` object (https://docs.anthropic.com/en/api/messages#response-usage). If it lists `iterations`
 * (compaction, https://docs.anthropic.com/en/docs/build-with-claude/compaction), the counters outside of the list are
 * those of the last one alone, but all of them are billed.
 */
export const readRawUsage = (value: unknown): RawUsage => {
  if (!isRecord(value)) return NO_RAW_USAGE;
  const told = readCounters(value);
  const listed = readArray(value.iterations).filter(isRecord).map(readCounters).reduce(add, NO_RAW_USAGE);
  return largest(told, listed);
};

/** A counter that only some iterations report is the sum of those. */
const add = (one: RawUsage, other: RawUsage): RawUsage =>
  combine(one, other, (a, b) => (a === undefined ? b : a + (b ?? 0)));

/** An incomplete list must not make the answer cheaper than the counters outside of it. */
const largest = (one: RawUsage, other: RawUsage): RawUsage =>
  combine(one, other, (a, b) => (a === undefined ? b : Math.max(a, b ?? 0)));

type Counter = number | undefined;

const combine = (one: RawUsage, other: RawUsage, join: (a: Counter, b: Counter) => Counter): RawUsage => ({
  input: join(one.input, other.input),
  cacheWrite: join(one.cacheWrite, other.cacheWrite),
  cacheWrite1h: join(one.cacheWrite1h, other.cacheWrite1h),
  cacheRead: join(one.cacheRead, other.cacheRead),
  output: join(one.output, other.output),
  thinking: join(one.thinking, other.thinking),
});

const readCounters = (value: JsonRecord): RawUsage => {
  return {
    input: readCounter(value.input_tokens),
    cacheWrite: readCounter(value.cache_creation_input_tokens) ?? readCacheCreation(value.cache_creation),
    cacheWrite1h: readCounter(readRecord(value.cache_creation).ephemeral_1h_input_tokens),
    cacheRead: readCounter(value.cache_read_input_tokens),
    output: readCounter(value.output_tokens),
    thinking: readCounter(readRecord(value.output_tokens_details).thinking_tokens),
  };
};

/** The writes by lifetime, from vendors that give no sum. */
const readCacheCreation = (value: unknown): number | undefined => {
  const { ephemeral_5m_input_tokens, ephemeral_1h_input_tokens } = readRecord(value);
  const short = readCounter(ephemeral_5m_input_tokens);
  const long = readCounter(ephemeral_1h_input_tokens);
  return short === undefined && long === undefined ? undefined : (short ?? 0) + (long ?? 0);
};

/**
 * Merges the counters of `message_delta`: they are cumulative, so they replace and are never added. Some vendors fill
 * its input side with zeros although `message_start` had the real counts; no model reads zero tokens.
 */
export const mergeRawUsage = (earlier: RawUsage, later: RawUsage): RawUsage => {
  const isInputTold = (later.input ?? 0) + (later.cacheWrite ?? 0) + (later.cacheRead ?? 0) > 0;
  return {
    input: (isInputTold ? later.input : undefined) ?? earlier.input,
    cacheWrite: (isInputTold ? later.cacheWrite : undefined) ?? earlier.cacheWrite,
    cacheWrite1h: (isInputTold ? later.cacheWrite1h : undefined) ?? earlier.cacheWrite1h,
    cacheRead: (isInputTold ? later.cacheRead : undefined) ?? earlier.cacheRead,
    output: later.output ?? earlier.output,
    thinking: later.thinking ?? earlier.thinking,
  };
};

/** `input_tokens` excludes the cached parts here, but the canonical count includes all input. */
export const toUsage = ({
  input,
  cacheWrite,
  cacheWrite1h,
  cacheRead,
  output,
  thinking,
}: RawUsage): Usage => {
  const inputTokens = input === undefined ? undefined : input + (cacheWrite ?? 0) + (cacheRead ?? 0);
  if (inputTokens === 0 && (output === undefined || output === 0)) return NO_USAGE;
  return {
    inputTokens,
    outputTokens: output,
    cacheReadTokens: cacheRead,
    cacheWriteTokens: cacheWrite,
    cacheWrite1hTokens: cacheWrite1h,
    reasoningTokens: thinking,
  };
};
