/*
 * Entries that go through the outbox into the log file. They are written as text, two JSON lines per entry: first the
 * fields of the lines and sums, then the receipt's particulars, which are stored as they are and never parsed on the
 * way.
 */

import { numeral, quote } from "./write-json";

/**
 * How a request counts in the sums. "error": it failed by no fault of the client; "refused": it was refused for its
 * content, or for its owner's limits. Both are errors to their owner; only the first is one of the service. "ended": no
 * request, but the cost of attempts that ended without a charge.
 */
export type RequestCount = "answered" | "error" | "left" | "refused" | "ended";

/** A request that ended, well or not. */
export interface RequestEntry {
  /** Digits and letters (server/http/request-id.ts), which need no look before they are written; "" for none. */
  requestId: string;
  /** Unix seconds. */
  createdAt: number;
  userId: number;
  username: string;
  tokenId: number;
  tokenName: string;
  channelId: number;
  /** The model that was charged for, which is the one after the channel's mapping; "" when none was chosen. */
  modelName: string;
  count: RequestCount;
  /** False for requests that failed, and while the option LogConsumeEnabled is off: then there is no line. */
  isLogged: boolean;
  isStream: boolean;
  durationMs: number;
  firstByteMs: number | undefined;
  promptTokens: number;
  completionTokens: number;
  /** The part of the prompt that the upstream had in its cache, and that it wrote to it; undefined when unknown. */
  cacheReadTokens?: number | undefined;
  cacheWriteTokens?: number | undefined;
  /** Whether the answer names another model than was asked for; undefined where that is not known. */
  isOtherModel?: boolean | undefined;
  quota: number;
  /** Cost at the upstream, in thousandths of quota (COST_UNITS); undefined when unknown. */
  cost?: number | undefined;
  /** Stored text of the log line (log-content.ts); "" without one. */
  content: string;
  /** JSON of ReceiptDetail; "" for no receipt. */
  receipt: string;
  /** Models that failed before another one was asked in their place, each once, without the one of this entry; absent for none. */
  replaced?: readonly ModelFault[] | undefined;
  /** Materials of the charge; undefined without a line, and for charges from before this was stored. */
  use?: EntryUse | undefined;
  /** Counts of a failed request; absent for an answered one. */
  failure?: EntryFailure | undefined;
}

/** A failure, or several more of the same kind within a minute. */
export interface EntryFailure {
  /** The refusal's code, or how the request ended. */
  code: string;
  /** HTTP status of the upstream that was asked last, 0 for none. */
  status: number;
  /** Time of the first one, whose request id the entry has; unix seconds. */
  firstAt: number;
  /** How many more there were. */
  count: number;
  /** The first one was stored before, with its receipt: only the count grows. */
  isRepeat: boolean;
}

/** That a model failed in a request in which it was not the last one. */
export interface ModelFault {
  /** As its upstream was asked for it. */
  modelName: string;
  /** The channel that was asked last for it, 0 for none. */
  channelId: number;
}

/** Materials of a charge, as metering/priced-use.ts writes them. */
export interface EntryUse {
  shape: string;
  /** The part of the price that the balance could not cover. */
  shortfall: number;
  /** None where it cannot be priced again. */
  values: readonly number[];
}

/** A log line about an account rather than a request: a top-up, an administrator's change, a gift. */
export interface AccountEntry {
  createdAt: number;
  userId: number;
  username: string;
  type: number;
  /** As it is stored (log-content.ts). */
  content: string;
}

/**
 * Whether a receipt is stored. Without a line an answered request leaves none either: the site does not want to know. A failure
 * that is repeated within a minute has that of the first.
 */
export const hasReceipt = ({ requestId, isLogged, count, failure }: RequestEntry): boolean =>
  requestId !== "" && (isLogged || count !== "answered") && !failure?.isRepeat;

const COUNTS: readonly RequestCount[] = ["answered", "error", "left", "refused", "ended"];

type RequestTuple = [
  requestId: string,
  createdAt: number,
  userId: number,
  username: string,
  tokenId: number,
  tokenName: string,
  channelId: number,
  modelName: string,
  count: number,
  isLogged: 0 | 1,
  isStream: 0 | 1,
  durationMs: number,
  firstByteMs: number | null,
  promptTokens: number,
  completionTokens: number,
  quota: number,
  content: string,
  /** Left out by older versions; null, or left out, where it is not known. */
  cost?: number | null,
  use?: [shape: string, shortfall: number, ...values: number[]] | null,
  replaced?: [modelName: string, channelId: number][] | null,
  failure?: [code: string, status: number, firstAt: number, count: number, isRepeat: 0 | 1] | null,
  answer?: [cacheReadTokens: number | null, cacheWriteTokens: number | null, isOtherModel?: 0 | 1],
];
type AccountTuple = [createdAt: number, userId: number, username: string, type: number, content: string];

const encodeReplaced = (faults: readonly ModelFault[]): string =>
  `,[${faults.map(({ modelName, channelId }) => `[${quote(modelName)},${numeral(channelId)}]`).join(",")}]`;

const encodeUse = ({ shape, shortfall, values }: EntryUse): string => {
  let text = `,[${quote(shape)},${numeral(shortfall)}`;
  for (const value of values) text += `,${numeral(value)}`;
  return `${text}]`;
};

