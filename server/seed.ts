import { createReadStream } from "node:fs";
import { createInterface } from "node:readline";
import { NO_USAGE } from "@tollgate/contract/relay/usage";
import { logPhrasesSchema } from "@tollgate/contract/values/log-phrase";
import { toUnixSeconds } from "@tollgate/contract/values/time";
import { type Cost, costAnswer } from "@tollgate/metering/cost";
import type { PriceBook } from "@tollgate/metering/price";
import type { Charge } from "@tollgate/storage/accounts/charges";
import { encodeReceiptDetail } from "@tollgate/storage/log/receipt-detail";
import { encodePhrases } from "@tollgate/storage/outbox/log-content";
import { openPastUsage } from "@tollgate/storage/seed/open-past-usage";
import { z } from "zod/mini";
import { loadMasterKey } from "./master-key";
import { createBuyingPricing } from "./state/buying-pricing";
import { findListPrice } from "./state/list-prices";

/*
 * Writes past usage into a data folder, or into the database that DATABASE_URL names, as if it had been relayed:
 * `node seed.js <data folder> <file>`, or `-` for standard input. The product must not be running. Each line is the JSON of one charge, the oldest first, by names; users,
 * keys and channels must exist. `--repeat <copies> <days>` then repeats its first days so often, each time so many days
 * later. `--accounts <JSON>` takes no lines: it copies users, keys, channels, codes and more (storage/seed/repeat-accounts.ts).
 */

const attemptSchema = z.object({
  channelName: z.string(),
  outcome: z.string(),
  status: z.int(),
  startedMs: z.int(),
  firstByteMs: z.optional(z.int()),
  durationMs: z.int(),
});

/** Number of copies of rows. */
const copiesSchema = z.object({
  users: z.int(),
  channels: z.int(),
  redemptions: z.int(),
  audit: z.int(),
  orders: z.int(),
});

const chargeSchema = z.object({
  createdAt: z.int(),
  username: z.string(),
  tokenName: z.string(),
  channelName: z.string(),
  modelName: z.string(),
  quota: z.int().check(z.nonnegative()),
  promptTokens: z.int().check(z.nonnegative()),
  completionTokens: z.int().check(z.nonnegative()),
  /** The part of the prompt that the upstream had in its cache; omitted where it did not tell. */
  cacheReadTokens: z.optional(z.int().check(z.nonnegative())),
  /** Phrases, or a plain text. */
  content: z.union([z.string(), logPhrasesSchema]),
  /** Milliseconds; of the first byte for streams only. */
  durationMs: z.int().check(z.nonnegative()),
  firstByteMs: z.optional(z.int().check(z.nonnegative())),
  /** Requests that failed cost nothing and have no line in the log. */
  end: z._default(z.enum(["complete", "failed"]), "complete"),
  formula: z._default(z.string(), ""),
  /** Group whose price was charged; omitted where the tokens cannot be priced again. */
  group: z.optional(z.string()),
  /** The version of the prices that it was charged at; the first where they were never changed. */
  priceVersion: z._default(z.int(), 1),
  /** Omitted for a request that succeeded on the first attempt. */
  attempts: z.optional(z.array(attemptSchema)),
});
type PastCharge = z.infer<typeof chargeSchema>;

const BATCH = 1000;
/** Batches imported into the log file together. */
const GROUP = 20;

const [dataDir, file, option, copies, days] = process.argv.slice(2);
if (dataDir === undefined || file === undefined) throw new Error("usage: node seed.js <data folder> <file>");

const masterKey = loadMasterKey(dataDir, process.env.MASTER_KEY);
const { DATABASE_URL: address } = process.env;
const usage = await openPastUsage(dataDir, address === "" ? undefined : address, masterKey);

if (option === "--accounts") await usage.repeatAccounts(copiesSchema.parse(JSON.parse(copies ?? "{}")));

const everything = Number.MAX_SAFE_INTEGER;
const { queries } = usage;
const users = new Map((await queries.users.after(0, everything)).map(({ user }) => [user.username, user.id]));
const tokens = new Map(
  (await queries.tokens.after(0, everything)).map((token) => [`${token.userId}\n${token.name}`, token]),
);
const stored = await queries.channels.after(0, everything);
const channels = new Map(stored.map(({ channel }) => [channel.name, channel.id]));
const buyingPrices = new Map(stored.map((record) => [record.channel.id, record.buyingPrices]));

const findChannel = (name: string): number => {
  const id = channels.get(name);
  if (id === undefined) throw new Error(`the channel ${name} does not exist`);
  return id;
};

/** Sources of buying prices: only the vendors' lists, without settings of a site. */
const LISTS: PriceBook = { modelRatios: new Map(), groupRatios: new Map(), findListPrice };

/** Unix milliseconds of the charge that is looked at. */
let atMs = 0;
const buying = createBuyingPricing(
  () => LISTS,
  (id) => buyingPrices.get(id),
  () => atMs,
);

