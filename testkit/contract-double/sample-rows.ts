import type { Node } from "@tollgate/contract/api/nodes";
import type { OrderDetail } from "@tollgate/contract/api/orders";
import {
  CHANNEL_DISABLED_AUTOMATICALLY,
  CHANNEL_DISABLED_BY_HAND,
  CHANNEL_ENABLED,
  LOG_CONSUME,
  LOG_MANAGE,
  LOG_SYSTEM,
  LOG_TOPUP,
  USER_ENABLED,
} from "@tollgate/contract/values/statuses";
import {
  BLANK_USER,
  type StoredApiKey,
  type StoredChannel,
  type StoredLog,
  type StoredRedemption,
  type StoredUser,
} from "./stored-rows";

/* The rows that the double's world is filled with: the same for the same number. */

const DAY = 86_400;

/** Unix seconds of the made-up past: rows stand at fixed distances before it. */
export const BEGIN = 1_716_000_000;

export const MODELS: readonly string[] = [
  "gpt-3.5-turbo",
  "gpt-3.5-turbo-16k",
  "gpt-4",
  "gpt-4-turbo",
  "gpt-4o",
  "text-embedding-ada-002",
  "text-davinci-003",
  "claude-2.1",
  "claude-instant-1",
  "qwen-plus",
  "hunyuan",
  "dall-e-3",
  "whisper-1",
];

const pick = <T>(items: readonly T[], index: number): T => items[index % items.length] as T;

/** @param more differences from a user with the password 12345678 who signed up without a code. */
export const makeUser = (
  id: number,
  username: string,
  role: number,
  more: Partial<StoredUser> = {},
): StoredUser => ({
  ...BLANK_USER,
  id,
  username,
  password: "12345678",
  display_name: username,
  role,
  status: USER_ENABLED,
  quota: 1_250_000 * id,
  used_quota: 380_000 * id,
  request_count: 41 * id,
  group: "default",
  aff_code: `A${String(id).padStart(3, "0")}`,
  ...more,
});

const CHANNEL_NAMES = [
  "OpenAI 主线路",
  "Claude 生产",
  "通义千问",
  "OpenRouter 备用",
  "自建 vLLM 集群（上海二区，仅内部评测使用）",
  "文心千帆",
  "CloseAI",
  "OpenAI-SB",
  "讯飞星火",
  "API2GPT",
  "AI Proxy 知识库",
  "AIGC2D",
];
const CHANNEL_TYPES = [1, 14, 17, 20, 8, 15, 4, 5, 18, 12, 21, 13];
const TIMES = [0, 420, 1380, 4210, 9870, 880];
const GROUPS = ["default", "default,vip", "vip,svip", "default,pro,premium"];

export const makeChannel = (index: number): StoredChannel => ({
  id: index + 1,
  type: pick(CHANNEL_TYPES, index),
  key: `upstream-key-${index + 1}`,
  status:
    index % 7 === 5
      ? CHANNEL_DISABLED_AUTOMATICALLY
      : index % 5 === 4
        ? CHANNEL_DISABLED_BY_HAND
        : CHANNEL_ENABLED,
  name: index < CHANNEL_NAMES.length ? pick(CHANNEL_NAMES, index) : `渠道 ${index + 1}`,
  weight: index % 6,
  created_time: BEGIN - index * DAY,
  test_time: pick(TIMES, index) === 0 ? 0 : BEGIN + index * 60,
  response_time: pick(TIMES, index),
  base_url: index === 4 ? "http://10.0.0.8:8000" : "",
  other: pick(CHANNEL_TYPES, index) === 18 ? "v2.1" : "",
  balance: index * 17.35,
  balance_updated_time: index % 3 === 0 ? 0 : BEGIN,
  models: MODELS.slice(index % 4, (index % 4) + 4).join(","),
  group: pick(GROUPS, index),
  used_quota: index * 125_000,
  model_mapping: index === 1 ? '{"gpt-4":"claude-2.1"}' : "",
  priority: (index * 7) % 10,
});

export const makeApiKey = (index: number, userId: number): StoredApiKey => ({
  id: index + 1,
  user_id: userId,
  key: `k${String(index + 1).padStart(47, "0")}`,
  status: pick([1, 1, 1, 2, 3, 4], index),
  name:
    pick(["网站后端", "translation-service", "本地开发", "数据标注批处理", "Android 客户端"], index) +
    (index > 4 ? ` ${index + 1}` : ""),
  created_time: BEGIN - index * DAY,
  accessed_time: BEGIN,
  expired_time: index % 3 === 0 ? -1 : BEGIN + index * DAY * 30,
  remain_quota: index * 612_000,
  unlimited_quota: index % 4 === 0,
  used_quota: index * index * 91_000,
});

export const makeRedemption = (index: number): StoredRedemption => ({
  id: index + 1,
  user_id: 1,
  key: String(index + 1).padStart(32, "0"),
  status: pick([1, 3, 1, 2], index),
  name: pick(["五月活动", "新用户", "补偿"], index),
  quota: 100_000 * (index + 1),
  created_time: BEGIN - index * DAY,
  redeemed_time: index % 4 === 1 ? BEGIN : 0,
  count: 0,
  expired_time: 0,
  max_uses: 1,
  used_count: 0,
  used_user_id: 0,
});

