import { createRandom } from "@tollgate/testkit/random";

/** Users and usage in the table. */

export const DAY_SECONDS = 86_400;
/** The table is one span, made line by line, and its repetitions. */
export const SPAN_DAYS = 9;
export const USERS = 300;
export const TOKENS_OF_USER = 3;
export const MODELS = 24;
export const CHANNELS = 12;

/** Users of the log: records made through the API, each copied in storage (storage/seed/repeat-accounts.ts). */
export interface LogWorld {
  users: number;
  userCopies: number;
  channels: number;
  channelCopies: number;
  /** Codes made through the API, and their copies; likewise of the audit. */
  codes: number;
  codeCopies: number;
  auditCopies: number;
  orders: number;
}

export const WORLD_OF_LOGS: LogWorld = {
  ...{ users: USERS, userCopies: 0, channels: CHANNELS, channelCopies: 0 },
  ...{ codes: 0, codeCopies: 0, auditCopies: 0, orders: 0 },
};

/** 10,000 channels, 50,000 users with 150,000 keys, 20,000 codes and orders. */
export const WORLD_OF_LISTS: LogWorld = {
  ...{ users: 100, userCopies: 499, channels: 10, channelCopies: 999 },
  ...{ codes: 100, codeCopies: 199, auditCopies: 249, orders: 20_000 },
};

const nameOf = (kind: string, index: number, originals: number): string => {
  const name = `${kind}-${index % originals}`;
  return index < originals ? name : `${name}-${Math.floor(index / originals)}`;
};

/** The name of a user, the originals before their copies. */
export const userName = (index: number, { users }: LogWorld = WORLD_OF_LOGS): string =>
  nameOf("person", index, users);
/** Names that many users have in common, as it is. */
export const TOKEN_NAMES = ["default", "laptop", "server"] as const;
export const modelName = (index: number): string => `model-${index}`;
/** Used three times in all. */
export const RARE_MODEL = "model-rare";
export const channelName = (index: number, { channels }: LogWorld = WORLD_OF_LOGS): string =>
  nameOf("channel", index, channels);

/** A few take most of it: the k-th of n about 1/k as often as the first. */
const pickUneven = (n: number, random: number): number => Math.min(n - 1, Math.floor((n + 1) ** random) - 1);

/** One past charge, as the seed program takes it. */
const createCharge = (
  world: LogWorld,
  random: () => number,
  createdAt: number,
  name: string | undefined,
): string => {
  const user = pickUneven(world.users * (1 + world.userCopies), random());
  const model = pickUneven(MODELS, random());
  const promptTokens = 20 + Math.floor(random() * 4000);
  const completionTokens = 5 + Math.floor(random() * 900);
  const isStream = random() < 0.7;
  const firstByteMs = 200 + Math.floor(random() * 900);
  return JSON.stringify({
    createdAt,
    username: userName(user, world),
    tokenName: TOKEN_NAMES[pickUneven(TOKENS_OF_USER, random())],
    channelName: channelName(pickUneven(world.channels * (1 + world.channelCopies), random()), world),
    modelName: name ?? modelName(model),
    group: "default",
    quota: promptTokens + completionTokens * 2,
    promptTokens,
    completionTokens,
    content: [{ code: "ratios", model: (1 + (model % 7)).toFixed(2), group: "1.00" }],
    durationMs: firstByteMs + completionTokens * 15,
    ...(isStream ? { firstByteMs } : {}),
  });
};

/**
 * The first span of the table, the oldest first, with quiet nights.
 * @param start unix seconds; a midnight.
 */
export function* createUsage(world: LogWorld, rows: number, start: number): Generator<string> {
  const random = createRandom(11);
  for (let i = 0; i < rows; i += 1) {
    const linear = start + (i / rows) * SPAN_DAYS * DAY_SECONDS;
    // Within a day, time runs faster at night: fewer lines fall there.
    const ofDay = (linear % DAY_SECONDS) / DAY_SECONDS;
    const createdAt = Math.floor(
      linear - (linear % DAY_SECONDS) + (ofDay + Math.sin(ofDay * 2 * Math.PI) * 0.12) * DAY_SECONDS,
    );
    yield createCharge(world, random, createdAt, undefined);
  }
}

/** Three lines of a model without other usage in the table. */
export function* createRareUsage(world: LogWorld, start: number): Generator<string> {
  const random = createRandom(12);
  for (const day of [18, 19, 54]) yield createCharge(world, random, start + day * DAY_SECONDS, RARE_MODEL);
}
