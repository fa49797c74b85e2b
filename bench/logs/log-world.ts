/** How the table is filled: who used what how often. */

const DAY_SECONDS = 86_400;
export const DAYS = 90;
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

/** A small deterministic generator. */
const generator = (seed: number) => () => {
  seed = (seed * 1_103_515_245 + 12_345) % 2_147_483_648;
  return seed / 2_147_483_648;
};

/** A few take most of it: the k-th of n about 1/k as often as the first. */
const pickUneven = (n: number, random: number): number => Math.min(n - 1, Math.floor((n + 1) ** random) - 1);

/**
 * Lines for the seed program, the oldest first, spread over 90 days up to now with quiet nights.
 * @param now unix seconds.
 */
export function* createUsage(rows: number, now: number): Generator<string> {
  const random = generator(11);
  const start = now - DAYS * DAY_SECONDS;
  const rareRows = new Set([Math.floor(rows * 0.2), Math.floor(rows * 0.21), Math.floor(rows * 0.6)]);
  for (let i = 0; i < rows; i += 1) {
    const linear = start + (i / rows) * DAYS * DAY_SECONDS;
    // Within a day, time runs faster at night: fewer lines fall there.
    const ofDay = (linear % DAY_SECONDS) / DAY_SECONDS;
    const createdAt = Math.floor(
      linear - (linear % DAY_SECONDS) + (ofDay + Math.sin(ofDay * 2 * Math.PI) * 0.12) * DAY_SECONDS,
    );
    const user = pickUneven(USERS, random());
    const model = pickUneven(MODELS, random());
    const promptTokens = 20 + Math.floor(random() * 4000);
    const completionTokens = 5 + Math.floor(random() * 900);
    const isStream = random() < 0.7;
    const firstByteMs = 200 + Math.floor(random() * 900);
    yield JSON.stringify({
      createdAt,
      username: userName(user),
      tokenName: TOKEN_NAMES[pickUneven(TOKENS_OF_USER, random())],
      channelName: channelName(pickUneven(CHANNELS, random())),
      modelName: rareRows.has(i) ? RARE_MODEL : modelName(model),
      quota: promptTokens + completionTokens * 2,
      promptTokens,
      completionTokens,
      content: `模型倍率 ${(1 + (model % 7)).toFixed(2)}，分组倍率 1.00`,
      durationMs: firstByteMs + completionTokens * 15,
      ...(isStream ? { firstByteMs } : {}),
    });
  }
}
