import { createReadStream } from "node:fs";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { encodeReceiptDetail } from "@tollgate/storage/log/receipt-detail";
import { repeatLog } from "@tollgate/storage/log/repeat-log";
import { type Charge, encodeCharges } from "@tollgate/storage/repositories/charges.repository";
import { openLogWriter, openReader, openWriter } from "@tollgate/storage/storage";
import { z } from "zod/mini";
import { loadMasterKey } from "./master-key";

/*
 * Writes past usage into a data folder, as if it had been relayed: `node seed.js <data folder> <file>`, or `-` for
 * standard input. The product must not be running. Each line is the JSON of one charge, the oldest first, by names; users,
 * keys and channels must exist. `--repeat <copies> <days>` then repeats its first days so often, each time so many days
 * later.
 */

const chargeSchema = z.object({
  createdAt: z.int(),
  username: z.string(),
  tokenName: z.string(),
  channelName: z.string(),
  modelName: z.string(),
  quota: z.int().check(z.nonnegative()),
  promptTokens: z.int().check(z.nonnegative()),
  completionTokens: z.int().check(z.nonnegative()),
  content: z.string(),
  /** Milliseconds; of the first byte for streams only. */
  durationMs: z.int().check(z.nonnegative()),
  firstByteMs: z.optional(z.int().check(z.nonnegative())),
});
type PastCharge = z.infer<typeof chargeSchema>;

const BATCH = 1000;
/** Batches that are taken over into the log file together. */
const GROUP = 20;

const [dataDir, file, option, copies, days] = process.argv.slice(2);
if (dataDir === undefined || file === undefined) throw new Error("usage: node seed.js <data folder> <file>");

const masterKey = loadMasterKey(dataDir, process.env.MASTER_KEY);
const path = join(dataDir, "tollgate.db");
const writer = openWriter(path, masterKey);
const log = openLogWriter(path);
const reader = openReader(path, masterKey);

const users = new Map((await reader.repositories.users.all()).map(({ user }) => [user.username, user.id]));
const tokens = new Map(
  (await reader.repositories.tokens.all()).map((token) => [`${token.userId}\n${token.name}`, token]),
);
const channels = new Map(
  (await reader.repositories.channels.all()).map(({ channel }) => [channel.name, channel.id]),
);

const receiptOf = (past: PastCharge, channelId: number): string =>
  encodeReceiptDetail({
    requestedModel: past.modelName,
    upstreamModel: past.modelName,
    end: "complete",
    isStream: past.firstByteMs !== undefined,
    durationMs: past.durationMs,
    firstByteMs: past.firstByteMs,
    promptTokens: past.promptTokens,
    completionTokens: past.completionTokens,
    cacheReadTokens: undefined,
    cacheWriteTokens: undefined,
    reasoningTokens: undefined,
    promptSource: "upstream",
    completionSource: "upstream",
    quota: past.quota,
    shortfall: 0,
    priceVersion: 1,
    formula: "",
    attempts: [
      {
        channelId,
        outcome: "ok",
        status: 200,
        startedMs: 0,
        firstByteMs: past.firstByteMs ?? past.durationMs,
        durationMs: past.durationMs,
      },
    ],
  });

const chargeOf = (past: PastCharge, index: number): Charge => {
  const userId = users.get(past.username);
  const token = tokens.get(`${userId}\n${past.tokenName}`);
  const channelId = channels.get(past.channelName);
  if (userId === undefined || token === undefined || channelId === undefined) {
    throw new Error(
      `line ${index}: ${past.username}, ${past.tokenName} or ${past.channelName} does not exist`,
    );
  }
  return {
    requestId: `seed-${String(index).padStart(9, "0")}`,
    userId,
    tokenId: token.id,
    channelId,
    quota: past.quota,
    isTokenUnlimited: token.unlimitedQuota,
    createdAt: past.createdAt,
    username: past.username,
    tokenName: past.tokenName,
    modelName: past.modelName,
    promptTokens: past.promptTokens,
    completionTokens: past.completionTokens,
    content: past.content,
    count: "answered",
    isLogged: true,
    isStream: past.firstByteMs !== undefined,
    durationMs: past.durationMs,
    firstByteMs: past.firstByteMs,
    receipt: receiptOf(past, channelId),
  };
};

let batch: Charge[] = [];
let waiting = 0;
const takeOver = (): void => {
  writer.repositories.outbox.trim(log.repositories.log.ingest());
  waiting = 0;
};
const writeBatch = (): void => {
  writer.repositories.charges.commit(encodeCharges(batch));
  batch = [];
  waiting += 1;
  if (waiting === GROUP) takeOver();
};
const input = file === "-" ? process.stdin : createReadStream(file);
let index = 0;
for await (const line of createInterface({ input })) {
  index += 1;
  batch.push(chargeOf(chargeSchema.parse(JSON.parse(line)), index));
  if (batch.length === BATCH) writeBatch();
}
if (batch.length > 0) writeBatch();
takeOver();
reader.close();
log.close();
if (option === "--repeat") repeatLog(path, Number(copies), Number(days));
writer.close();
