import { isRecord, readArray } from "@tollgate/protocols/shared/json/json-values";
import type { ApiKey, UpstreamTarget } from "../ports/directory";

type Body = Record<string, unknown>;

/** Name of the change on the receipt. */
export const CACHE_MARKS = "cache-marks";

/** A shorter prompt is not worth a mark: no model of Anthropic's caches less. In tokens. */
const MIN_TOKENS = 1024;

/** Turns of the user's that are marked: the newest, and the one before, whose prefix the last request wrote. */
const MARKED_TURNS = 2;

const MARK = { type: "ephemeral" } as const;

/**
 * Whether a request gets marks of the prompt cache.
 * @param tokens of its prompt, estimated. @param channel the target resolved for the request.
 */
export const wantsCacheMarks = (
  { cacheMarks }: Pick<ApiKey, "cacheMarks">,
  { protocol, overrides }: Pick<UpstreamTarget, "protocol" | "overrides">,
  tokens: number,
): boolean => {
  if (!protocol.takesCacheMarks || overrides?.passesBody || tokens < MIN_TOKENS) return false;
  return cacheMarks === "on" || (cacheMarks !== "off" && overrides?.cacheMarks === true);
};

/** Blocks of a system prompt or a message; a text stands for one block. */
const blocksOf = (content: unknown): readonly unknown[] =>
  typeof content === "string" ? [{ type: "text", text: content }] : readArray(content);

const hasMark = (value: unknown): boolean =>
  isRecord(value) && (value.cache_control !== undefined || readArray(value.content).some(hasMark));

/** Whether the client has set marks itself, anywhere. */
const isMarked = ({ cache_control: own, system, tools, messages }: Body): boolean =>
  own !== undefined || [...readArray(system), ...readArray(tools), ...readArray(messages)].some(hasMark);

/** Anthropic refuses marks of empty texts, of reasoning, and of tools that are loaded later. */
const mayMark = (block: unknown): block is Body =>
  isRecord(block) &&
  block.defer_loading !== true &&
  block.type !== "thinking" &&
  block.type !== "redacted_thinking" &&
  !(block.type === "text" && (typeof block.text !== "string" || block.text.trim() === ""));

/** Marks the last of a list that may be marked. @returns the same list without any. */
const markLast = (blocks: readonly unknown[]): readonly unknown[] => {
  const index = blocks.findLastIndex(mayMark);
  if (index < 0) return blocks;
  return blocks.map((block, at) =>
    at === index && isRecord(block) ? { ...block, cache_control: MARK } : block,
  );
};

const markContent = (content: unknown): unknown => {
  const blocks = blocksOf(content);
  const marked = markLast(blocks);
  return marked === blocks ? content : marked;
};

/** Marks the last turns of the user's. */
const markTurns = (messages: readonly unknown[]): readonly unknown[] => {
  let left = MARKED_TURNS;
  return messages
    .toReversed()
    .map((message) => {
      if (left === 0 || !isRecord(message) || message.role !== "user") return message;
      left -= 1;
      return { ...message, content: markContent(message.content) };
    })
    .toReversed();
};

/**
 * Adds marks of the prompt cache to a request of Anthropic's protocol: behind the tools, behind the system prompt, and
 * behind the last two turns of the user's. That is four, the most that are allowed.
 * @returns the same object when the client has set marks.
 */
export const markCache = (body: Body): Body => {
  if (isMarked(body)) return body;
  const { system, tools, messages } = body;
  return {
    ...body,
    ...(Array.isArray(tools) && { tools: markLast(tools) }),
    ...(system !== undefined && { system: markContent(system) }),
    ...(Array.isArray(messages) && { messages: markTurns(messages) }),
  };
};
