/* The world of the demo, as data: its users, models, groups and channels. */

import type { BuyingRules } from "@tollgate/contract/management/buying-price";
import type { ChannelCalendar } from "@tollgate/contract/management/channel-calendar";

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

export interface DemoModel {
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
