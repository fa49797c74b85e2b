import * as z from "zod/mini";
import type { LogContent } from "../values/log-phrase";
import { looseBoolean, looseList, looseNumber, looseString } from "./wire";

/** One line of the usage log. */
export interface Log {
  id: number;
  userId: number;
  createdAt: number;
  type: number;
  content: string;
  username: string;
  tokenName: string;
  modelName: string;
  quota: number;
  promptTokens: number;
  completionTokens: number;
  channelId: number;
  /** "" where the server does not tell, or the line is about an account. */
  requestId: string;
  isStream: boolean;
  /** Milliseconds; 0 where the server does not tell. */
  durationMs: number;
}

/** A line as it is stored: what it says is put into words for its reader. */
export interface StoredLog extends Omit<Log, "content"> {
  content: LogContent;
}

/** The Log object of contract section 1.0 (with its id under the proper name), and three fields more at its end. */
export const logWireSchema = z.object({
  id: z.int(),
  user_id: z.int(),
  created_at: z.int(),
  type: z.int(),
  content: z.string(),
  username: z.string(),
  token_name: z.string(),
  model_name: z.string(),
  quota: z.int(),
  prompt_tokens: z.int(),
  completion_tokens: z.int(),
  channel: z.int(),
  request_id: z.string(),
  is_stream: z.boolean(),
  duration_ms: z.int(),
});
export type LogWire = z.infer<typeof logWireSchema>;

/** @param content what the line says, in its reader's language. */
export const encodeLog = (log: StoredLog, content: string): LogWire => ({
  id: log.id,
  user_id: log.userId,
  created_at: log.createdAt,
  type: log.type,
  content,
  username: log.username,
  token_name: log.tokenName,
  model_name: log.modelName,
  quota: log.quota,
  prompt_tokens: log.promptTokens,
  completion_tokens: log.completionTokens,
  channel: log.channelId,
  request_id: log.requestId,
  is_stream: log.isStream,
  duration_ms: log.durationMs,
});

const logReader = z.object({
  id: looseNumber,
  user_id: looseNumber,
  created_at: looseNumber,
  type: looseNumber,
  content: looseString,
  username: looseString,
  token_name: looseString,
  model_name: looseString,
  quota: looseNumber,
  prompt_tokens: looseNumber,
  completion_tokens: looseNumber,
  channel: looseNumber,
  request_id: looseString,
  is_stream: looseBoolean,
  duration_ms: looseNumber,
});

/** Reads a log row from any server's answer. Its id may be 0 or absent (contract section 6.4): never use it as a key. */
export const readLog = (value: unknown): Log | undefined => {
  const parsed = logReader.safeParse(value);
  if (!parsed.success) return undefined;
  const wire = parsed.data;
  return {
    id: wire.id,
    userId: wire.user_id,
    createdAt: wire.created_at,
    type: wire.type,
    content: wire.content,
    username: wire.username,
    tokenName: wire.token_name,
    modelName: wire.model_name,
    quota: wire.quota,
    promptTokens: wire.prompt_tokens,
    completionTokens: wire.completion_tokens,
    channelId: wire.channel,
    requestId: wire.request_id,
    isStream: wire.is_stream,
    durationMs: wire.duration_ms,
  };
};

export const readLogs = looseList(readLog);

/** What a log list or a total is narrowed by; an absent field does not narrow. Both times are inclusive unix seconds. */
export interface LogFilter {
  userId?: number;
  type?: number;
  username?: string;
  tokenName?: string;
  modelName?: string;
  channelId?: number;
  startTimestamp?: number;
  endTimestamp?: number;
}

/** What a total answers. */
export const logStatWireSchema = z.object({ quota: z.int() });

export const logStatSchema = z.object({ quota: looseNumber });
