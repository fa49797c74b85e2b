/*
 * The world of the demo, as data: its users and models, and two months of usage with the rhythm of days and weeks. Made
 * by a small deterministic generator, so that every demo looks the same up to the date.
 */

import type { BuyingRules } from "@tollgate/contract/management/buying-price";
import type { ChannelCalendar } from "@tollgate/contract/management/channel-calendar";
import type { LogPhrase } from "@tollgate/contract/values/log-phrase";

export interface DemoUser {
  username: string;
  displayName: string;
  group: string;
  quota: number;
  isAdmin?: boolean;
  /** Names of the user's keys. */
  tokens: string[];
  /** The user's activity, relative to the others. */
  activity: number;
}

export interface DemoChannel {
  name: string;
  type: number;
  models: string[];
  groups: string[];
  priority: number;
  weight: number;
  isDisabled?: boolean;
  /** Its upstream's prices, as in the field `buying_prices`. */
  buyingPrices?: BuyingRules;
  /** Further fields, as they travel. */
  more?: Readonly<Record<string, unknown>>;
}

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

interface DemoModel {
  name: string;
  /** Quota per prompt token, and the factor for completion tokens, as in the log. */
  ratio: string;
  completionRatio: string;
  share: number;
  promptTokens: number;
  completionTokens: number;
  /** Milliseconds until an answer begins, and for each token of it. */
  waitMs: number;
  tokenMs: number;
}

/** Number of days with usage. */
export const DEMO_DAYS = 60;
export const DAY_SECONDS = 86_400;
const REQUESTS_PER_DAY = 260;

export const DEMO_PASSWORD = "demo-password";

/** Not the default one: the console would ask for another before it shows anything. */
export const DEMO_ROOT_PASSWORD = "root-password";

export const DEMO_USERS: readonly DemoUser[] = [
  {
    username: "root",
    displayName: "Root User",
    group: "default",
    quota: 200_000_000,
    tokens: ["运维脚本"],
    activity: 2,
  },
  {
    username: "lihua",
    displayName: "李华",
    group: "vip",
    quota: 80_000_000,
    tokens: ["笔记本", "IDE 插件"],
    activity: 9,
    isAdmin: true,
  },
  {
    username: "wangwei",
    displayName: "王伟",
    group: "default",
    quota: 30_000_000,
    tokens: ["客服机器人"],
    activity: 14,
  },
  {
    username: "zhangmin",
    displayName: "张敏",
    group: "default",
    quota: 16_000_000,
    tokens: ["翻译工具", "测试"],
    activity: 6,
  },
  {
    username: "chenjie",
    displayName: "陈杰",
    group: "svip",
    quota: 120_000_000,
    tokens: ["数据标注", "报表"],
    activity: 11,
  },
  {
    username: "alice",
    displayName: "Alice",
    group: "default",
    quota: 10_000_000,
    tokens: ["notebook"],
    activity: 3,
  },
];

/** A user who is invited later on, and has none of the usage. */
export const INVITED_USER = "xiaoyu";

/** Users who sign in with DEMO_PASSWORD. */
export const DEMO_LOGINS: readonly string[] = [
  ...DEMO_USERS.slice(1).map(({ username }) => username),
  INVITED_USER,
];

/** Models of today at their list prices. */
export const DEMO_MODELS: readonly DemoModel[] = [
  {
    name: "gpt-5.4-mini",
    ratio: "0.375",
    completionRatio: "6",
    share: 46,
    promptTokens: 420,
    completionTokens: 180,
    waitMs: 280,
    tokenMs: 9,
  },
  {
    name: "gpt-5.6-sol",
    ratio: "2.00",
    completionRatio: "5",
    share: 16,
    promptTokens: 650,
    completionTokens: 260,
    waitMs: 720,
    tokenMs: 32,
  },
  {
    name: "gpt-5.4",
    ratio: "1.25",
    completionRatio: "6",
    share: 12,
    promptTokens: 1400,
    completionTokens: 420,
    waitMs: 610,
    tokenMs: 21,
  },
  {
    name: "claude-sonnet-5-5",
    ratio: "1.00",
    completionRatio: "5",
    share: 15,
    promptTokens: 1800,
    completionTokens: 380,
    waitMs: 540,
    tokenMs: 24,
  },
  {
    name: "claude-haiku-4-5",
    ratio: "0.50",
    completionRatio: "5",
    share: 11,
    promptTokens: 700,
    completionTokens: 220,
    waitMs: 310,
    tokenMs: 11,
  },
];

