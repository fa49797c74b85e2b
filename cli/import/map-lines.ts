import type { ImportedApiKey, ImportedLine, ImportedUser } from "@tollgate/contract/records/imported-records";
import { MAX_QUOTA } from "@tollgate/contract/values/quota";
import { LOG_CONSUME, LOG_MANAGE, LOG_SYSTEM, LOG_TOPUP } from "@tollgate/contract/values/statuses";
import { toNumber } from "./amounts";
import type { Origin } from "./origin";
import { readCachedUse } from "./read-cached-use";
import { readObject } from "./read-json";
import type { RemarkCode } from "./remarks";
import type { LogRow } from "./source-rows";
import type { TableRemarks } from "./table-remarks";

/** Sums of the lines of requests, by ids. */
export interface LineSums {
  quotaOfUsers: Map<number, number>;
  requestsOfUsers: Map<number, number>;
  quotaOfTokens: Map<number, number>;
  quotaOfChannels: Map<number, number>;
  /** Ids that lines name; no new record may be given one of them. */
  highestUser: number;
  highestToken: number;
  highestChannel: number;
}

type Fate = { type: number; said?: RemarkCode } | { leftOut: RemarkCode };

const KEPT: Fate[] = [{ type: LOG_TOPUP }, { type: LOG_CONSUME }, { type: LOG_MANAGE }, { type: LOG_SYSTEM }];

/** Mapping of the types that only one of them has: the same numbers mean different things. */
const FATES: Readonly<Record<"one-api" | "new-api", Readonly<Record<number, Fate>>>> = {
  "one-api": { 5: { type: LOG_SYSTEM, said: "line-of-test" } },
  "new-api": {
    5: { leftOut: "line-of-error" },
    6: { type: LOG_SYSTEM, said: "line-of-refund" },
    7: { leftOut: "line-of-sign-in" },
  },
};

/** Prefix of a stored list of phrases (storage/outbox/log-content.ts): other texts are no such list. */
const PHRASES = '[{"code":"';

const MAX_AMOUNT = 2 ** 40;

/** Of a line that tells the use of a cache: other lines need no parsing, which takes time with millions of them. */
const CACHED = /"cache_(?:creation_)?tokens/;

const FIRST_BYTE = /"frt":\s*(\d{1,9})\b/;

const addTo = (sums: Map<number, number>, id: number, amount: number): void => {
  sums.set(id, (sums.get(id) ?? 0) + amount);
};

/** One number for each key of a user that has a name of its own; 0 for a name that several have. */
const apiKeysByName = (tokens: readonly ImportedApiKey[]): ReadonlyMap<string, number> => {
  const ids = new Map<string, number>();
  for (const { id, userId, name } of tokens) {
    const key = `${userId}\n${name}`;
    ids.set(key, ids.has(key) ? 0 : id);
  }
  return ids;
};

/** A time that is not after the import. */
const readLineTime = ({ id, created_at }: LogRow, now: number, remarks: TableRemarks): number => {
  const time = toNumber(created_at);
  const inRange = Math.min(Math.max(0, time), now);
  if (inRange !== time)
    remarks.add("changed", "line-time", id, { before: String(created_at ?? ""), after: inRange });
  return inRange;
};

interface LineContext {
  users: ReadonlyMap<number, ImportedUser>;
  /** Unix seconds. */
  now: number;
  remarks: TableRemarks;
}

/**
 * Amounts that no request can have are 0.
 * @param total quota of the lines before it.
 */
const readAmounts = (row: LogRow, type: number, total: number, remarks: TableRemarks) => {
  let isOdd = false;
  const amountOf = (value: number | bigint | undefined, most: number): number => {
    const amount = toNumber(value);
    if (amount >= 0 && amount <= most) return amount;
    isOdd = true;
    return 0;
  };
  const isStream = row.is_stream === true;
  const other = CACHED.test(row.other ?? "") ? readObject(row.other) : undefined;
  const cached = other && readCachedUse(other);
  const durationMs =
    amountOf(row.elapsed_time, MAX_AMOUNT) || amountOf(row.use_time, MAX_AMOUNT / 1000) * 1000;
  const amounts = {
    // All of it together is to be counted exactly.
    quota: type === LOG_CONSUME ? amountOf(row.quota, MAX_QUOTA - total) : 0,
    // Here a prompt has all of its tokens, also those of the cache.
    promptTokens: amountOf(toNumber(row.prompt_tokens) + (cached?.besidePrompt ?? 0), MAX_AMOUNT),
    completionTokens: amountOf(row.completion_tokens, MAX_AMOUNT),
    cacheReadTokens: cached?.read && amountOf(cached.read, MAX_AMOUNT),
    cacheWriteTokens: cached?.written ? amountOf(cached.written, MAX_AMOUNT) : undefined,
    isStream,
    durationMs,
    firstByteMs: isStream ? Number(FIRST_BYTE.exec(row.other ?? "")?.[1] ?? durationMs) : undefined,
  };
  if (isOdd) remarks.add("changed", "line-amount", row.id);
  return amounts;
};