const LONG_DETAIL =
  "模型倍率 15.00，分组倍率 1.00，补全倍率 2.00。上游在 31.2 秒后重置了连接，已在渠道 #2 上重试一次并成功，提示部分命中缓存 1024 个 token。";

const typeOf = (index: number): number => {
  if (index % 9 === 4) return LOG_TOPUP;
  if (index % 13 === 6) return LOG_MANAGE;
  return index % 17 === 8 ? LOG_SYSTEM : LOG_CONSUME;
};

const contentOf = (type: number, index: number): string => {
  switch (type) {
    case LOG_TOPUP:
      return "通过兑换码充值 ＄0.500000 额度";
    case LOG_MANAGE:
      return "管理员将用户额度从 ＄1.000000 额度修改为 ＄5.000000 额度";
    case LOG_SYSTEM:
      return "新用户注册赠送 ＄0.200000 额度";
    default:
      return index % 5 === 0 ? LONG_DETAIL : "模型倍率 0.75，分组倍率 1.00";
  }
};

export const makeLog = (index: number): StoredLog => {
  const type = typeOf(index);
  const isUse = type === LOG_CONSUME;
  return {
    id: 1000 + index,
    request_id: isUse ? `request-${index}` : "",
    user_id: 1 + (index % 3),
    created_at: BEGIN + index * 397,
    type,
    content: contentOf(type, index),
    username: pick(["root", "alice", "bob"], index),
    token_name: isUse ? pick(["网站后端", "translation-service", "本地开发"], index) : "",
    model_name: isUse ? pick(MODELS, index) : "",
    quota: isUse ? 731 * (index + 1) : 0,
    prompt_tokens: isUse ? 120 + index * 13 : 0,
    completion_tokens: isUse ? 48 + index * 7 : 0,
    channel: isUse ? 1 + (index % 8) : 0,
  };
};

/** Nodes that share a database: the first one answers, the third one is stopping and has an older version. */
export const makeNode = (index: number): Node => ({
  id: 41 + index,
  name: `node-${index + 1}`,
  address: `10.0.0.${index + 1}:3000`,
  version: index === 2 ? "0.9.9" : "1.0.0",
  state: index === 2 ? "leaving" : "live",
  is_this: index === 0,
  is_leaving: index === 2,
  started_at: BEGIN - 3 * DAY + index * 7200,
  heard_at: BEGIN - index,
  silent_ms: 400 + index * 1000,
  recent_requests: [412, 388, 6][index] ?? 0,
  recent_ms: 10_000,
  active_requests: 31 - index * 14,
  event_loop_delay_ms: 4 + index * 3,
  memory_bytes: (212 + index * 17) * 1024 ** 2,
  feed_lag_ms: index === 2 ? undefined : 12 + index * 9,
  database_connections: 9 - index,
  database_waiting: 0,
  redis_connections: 1,
  leased_users: 34 - index * 5,
  leased_keys: 20 - index * 3,
  leased_quota: 6_412_000 - index * 2_200_000,
});

/** Orders of 20 dollars: the first is open, the second was paid late and refunded in part. */
export const makeOrder = (index: number): OrderDetail => {
  const isPaid = index % 2 === 1;
  return {
    order: {
      id: index + 1,
      number: String(index + 1).padStart(32, "0"),
      userId: 3,
      username: "alice",
      provider: "wechat-pay",
      method: "",
      state: isPaid ? "partly-refunded" : "pending",
      usd: "20",
      amount: 14_600,
      currency: "CNY",
      quota: 10_000_000,
      bonus: 0,
      factor: "1",
      ...{ discount: 0, promotionBonus: 0, promotions: [] },
      payment: isPaid ? "4200001234202405180000000001" : "",
      refunded: isPaid ? 7300 : 0,
      disputed: 0,
      taken: isPaid ? 5_000_000 : 0,
      isLate: isPaid,
      createdAt: BEGIN,
      expiresAt: BEGIN + 1800,
      paidAt: isPaid ? BEGIN + 2400 : 0,
      completedBy: 0,
      completedName: "",
      reason: "",
      detail: "",
      unitPrice: "7.3",
      quotaPerUnit: "500000",
      planId: 0,
      planTitle: "",
      planFault: "",
      planBack: 0,
      subscriptionId: 0,
    },
    words: isPaid ? { trade_state: "REFUND", bank_type: "OTHERS" } : {},
    refunds: isPaid
      ? [
          {
            id: 1,
            reference: "1",
            kind: "by-admin",
            amount: 7300,
            taken: 5_000_000,
            missing: 0,
            state: "asking",
            actorId: 1,
            actorName: "root",
            reason: "客户要求退款",
            detail: "",
            createdAt: BEGIN + DAY,
            settledBy: 0,
            settledName: "",
            settledReason: "",
            settledAt: 0,
          },
        ]
      : [],
    faults: isPaid
      ? [
          {
            provider: "wechat-pay",
            orderId: index + 1,
            fault: "wrong-amount",
            count: 2,
            firstAt: BEGIN + 1000,
            lastAt: BEGIN + 1200,
            words: { amount: "1" },
          },
        ]
      : [],
  };
};
