import { isSecretOption } from "@tollgate/contract/control/option";
import { declares, defaultTextOf, OPTION_KEYS } from "@tollgate/contract/options/options";
import { CONTRACT_VERSION } from "@tollgate/contract/version";
import { failureLike, type RequestRecord, recordOf } from "./request-records";

/* The objects of the /api contract, as they travel. `null` stands where odd servers send it. */

export interface WireUser {
  id: number;
  username: string;
  password: string;
  display_name: string;
  role: number;
  status: number;
  email: string;
  github_id: string;
  wechat_id: string;
  quota: number;
  used_quota: number;
  request_count: number;
  group: string;
  aff_code: string;
}

export interface WireChannel {
  id: number;
  type: number;
  key: string;
  status: number;
  name: string;
  weight: number | null;
  created_time: number;
  test_time: number;
  response_time: number;
  base_url: string | null;
  other: string;
  balance: number;
  balance_updated_time: number;
  models: string;
  group: string;
  used_quota: number;
  model_mapping: string | null;
  priority: number | null;
}

export interface WireToken {
  id: number;
  user_id: number;
  key: string;
  status: number;
  name: string;
  created_time: number;
  accessed_time: number;
  expired_time: number;
  remain_quota: number;
  unlimited_quota: boolean;
  used_quota: number;
}

export interface WireRedemption {
  id: number;
  user_id: number;
  key: string;
  status: number;
  name: string;
  quota: number;
  created_time: number;
  redeemed_time: number;
}

export interface WireLog {
  id: number;
  /** Only a server that gives receipts sends it. */
  request_id: string;
  user_id: number;
  created_at: number;
  type: number;
  content: string;
  username: string;
  token_name: string;
  model_name: string;
  quota: number;
  prompt_tokens: number;
  completion_tokens: number;
  channel: number;
}

export interface World {
  status: Record<string, unknown>;
  texts: { notice: string; about: string; home_page_content: string };
  users: WireUser[];
  channels: WireChannel[];
  tokens: WireToken[];
  redemptions: WireRedemption[];
  logs: WireLog[];
  /** The requests that receipts and sums over usage know of. */
  requests: RequestRecord[];
  options: Record<string, string>;
  models: string[];
}

const DAY = 86_400;

/** The clock of the made-up past: rows stand at fixed distances before it. */
const BEGIN = 1_716_000_000;

const MODELS = [
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

const user = (id: number, username: string, role: number, more: Partial<WireUser> = {}): WireUser => ({
  id,
  username,
  password: "12345678",
  display_name: username,
  role,
  status: 1,
  email: "",
  github_id: "",
  wechat_id: "",
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

const channel = (index: number): WireChannel => ({
  id: index + 1,
  type: pick(CHANNEL_TYPES, index),
  key: `upstream-key-${index + 1}`,
  status: index % 7 === 5 ? 3 : index % 5 === 4 ? 2 : 1,
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

const token = (index: number, userId: number): WireToken => ({
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

const redemption = (index: number): WireRedemption => ({
  id: index + 1,
  user_id: 1,
  key: String(index + 1).padStart(32, "0"),
  status: pick([1, 3, 1, 2], index),
  name: pick(["五月活动", "新用户", "补偿"], index),
  quota: 100_000 * (index + 1),
  created_time: BEGIN - index * DAY,
  redeemed_time: index % 4 === 1 ? BEGIN : 0,
});

const LONG_DETAIL =
  "模型倍率 15.00，分组倍率 1.00，补全倍率 2.00。上游在 31.2 秒后重置了连接，已在渠道 #2 上重试一次并成功，提示部分命中缓存 1024 个 token。";

const log = (index: number): WireLog => {
  const type = index % 9 === 4 ? 1 : index % 13 === 6 ? 3 : index % 17 === 8 ? 4 : 2;
  const isUse = type === 2;
  return {
    id: 1000 + index,
    request_id: isUse ? `request-${index}` : "",
    user_id: 1 + (index % 3),
    created_at: BEGIN + index * 397,
    type,
    content: isUse
      ? index % 5 === 0
        ? LONG_DETAIL
        : "模型倍率 0.75，分组倍率 1.00"
      : type === 1
        ? "通过兑换码充值 ＄0.500000 额度"
        : type === 3
          ? "管理员将用户额度从 ＄1.000000 额度修改为 ＄5.000000 额度"
          : "新用户注册赠送 ＄0.200000 额度",
    username: pick(["root", "alice", "bob"], index),
    token_name: isUse ? pick(["网站后端", "translation-service", "本地开发"], index) : "",
    model_name: isUse ? pick(MODELS, index) : "",
    quota: isUse ? 731 * (index + 1) : 0,
    prompt_tokens: isUse ? 120 + index * 13 : 0,
    completion_tokens: isUse ? 48 + index * 7 : 0,
    channel: isUse ? 1 + (index % 8) : 0,
  };
};

const times = <T>(count: number, make: (index: number) => T): T[] =>
  Array.from({ length: count }, (_, i) => make(i));

/** The requests behind the log, and one that nobody answered. */
const requestsBehind = (logs: readonly WireLog[]): RequestRecord[] => {
  const records = logs.flatMap((line, index) =>
    line.request_id === "" ? [] : [recordOf(line, index, 1 + (index % 3))],
  );
  const [first] = records;
  return first ? [...records, failureLike(first, "request-failed")] : [];
};

/** A filled world: root / 123456, admin and users with the password 12345678. */
export const makeWorld = (): World => {
  const logs = times(64, log);
  return { ...baseWorld(), logs, requests: requestsBehind(logs) };
};

/** What a server of one-api's contract lists before anything is saved: no options of our own, no secrets. */
const optionsOfOneApi = (): Record<string, string> =>
  Object.fromEntries(
    OPTION_KEYS.filter((key) => !declares(key, "isExtra") && !isSecretOption(key)).map((key) => [
      key,
      defaultTextOf(key) ?? "{}",
    ]),
  );

const baseWorld = (): Omit<World, "logs" | "requests"> => ({
  status: {
    version: CONTRACT_VERSION,
    start_time: BEGIN,
    email_verification: false,
    github_oauth: false,
    github_client_id: "",
    system_name: "Tollgate",
    logo: "",
    footer_html: "",
    wechat_qrcode: "",
    wechat_login: false,
    server_address: "http://localhost:3000",
    turnstile_check: false,
    turnstile_site_key: "",
    top_up_link: "",
    chat_link: "",
    quota_per_unit: 500_000,
    display_in_currency: true,
  },
  texts: { notice: "", about: "", home_page_content: "" },
  users: [
    user(1, "root", 100, { password: "123456", display_name: "Root User" }),
    user(2, "admin", 10),
    user(3, "alice", 1, { email: "alice@example.com", group: "vip" }),
    user(4, "bob", 1, { status: 2 }),
    ...times(22, (index) => user(index + 5, `user${index + 5}`, 1)),
  ],
  channels: times(23, channel),
  tokens: times(26, (index) => token(index, 1)),
  redemptions: times(14, redemption),
  options: {
    ...optionsOfOneApi(),
    EmailDomainWhitelist: "gmail.com,163.com,qq.com",
    ModelRatio: '{"gpt-3.5-turbo":0.75,"gpt-4":15}',
    GroupRatio: '{"default":1,"vip":1,"svip":1}',
  },
  models: MODELS,
});