/**
 * A line without its key.
 * @param total quota of the lines before it.
 */
const readLine = (
  row: LogRow,
  type: number,
  total: number,
  { users, now, remarks }: LineContext,
): ImportedLine => {
  const userId = Math.max(0, toNumber(row.user_id));
  const createdAt = readLineTime(row, now, remarks);
  const content = row.content ?? "";
  const line: ImportedLine = {
    createdAt,
    userId,
    username: row.username ?? users.get(userId)?.username ?? "",
    type,
    content: content.startsWith(PHRASES) ? ` ${content}` : content,
    tokenId: 0,
    tokenName: row.token_name ?? "",
    channelId: Math.max(0, toNumber(row.channel_id)),
    modelName: row.model_name ?? "",
    ...readAmounts(row, type, total, remarks),
  };
  if (!users.has(userId)) remarks.add("noted", "line-of-nobody", row.id);
  // Only the proof reads it, for users who are gone.
  if ((row.group ?? "") !== "") remarks.add("noted", "column-left", row.id, { column: "group" });
  return line;
};

/**
 * Maps lines of the log. Their prices and names stay as they are; a line belongs to the user that it names, also when
 * that user is deleted.
 * @param now unix seconds.
 */
export const createLineMapper = (
  origin: Origin,
  users: ReadonlyMap<number, ImportedUser>,
  tokens: readonly ImportedApiKey[],
  now: number,
  remarks: TableRemarks,
) => {
  const fates = FATES[origin.series === "new-api" ? "new-api" : "one-api"];
  const byName = apiKeysByName(tokens);
  const ownerOf = new Map(tokens.map(({ id, userId }) => [id, userId]));
  const sums: LineSums = {
    quotaOfUsers: new Map(),
    requestsOfUsers: new Map(),
    quotaOfTokens: new Map(),
    quotaOfChannels: new Map(),
    highestUser: 0,
    highestToken: 0,
    highestChannel: 0,
  };
  /** Who had a top-up at a second; 0 for several. */
  const toppedUp = new Map<number, number>();
  let [taken, total] = [0, 0];

  const tokenOf = (row: LogRow, userId: number): number => {
    const named = byName.get(`${userId}\n${row.token_name ?? ""}`) ?? 0;
    const id = toNumber(row.token_id);
    if (id <= 0) return named;
    return (ownerOf.get(id) ?? userId) === userId ? id : 0;
  };

  const map = (row: LogRow): ImportedLine | undefined => {
    const given = toNumber(row.type);
    const fate = fates[given] ?? KEPT[given - 1] ?? { leftOut: "line-type-unknown" as const };
    if ("leftOut" in fate) {
      remarks.add(
        "left-out",
        fate.leftOut,
        row.id,
        fate.leftOut === "line-type-unknown" ? { type: given } : {},
      );
      return undefined;
    }
    if (fate.said) remarks.add("changed", fate.said, row.id);
    const line = readLine(row, fate.type, total, { users, now, remarks });
    const { userId, createdAt } = line;
    taken += 1;
    sums.highestUser = Math.max(sums.highestUser, userId);
    sums.highestChannel = Math.max(sums.highestChannel, line.channelId);
    if (fate.type === LOG_TOPUP)
      toppedUp.set(createdAt, (toppedUp.get(createdAt) ?? userId) === userId ? userId : 0);
    if (fate.type !== LOG_CONSUME) return line;
    line.tokenId = tokenOf(row, userId);
    total += line.quota;
    addTo(sums.quotaOfUsers, userId, line.quota);
    addTo(sums.requestsOfUsers, userId, 1);
    addTo(sums.quotaOfTokens, line.tokenId, line.quota);
    addTo(sums.quotaOfChannels, line.channelId, line.quota);
    sums.highestToken = Math.max(sums.highestToken, line.tokenId);
    return line;
  };

  return {
    map,
    sums,
    get taken() {
      return taken;
    },
    /** The only user who had a top-up at that second. */
    redeemerOf: (time: number): number | undefined => toppedUp.get(time) || undefined,
  };
};