/** Ratio of each group, as in the option GroupRatio, with two decimals. */
export const DEMO_GROUPS = { default: 1, vip: 0.95, svip: 0.9 } as const;
const GROUPS = Object.keys(DEMO_GROUPS);
const OPENAI_MODELS = ["gpt-5.4-mini", "gpt-5.6-sol", "gpt-5.4"];
const CLAUDE_MODELS = ["claude-sonnet-5-5", "claude-haiku-4-5"];

/** The spare channel is a subscription of work hours; the main one takes its calls at any other time. */
const WORK_HOURS: ChannelCalendar = {
  timeZone: "Asia/Shanghai",
  hours: [{ days: [1, 2, 3, 4, 5], from: "08:00", to: "20:00" }],
  windows: [{ hours: 5, limit: 2000, unit: "requests" }],
};

/** As the field `overrides` has them. */
const OVERRIDES = {
  body: { set: { store: false }, delete: ["user"] },
  system_prompt: { text: "请用提问者的语言简短回答。", mode: "fill" },
};

export const DEMO_CHANNELS: readonly DemoChannel[] = [
  {
    name: "模拟上游 · OpenAI 主",
    type: 8,
    models: OPENAI_MODELS,
    groups: GROUPS,
    priority: 10,
    weight: 3,
    // One model is bought above the list price, so that it is sold at a loss.
    buyingPrices: {
      default: { of: "list", factor: 0.72 },
      rules: [{ model: "gpt-5.6-sol", of: "list", factor: 1.08 }],
    },
    more: { tag: "主力", rpm: 600, tpm: 400_000, overrides: JSON.stringify(OVERRIDES) },
  },
  {
    name: "模拟上游 · OpenAI 备",
    type: 8,
    models: ["gpt-5.4-mini"],
    groups: GROUPS,
    priority: 10,
    weight: 1,
    buyingPrices: { default: { of: "list", factor: 0.85 }, rules: [] },
    more: { tag: "备用", rpm: 120, concurrency: 20, calendar: JSON.stringify(WORK_HOURS) },
  },
  {
    name: "模拟上游 · Claude",
    type: 14,
    models: CLAUDE_MODELS,
    groups: GROUPS,
    priority: 5,
    weight: 0,
    buyingPrices: {
      default: { of: "list", factor: 0.78 },
      rules: [{ model: "claude-haiku-4-5", prices: [{ input: 0.7, output: 3.5 }] }],
    },
    more: { tag: "主力", concurrency: 50 },
  },
  {
    name: "模拟上游 · 已停用",
    type: 1,
    models: ["gpt-5.5"],
    groups: ["vip"],
    priority: 0,
    weight: 0,
    isDisabled: true,
  },
];

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
const priceOf = (model: DemoModel, groupRatio: number, promptTokens: number, completionTokens: number) => {
  // Ratios of models have up to three decimals, those of groups two: whole numbers lose no precision.
  const [thousandths, hundredths] = [Math.round(Number(model.ratio) * 1000), Math.round(groupRatio * 100)];
  const tokens = promptTokens + completionTokens * Number(model.completionRatio);
  const quota = Math.ceil((tokens * thousandths * hundredths) / 100_000);
  const counts = `${promptTokens} × 1 + ${completionTokens} × ${Number(model.completionRatio)}`;
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
      const used = isFailed
        ? { quota: 0, formula: "", promptTokens: 0, completionTokens: 0 }
        : { ...priceOf(model, groupRatio, promptTokens, completionTokens), promptTokens, completionTokens };
      charges.push({
        createdAt,
        username: user.username,
        tokenName: pick(user.tokens, () => 1, random()),
        channelName: attempts[attempts.length - 1]?.channelName ?? "",
        modelName: model.name,
        group: user.group,
        priceVersion,
        content: isFailed ? [] : [{ code: "ratios", model: model.ratio, group: groupRatio.toFixed(2) }],
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
