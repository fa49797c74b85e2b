import { createRandom } from "@tollgate/testkit/random";

/** How the table is filled: who used what how often. */

export const DAY_SECONDS = 86_400;
/** The table is one span, made line by line, and its repetitions. */
export const SPAN_DAYS = 9;
export const USERS = 300;
export const TOKENS_OF_USER = 3;
export const MODELS = 24;
export const CHANNELS = 12;

export const userName = (index: number): string => `person-${index}`;
/** Names that many users have in common, as it is. */
export const TOKEN_NAMES = ["default", "laptop", "server"] as const;
export const modelName = (index: number): string => `model-${index}`;
/** Used three times in all. */
export const RARE_MODEL = "model-rare";
export const channelName = (index: number): string => `channel-${index}`;

/** A few take most of it: the k-th of n about 1/k as often as the first. */
const pickUneven = (n: number, random: number): number => Math.min(n - 1, Math.floor((n + 1) ** random) - 1);

/** One past charge, as the seed program takes it. */
const createCharge = (random: () => number, createdAt: number, name: string | undefined): string => {
  const user = pickUneven(USERS, random());
  const model = pickUneven(MODELS, random());
  const promptTokens = 20 + Math.floor(random() * 4000);
  const completionTokens = 5 + Math.floor(random() * 900);
  const isStream = random() < 0.7;
  const firstByteMs = 200 + Math.floor(random() * 900);
  return JSON.stringify({
    createdAt,
    username: userName(user),
    tokenName: TOKEN_NAMES[pickUneven(TOKENS_OF_USER, random())],
    channelName: channelName(pickUneven(CHANNELS, random())),
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
export function* createUsage(rows: number, start: number): Generator<string> {
  const random = createRandom(11);
  for (let i = 0; i < rows; i += 1) {
    const linear = start + (i / rows) * SPAN_DAYS * DAY_SECONDS;
    // Within a day, time runs faster at night: fewer lines fall there.
    const ofDay = (linear % DAY_SECONDS) / DAY_SECONDS;
    const createdAt = Math.floor(
      linear - (linear % DAY_SECONDS) + (ofDay + Math.sin(ofDay * 2 * Math.PI) * 0.12) * DAY_SECONDS,
    );
    yield createCharge(random, createdAt, undefined);
  }
}

/** Three lines of a model that nobody else uses, in all of the table. */
export function* createRareUsage(start: number): Generator<string> {
  const random = createRandom(12);
  for (const day of [18, 19, 54]) yield createCharge(random, start + day * DAY_SECONDS, RARE_MODEL);
}