const decodeUse = (use: NonNullable<RequestTuple[18]>): EntryUse => ({
  shape: use[0],
  shortfall: use[1],
  values: use.slice(2) as number[],
});

const encodeFailure = ({ code, status, firstAt, count, isRepeat }: EntryFailure): string =>
  `,[${quote(code)},${numeral(status)},${numeral(firstAt)},${numeral(count)},${isRepeat ? 1 : 0}]`;

const decodeFailure = (failure: NonNullable<RequestTuple[20]>): EntryFailure => ({
  code: failure[0],
  status: failure[1],
  firstAt: failure[2],
  count: failure[3],
  isRepeat: failure[4] === 1,
});

/** Facts about the answer that its upstream reported; "" for none. */
const encodeAnswer = ({ cacheReadTokens, cacheWriteTokens, isOtherModel }: RequestEntry): string => {
  if (cacheReadTokens === undefined && cacheWriteTokens === undefined && isOtherModel === undefined)
    return "";
  const other = isOtherModel === undefined ? "" : isOtherModel ? ",1" : ",0";
  return `,[${numeral(cacheReadTokens)},${numeral(cacheWriteTokens)}${other}]`;
};

/** A RequestTuple, and the receipt below it. */
const encodeRequest = (entry: RequestEntry): string => {
  const payer = `${numeral(entry.userId)},${quote(entry.username)},${numeral(entry.tokenId)},${quote(entry.tokenName)}`;
  const model = `${numeral(entry.channelId)},${quote(entry.modelName)}`;
  const kind = `${COUNTS.indexOf(entry.count)},${entry.isLogged ? 1 : 0},${entry.isStream ? 1 : 0}`;
  const times = `${numeral(entry.durationMs)},${numeral(entry.firstByteMs)}`;
  const counts = `${numeral(entry.promptTokens)},${numeral(entry.completionTokens)},${numeral(entry.quota)}`;
  const answer = encodeAnswer(entry);
  const failure = entry.failure ? encodeFailure(entry.failure) : answer === "" ? "" : ",null";
  const replaced = entry.replaced ? encodeReplaced(entry.replaced) : failure === "" ? "" : ",null";
  const use = entry.use ? encodeUse(entry.use) : replaced === "" ? "" : ",null";
  const cost = entry.cost === undefined && use === "" ? "" : `,${numeral(entry.cost)}`;
  return `["${entry.requestId}",${numeral(entry.createdAt)},${payer},${model},${kind},${times},${counts},${quote(entry.content)}${cost}${use}${replaced}${failure}${answer}]\n${entry.receipt}\n`;
};

/** Requests as the text of one outbox row. */
export const encodeRequests = (entries: readonly RequestEntry[]): string => {
  let text = "";
  for (const entry of entries) text += encodeRequest(entry);
  return text;
};

/** Account lines as the text of one outbox row. */
export const encodeAccountEntries = (entries: readonly AccountEntry[]): string => {
  let text = "";
  for (const entry of entries) {
    const tuple: AccountTuple = [entry.createdAt, entry.userId, entry.username, entry.type, entry.content];
    text += `${JSON.stringify(tuple)}\n\n`;
  }
  return text;
};

const isRequest = (tuple: RequestTuple | AccountTuple): tuple is RequestTuple => typeof tuple[0] === "string";

/** Reads the text of an outbox row, which only this product writes. */
export const decodeEntries = (
  text: string,
  onRequest: (entry: RequestEntry) => void,
  onAccount: (entry: AccountEntry) => void,
): void => {
  const lines = text.split("\n");
  for (let i = 0; i + 1 < lines.length; i += 2) {
    const tuple = JSON.parse(lines[i] as string) as RequestTuple | AccountTuple;
    if (!isRequest(tuple)) {
      onAccount({
        createdAt: tuple[0],
        userId: tuple[1],
        username: tuple[2],
        type: tuple[3],
        content: tuple[4],
      });
      continue;
    }
    onRequest({
      requestId: tuple[0],
      createdAt: tuple[1],
      userId: tuple[2],
      username: tuple[3],
      tokenId: tuple[4],
      tokenName: tuple[5],
      channelId: tuple[6],
      modelName: tuple[7],
      count: COUNTS[tuple[8]] ?? "error",
      isLogged: tuple[9] === 1,
      isStream: tuple[10] === 1,
      durationMs: tuple[11],
      firstByteMs: tuple[12] ?? undefined,
      promptTokens: tuple[13],
      completionTokens: tuple[14],
      quota: tuple[15],
      content: tuple[16],
      cost: tuple[17] ?? undefined,
      receipt: lines[i + 1] as string,
      use: tuple[18] ? decodeUse(tuple[18]) : undefined,
      replaced: tuple[19]?.map(([modelName, channelId]) => ({ modelName, channelId })),
      failure: tuple[20] ? decodeFailure(tuple[20]) : undefined,
      cacheReadTokens: tuple[21]?.[0] ?? undefined,
      cacheWriteTokens: tuple[21]?.[1] ?? undefined,
      isOtherModel: tuple[21]?.[2] === undefined ? undefined : tuple[21][2] === 1,
    });
  }
};
