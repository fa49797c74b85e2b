/*
 * Two months of usage in the demo's world, with the rhythm of days and weeks. Made by a small deterministic generator, so
 * that every demo looks the same up to the date.
 */

import type { LogPhrase } from "@tollgate/contract/values/log-phrase";
import {
  DAY_SECONDS,
  DEMO_CHANNELS,
  DEMO_DAYS,
  DEMO_GROUPS,
  DEMO_MODELS,
  DEMO_USERS,
  type DemoModel,
} from "./world";

/** One past request. */
export interface DemoCharge {
  /** Unix seconds. */
  createdAt: number;
  username: string;
  tokenName: string;
  channelName: string;
  modelName: string;
  /** The group whose price was charged, and the version of the prices. */
  group: string;
  priceVersion: number;
  quota: number;
  promptTokens: number;
  completionTokens: number;
  cacheReadTokens?: number;
  content: readonly LogPhrase[];
  end: "complete" | "failed";
  isStream: boolean;
  durationMs: number;
  firstByteMs?: number;
  formula: string;
  attempts: DemoAttempt[];
}

/** One try at one channel. */
export interface DemoAttempt {
  channelName: string;
  outcome: string;
  status: number;
  startedMs: number;
  firstByteMs?: number;
  durationMs: number;
}

const REQUESTS_PER_DAY = 260;

/** Share of the requests whose prompt is partly in a cache. */
const CACHED_SHARE = 0.45;

/** Numbers between 0 and 1, the same for the same seed. */
const generator = (seed: number) => () => {
  seed = (seed * 1_664_525 + 1_013_904_223) % 4_294_967_296;
  return seed / 4_294_967_296;
};

const pick = <T>(items: readonly T[], weightOf: (item: T) => number, random: number): T => {
  let rest = random * items.reduce((sum, item) => sum + weightOf(item), 0);
  for (const item of items) {
    rest -= weightOf(item);
    if (rest < 0) return item;
  }
  return items[items.length - 1] as T;
};

/** Busy at work hours, quiet at night, half as busy at the weekend, a little more each week. */
const loadAt = (secondOfDay: number, weekday: number): number => {
  const hour = secondOfDay / 3600;
  const work = Math.exp(-((hour - 10.5) ** 2) / 6) + 0.9 * Math.exp(-((hour - 15.5) ** 2) / 8);
  const evening = 0.35 * Math.exp(-((hour - 21) ** 2) / 5);
  return (0.06 + work + evening) * (weekday === 0 || weekday === 6 ? 0.45 : 1);
};

const channelFor = (model: string, random: number): string => {
  const offering = DEMO_CHANNELS.filter((channel) => !channel.isDisabled && channel.models.includes(model));
  return pick(offering, (channel) => Math.max(1, channel.weight), random).name;
};

/** Share of requests whose first channel refuses them, and of those without another channel. */
const RETRIED_SHARE = 0.05;
const FAILED_SHARE = 0.004;
const STREAM_SHARE = 0.65;

/** Outcomes of refusing channels. */
const REFUSALS = [
  { outcome: "rate-limited", status: 429 },
  { outcome: "overloaded", status: 503 },
  { outcome: "network", status: 0 },
] as const;

/** A request's price, and the arithmetic in one line. */
const priceOf = (
  model: DemoModel,
  groupRatio: number,
  promptTokens: number,
  cachedTokens: number,
  completionTokens: number,
) => {
  // Ratios of models have up to three decimals, those of groups two: whole numbers lose no precision.
  const [thousandths, hundredths] = [Math.round(Number(model.ratio) * 1000), Math.round(groupRatio * 100)];
  const input = promptTokens - cachedTokens;
  // All models of this world sell a cached token for a tenth of an input token.
  const tenths = input * 10 + cachedTokens + completionTokens * Number(model.completionRatio) * 10;
  const quota = Math.ceil((tenths * thousandths * hundredths) / 1_000_000);
  const cached = cachedTokens === 0 ? "" : ` + ${cachedTokens} × 0.1`;
  const counts = `${input} × 1${cached} + ${completionTokens} × ${Number(model.completionRatio)}`;
  return { quota, formula: `ceil((${counts}) × ${Number(model.ratio)} × ${groupRatio}) = ${quota}` };
};