/** The upstream's charge by the channel's buying prices; undefined if unknown. */
const costOf = (past: PastCharge): Cost | undefined => {
  if (past.end === "failed") return undefined;
  atMs = past.createdAt * 1000;
  const price = buying.buys(findChannel(past.channelName), past.modelName);
  const usage = { ...NO_USAGE, cacheReadTokens: past.cacheReadTokens };
  return price && costAnswer(price, { ...past, usage });
};

/** The only attempt of a request that succeeded on the first attempt. */
const onlyAttempt = ({ channelName, durationMs, firstByteMs = durationMs }: PastCharge) => ({
  channelName,
  outcome: "ok",
  status: 200,
  startedMs: 0,
  firstByteMs,
  durationMs,
});

const receiptOf = (past: PastCharge, cost: Cost | undefined): string => {
  const source = past.end === "failed" ? "none" : "upstream";
  const attempts = past.attempts ?? [onlyAttempt(past)];
  return encodeReceiptDetail({
    requestedModel: past.modelName,
    upstreamModel: past.modelName,
    end: past.end,
    isStream: past.firstByteMs !== undefined,
    durationMs: past.durationMs,
    firstByteMs: past.firstByteMs,
    promptTokens: past.promptTokens,
    completionTokens: past.completionTokens,
    cacheReadTokens: past.cacheReadTokens,
    cacheWriteTokens: undefined,
    cacheWrite1hTokens: undefined,
    audioInputTokens: undefined,
    audioOutputTokens: undefined,
    reasoningTokens: undefined,
    promptSource: source,
    completionSource: source,
    quota: past.quota,
    shortfall: 0,
    keyShortfall: 0,
    priceVersion: past.end === "failed" ? 0 : past.priceVersion,
    formula: past.formula,
    cost,
    told: past.end === "failed" ? { code: "upstream-failed" } : undefined,
    attempts: attempts.map(({ channelName, firstByteMs, ...attempt }) => ({
      ...attempt,
      firstByteMs,
      channelId: findChannel(channelName),
    })),
  });
};

const chargeOf = (past: PastCharge, index: number): Charge => {
  const userId = users.get(past.username);
  const token = tokens.get(`${userId}\n${past.tokenName}`);
  if (userId === undefined || token === undefined) {
    throw new Error(`line ${index}: ${past.username} or ${past.tokenName} does not exist`);
  }
  const cost = costOf(past);
  return {
    requestId: `seed-${String(index).padStart(9, "0")}`,
    userId,
    tokenId: token.id,
    channelId: findChannel(past.channelName),
    quota: past.quota,
    tokenQuota: token.unlimitedQuota ? 0 : past.quota,
    createdAt: past.createdAt,
    username: past.username,
    tokenName: past.tokenName,
    modelName: past.modelName,
    promptTokens: past.promptTokens,
    completionTokens: past.completionTokens,
    cacheReadTokens: past.cacheReadTokens,
    content: typeof past.content === "string" ? past.content : encodePhrases(past.content),
    count: past.end === "failed" ? "error" : "answered",
    isLogged: past.end !== "failed",
    isStream: past.firstByteMs !== undefined,
    durationMs: past.durationMs,
    firstByteMs: past.firstByteMs,
    receipt: receiptOf(past, cost),
    failure:
      past.end === "failed"
        ? {
            code: "upstream-failed",
            status: past.attempts?.at(-1)?.status ?? 0,
            firstAt: past.createdAt,
            count: 1,
            isRepeat: false,
          }
        : undefined,
    cost: cost?.cost,
    use:
      past.group === undefined || past.end === "failed"
        ? undefined
        : {
            shape: JSON.stringify([past.modelName, past.group]),
            shortfall: 0,
            values: [
              ...[past.promptTokens - (past.cacheReadTokens ?? 0), past.completionTokens],
              ...(past.cacheReadTokens ? [past.cacheReadTokens] : []),
            ],
          },
  };
};

let batch: Charge[] = [];
let waiting = 0;
const takeOver = async (): Promise<void> => {
  await usage.takeOver();
  waiting = 0;
};
const writeBatch = async (): Promise<void> => {
  await usage.commit(batch);
  batch = [];
  waiting += 1;
  if (waiting === GROUP) await takeOver();
};
const input = file === "-" ? process.stdin : createReadStream(file);
let index = 0;
for await (const line of createInterface({ input })) {
  index += 1;
  batch.push(chargeOf(chargeSchema.parse(JSON.parse(line)), index));
  if (batch.length === BATCH) await writeBatch();
}
if (batch.length > 0) await writeBatch();
await takeOver();
await usage.finish(
  option === "--repeat" ? { copies: Number(copies), days: Number(days) } : undefined,
  toUnixSeconds(Date.now()),
);
