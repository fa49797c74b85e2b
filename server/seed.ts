import { readFileSync } from "node:fs";
import { join } from "node:path";
import { type Charge, encodeCharges } from "@tollgate/storage/repositories/charges.repository";
import { openLogWriter, openReader, openWriter } from "@tollgate/storage/storage";
import { z } from "zod/mini";
import { loadMasterKey } from "./master-key";

/*
 * Writes past usage into a data folder, as if it had been relayed: `node seed.js <data folder> <file>`. The product must
 * not be running. The file is a JSON list of charges by name; users, keys and channels must exist.
 */

const chargesSchema = z.array(
  z.object({
    createdAt: z.int(),
    username: z.string(),
    tokenName: z.string(),
    channelName: z.string(),
    modelName: z.string(),
    quota: z.int().check(z.nonnegative()),
    promptTokens: z.int().check(z.nonnegative()),
    completionTokens: z.int().check(z.nonnegative()),
    content: z.string(),
  }),
);

const BATCH = 1000;

const [dataDir, file] = process.argv.slice(2);
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

const charges = chargesSchema.parse(JSON.parse(readFileSync(file, "utf8"))).map((past, index): Charge => {
  const userId = users.get(past.username);
  const token = tokens.get(`${userId}\n${past.tokenName}`);
  const channelId = channels.get(past.channelName);
  if (userId === undefined || token === undefined || channelId === undefined) {
    throw new Error(
      `charge ${index}: ${past.username}, ${past.tokenName} or ${past.channelName} does not exist`,
    );
  }
  return {
    requestId: `seed-${index}`,
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
    isStream: false,
    durationMs: 0,
    firstByteMs: undefined,
    receipt: "",
  };
});
for (let from = 0; from < charges.length; from += BATCH) {
  writer.repositories.charges.commit(encodeCharges(charges.slice(from, from + BATCH)));
}
// All of it: a bounded part each time.
for (let last = -1; ; ) {
  const applied = log.repositories.log.ingest();
  if (applied === last) break;
  last = applied;
}
reader.close();
log.close();
writer.close();
