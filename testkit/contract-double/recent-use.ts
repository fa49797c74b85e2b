import { failureLike, type RequestRecord, recordOf } from "./request-records";
import type { StoredLog } from "./stored-rows";
import type { World } from "./world";

const DAY_SECONDS = 86_400;

/** Models in use, with their relative frequency. */
const MODELS: readonly [name: string, share: number, quota: number][] = [
  ["gpt-4o", 30, 5200],
  ["gpt-3.5-turbo", 24, 640],
  ["claude-2.1", 16, 7400],
  ["gpt-4", 9, 21_000],
  ["qwen-plus", 8, 900],
  ["claude-instant-1", 6, 800],
  ["text-embedding-ada-002", 5, 60],
  ["hunyuan", 2, 1500],
];
const USERS = ["root", "admin", "alice", "user5", "user6", "user7"];
const TOKENS = ["网站后端", "translation-service", "本地开发", "数据标注批处理"];

/** Numbers between 0 and 1, the same for the same seed. */
const generator = (seed: number) => () => {
  seed = (seed * 1_664_525 + 1_013_904_223) % 4_294_967_296;
  return seed / 4_294_967_296;
};

const pickModel = (random: number): (typeof MODELS)[number] => {
  let rest = random * MODELS.reduce((sum, [, share]) => sum + share, 0);
  for (const model of MODELS) {
    rest -= model[1];
    if (rest < 0) return model;
  }
  return MODELS[0] as (typeof MODELS)[number];
};

const busyAt = (seconds: number): number => {
  const hour = ((seconds / 3600) % 24) + 8;
  return 0.15 + Math.max(0, Math.sin(((hour - 7) / 24) * 2 * Math.PI)) * 0.85;
};

/** Moments of the last days, the oldest first: many by day, few by night. */
const moments = (now: number, count: number, days: number, random: () => number): number[] => {
  const found: number[] = [];
  while (found.length < count) {
    const at = now - Math.floor(random() * days * DAY_SECONDS);
    if (random() < busyAt(at)) found.push(at);
  }
  return found.sort((a, b) => a - b);
};

/**
 * Adds usage by the double's users over the last days, so that pictures show something.
 * @param now unix seconds
 */
export const addRecentUse = (world: World, now: number, count: number, days: number): RequestRecord[] => {
  const random = generator(count * 31 + days);
  return moments(now, count, days, random).map((createdAt, index) => {
    const [model, , quota] = pickModel(random());
    const username = USERS[Math.floor(random() ** 2 * USERS.length)] ?? "root";
    const owner = world.users.find((user) => user.username === username);
    const token = TOKENS[Math.floor(random() ** 1.6 * TOKENS.length)] ?? "本地开发";
    const size = 0.3 + random() * 1.6;
    const log: StoredLog = {
      id: 10_000 + index,
      request_id: `recent-${index}`,
      user_id: owner?.id ?? 1,
      created_at: createdAt,
      type: 2,
      content: "模型倍率 0.75，分组倍率 1.00",
      username,
      token_name: token,
      model_name: model,
      quota: Math.ceil(quota * size),
      prompt_tokens: Math.ceil(900 * size),
      completion_tokens: Math.ceil(260 * size),
      channel: 1 + Math.floor(random() ** 2 * 8),
    };
    const record = recordOf(log, index, 1 + TOKENS.indexOf(token));
    world.requests.push(record);
    world.logs.push(log);
    if (random() < 0.025) world.requests.push(failureLike(record, `failed-${index}`));
    return record;
  });
};