/** The tries of a request, and how long it took with them. */
const attemptsOf = (model: DemoModel, completionTokens: number, isStream: boolean, random: () => number) => {
  const fate = random();
  const isFailed = fate < FAILED_SHARE;
  const attempts: DemoAttempt[] = [];
  let startedMs = 1;
  if (fate < RETRIED_SHARE) {
    const refusal = REFUSALS[Math.floor(random() * REFUSALS.length)] ?? REFUSALS[0];
    const durationMs = Math.round(90 + random() * 700);
    attempts.push({ channelName: channelFor(model.name, random()), ...refusal, startedMs, durationMs });
    startedMs += durationMs + 2;
  }
  if (!isFailed) {
    const waitMs = Math.round(model.waitMs * (0.6 + random() * 0.9));
    attempts.push({
      channelName: channelFor(model.name, random()),
      outcome: "ok",
      status: 200,
      startedMs,
      ...(isStream ? { firstByteMs: waitMs } : {}),
      durationMs: waitMs + Math.round(completionTokens * model.tokenMs * (0.8 + random() * 0.4)),
    });
  }
  const last = attempts[attempts.length - 1];
  return {
    attempts,
    isFailed,
    durationMs: (last?.startedMs ?? 0) + (last?.durationMs ?? 0),
    firstByteMs: last?.firstByteMs === undefined ? undefined : last.startedMs + last.firstByteMs,
  };
};

const ratioOfGroup = (group: string): number =>
  Object.entries(DEMO_GROUPS).find(([name]) => name === group)?.[1] ?? 1;

/**
 * Two months of usage up to now, the oldest first.
 * @param now unix seconds.
 * @param priceVersion of the prices that it was charged at.
 */
export const createDemoUsage = (now: number, priceVersion = 1): DemoCharge[] => {
  const random = generator(20_231_211);
  const charges: DemoCharge[] = [];
  const spread = (mean: number): number =>
    Math.max(8, Math.round(mean * Math.exp((random() + random() - 1) * 1.1)));
  for (let day = DEMO_DAYS; day >= 0; day -= 1) {
    for (let attempt = 0; attempt < REQUESTS_PER_DAY * 2; attempt += 1) {
      const createdAt = now - day * DAY_SECONDS - Math.floor(random() * DAY_SECONDS);
      const date = new Date(createdAt * 1000);
      const secondOfDay = date.getHours() * 3600 + date.getMinutes() * 60;
      const trend = 0.75 + ((DEMO_DAYS - day) / DEMO_DAYS) * 0.4;
      if (random() * 1.6 > loadAt(secondOfDay, date.getDay()) * trend) continue;
      const user = pick(DEMO_USERS, (each) => each.activity, random());
      const model = pick(DEMO_MODELS, (each) => each.share, random());
      const groupRatio = ratioOfGroup(user.group);
      const promptTokens = spread(model.promptTokens);
      const completionTokens = spread(model.completionTokens);
      const isStream = random() < STREAM_SHARE;
      const { attempts, isFailed, ...times } = attemptsOf(model, completionTokens, isStream, random);
      const cacheReadTokens = random() < CACHED_SHARE ? Math.floor(promptTokens * (0.4 + random() / 2)) : 0;
      const used = isFailed
        ? { quota: 0, formula: "", promptTokens: 0, completionTokens: 0 }
        : {
            ...priceOf(model, groupRatio, promptTokens, cacheReadTokens, completionTokens),
            ...{ promptTokens, cacheReadTokens, completionTokens },
          };
      charges.push({
        createdAt,
        username: user.username,
        tokenName: pick(user.tokens, () => 1, random()),
        channelName: attempts[attempts.length - 1]?.channelName ?? "",
        modelName: model.name,
        group: user.group,
        priceVersion,
        content: isFailed
          ? []
          : [
              { code: "ratios", model: model.ratio, group: groupRatio.toFixed(2) },
              ...(cacheReadTokens === 0
                ? []
                : [{ code: "cache-read", count: cacheReadTokens, weight: "0.10" } as const]),
            ],
        end: isFailed ? "failed" : "complete",
        isStream,
        attempts,
        ...times,
        ...used,
      });
    }
  }
  return charges.sort((a, b) => a.createdAt - b.createdAt);
};
