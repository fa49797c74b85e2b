import type { StoredLog } from "@tollgate/contract/api/logs";
import type { Subscription } from "@tollgate/contract/api/plans";
import type { UsagePointWire } from "@tollgate/contract/api/usage";
import { LIMITS } from "@tollgate/contract/management/limits";
import type { RequestRefund } from "@tollgate/contract/records/request-refund-record";
import type {
  Generation,
  GenerationDetail,
  KeyDay,
  KeyLimit,
  KeyState,
  KeyUsage,
} from "@tollgate/contract/relay/key-usage";
import { extraLeft } from "@tollgate/contract/values/extra-left";
import { NEVER } from "@tollgate/contract/values/time";
import type { LimitStanding } from "@tollgate/relay/limits/budget-book";
import type { Limiter } from "@tollgate/relay/limits/limiter";
import { untilNextMinuteMs } from "@tollgate/relay/limits/waiting";
import type { ApiKey } from "@tollgate/relay/ports/directory";
import type { AccountQueries } from "@tollgate/storage/accounts/ports";
import type { LogQueries, StoredReceipt } from "@tollgate/storage/log/ports";
import { formatFormula } from "../locales/format-formula";
import type { Language } from "../locales/languages";
import type { Options } from "../state/options";
import { formatFailure } from "./format-failure";

const DAY_SECONDS = 86_400;

/** Characters of ids that this gateway makes, and some more: others are not looked for in the log. */
const REQUEST_ID = /^[\w.:-]{1,64}$/;

const USUAL_DAYS = 30;
const MAX_DAYS = 90;
/** No clock is further from UTC. */
const MAX_OFFSET_MINUTES = 14 * 60;
/** Models that are told apart; the rest is one more sum. */
const MAX_MODELS = 50;

const USUAL_COUNT = 20;
const MAX_COUNT = 100;

/** Subscriptions that are looked through for those of now. */
const MAX_SUBSCRIPTIONS = 50;

export interface KeyReadTools {
  read: Pick<AccountQueries, "tokens" | "users" | "plans" | "requestRefunds"> &
    Pick<LogQueries, "receipts" | "logs" | "usage">;
  options: Pick<Options, "isOn" | "number">;
  limiter: Pick<Limiter, "look">;
  groupsOf(key: ApiKey): readonly string[];
  /** Milliseconds since the epoch. */
  now(): number;
}

/** When a limit's use is counted from 0 again, milliseconds; undefined for running requests and windows that are not open. */
const resetsAtMs = ({ limit, endMs }: LimitStanding, nowMs: number): number | undefined =>
  limit === "rpm" || limit === "tpm" ? nowMs + untilNextMinuteMs(nowMs) : endMs;

/** @param seesAccount whether the key may see the use of its user's other keys. */
const toLimit = (standing: LimitStanding, seesAccount: boolean, nowMs: number): KeyLimit => {
  const { scope, id, limit, max, used, extra, hours, isSoft, isOfPlan } = standing;
  const resetsAt = resetsAtMs(standing, nowMs);
  const isUseShown = scope === "key" || (scope === "user" && seesAccount);
  return {
    scope,
    ...(scope === "group" ? { group: String(id) } : {}),
    limit: LIMITS[limit].name,
    max,
    ...(isUseShown ? { used, remaining: Math.max(0, max - used) } : {}),
    ...(extra === undefined ? {} : { extra }),
    ...(extra !== undefined && isUseShown ? { extra_remaining: extraLeft(extra, standing) } : {}),
    ...(hours === undefined ? {} : { hours }),
    ...(isSoft ? { soft: true } : {}),
    ...(isOfPlan ? { of_plan: true } : {}),
    ...(resetsAt === undefined ? {} : { resets_at: Math.ceil(resetsAt / 1000) }),
  };
};

const toPlan = ({ title, endsAt, granted, spent, left, reset, periodEndsAt }: Subscription) => ({
  title,
  ends_at: endsAt,
  granted_quota: granted,
  used_quota: spent,
  remaining_quota: left,
  reset,
  resets_at: periodEndsAt,
});

const failureOf = (language: Language, { failure }: Pick<StoredLog, "failure">, model: string) => {
  if (!failure) return {};
  const { status, code, reason } = formatFailure(language, failure, model);
  return { error: { status, code, message: reason } };
};

/** Whether a line refunds a request: it is no further request. */
const isRefund = (content: StoredLog["content"]): boolean =>
  typeof content !== "string" && content.some(({ code }) => code === "request-refunded");

const isoTime = (seconds: number): string => new Date(seconds * 1000).toISOString();

/** Quota in US dollars. */
type ToUsd = (quota: number) => number;

const costOf = (quota: number, toUsd: ToUsd) => ({ total_cost: toUsd(quota), usage: toUsd(quota), quota });

const toGeneration = (line: StoredLog, language: Language, toUsd: ToUsd): Generation => ({
  id: line.requestId,
  created_at: isoTime(line.createdAt),
  model: line.modelName,
  streamed: line.isStream,
  latency: line.durationMs,
  ...(line.firstByteMs > 0 ? { first_byte_ms: line.firstByteMs } : {}),
  tokens_prompt: line.promptTokens,
  tokens_completion: line.completionTokens,
  native_tokens_prompt: line.promptTokens,
  native_tokens_completion: line.completionTokens,
  ...((line.cachedTokens ?? 0) > 0 ? { native_tokens_cached: line.cachedTokens } : {}),
  ...costOf(line.quota, toUsd),
  ...failureOf(language, line, line.modelName),
});

const toDetail = (
  receipt: StoredReceipt,
  refund: RequestRefund | undefined,
  language: Language,
  toUsd: ToUsd,
): GenerationDetail => {
  const { requestId, createdAt, detail } = receipt;
  return {
    id: requestId,
    created_at: isoTime(createdAt),
    model: detail.requestedModel,
    streamed: detail.isStream,
    end: detail.end,
    cancelled: detail.end === "client-left",
    latency: detail.durationMs,
    generation_time: detail.durationMs - (detail.firstByteMs ?? 0),
    ...(detail.firstByteMs === undefined ? {} : { first_byte_ms: detail.firstByteMs }),
    tokens_prompt: detail.promptTokens,
    tokens_completion: detail.completionTokens,
    native_tokens_prompt: detail.promptTokens,
    native_tokens_completion: detail.completionTokens,
    ...(detail.cacheReadTokens === undefined ? {} : { native_tokens_cached: detail.cacheReadTokens }),
    ...(detail.reasoningTokens === undefined ? {} : { native_tokens_reasoning: detail.reasoningTokens }),
    ...costOf(detail.quota, toUsd),
    ...(detail.group === undefined ? {} : { group: detail.group }),
    formula: formatFormula(language, detail),
    ...(refund && {
      refund: {
        amount: toUsd(refund.quota),
        quota: refund.quota,
        created_at: isoTime(refund.createdAt),
        reason: refund.reason,
      },
    }),
    ...failureOf(language, receipt, detail.requestedModel),
  };
};

const readUsage = async (
  { read, options, limiter, groupsOf, now }: KeyReadTools,
  key: ApiKey,
  toUsd: ToUsd,
): Promise<KeyUsage | undefined> => {
  // The rule of /dashboard/billing: a key that is passed on does not show its owner's purse.
  const seesAccount = !options.isOn("DisplayTokenStatEnabled");
  const [token, user, standings, subscriptions] = await Promise.all([
    read.tokens.find(key.user.id, key.id),
    read.users.find(key.user.id),
    limiter.look(key, groupsOf(key)),
    seesAccount ? read.plans.ofUser(key.user.id, MAX_SUBSCRIPTIONS) : [],
  ]);
  if (!token || !user) return undefined;
  const nowMs = now();
  const { unlimitedQuota, remainQuota, usedQuota, expiredTime } = token;
  const plans = subscriptions.filter(({ state }) => state === "active").map(toPlan);
  const state = (): KeyState => {
    if (expiredTime !== NEVER && expiredTime * 1000 < nowMs) return "expired";
    if (!unlimitedQuota && remainQuota <= 0) return "exhausted";
    return user.quota <= 0 ? "account_exhausted" : "enabled";
  };
  const rests = [...(unlimitedQuota ? [] : [remainQuota]), ...(seesAccount ? [user.quota] : [])];
  const status = state();
  return {
    object: "key_usage",
    status,
    isValid: status === "enabled",
    planName: plans[0]?.title ?? key.name,
    ...(rests.length > 0 ? { remaining: toUsd(Math.min(...rests)) } : {}),
    unit: "USD",
    quota_per_unit: options.number("QuotaPerUnit"),
    key: {
      name: key.name,
      ...(key.group === undefined ? {} : { group: key.group }),
      ...(expiredTime === NEVER ? {} : { expires_at: expiredTime }),
      unlimited: unlimitedQuota,
      used: toUsd(usedQuota),
      used_quota: usedQuota,
      ...(unlimitedQuota ? {} : { remaining: toUsd(remainQuota), remaining_quota: remainQuota }),
    },
    ...(seesAccount
      ? {
          account: {
            used: toUsd(user.usedQuota),
            used_quota: user.usedQuota,
            remaining: toUsd(user.quota),
            remaining_quota: user.quota,
            plans,
          },
        }
      : {}),
    limits: standings.map((standing) => toLimit(standing, seesAccount, nowMs)),
  };
};

/** A number within bounds, as a client wrote it; `usual` for anything else. */
const readBounded = (sent: string, usual: number, min: number, max: number): number =>
  (min < 0 ? /^-?\d{1,6}$/ : /^\d{1,6}$/).test(sent) ? Math.min(Math.max(Number(sent), min), max) : usual;

const toDay = (point: UsagePointWire, toUsd: ToUsd): KeyDay => ({
  time: point.time,
  model: point.name,
  ...(point.others === undefined ? {} : { others: point.others }),
  requests: point.requests,
  errors: point.errors,
  tokens_prompt: point.prompt_tokens,
  tokens_completion: point.completion_tokens,
  usage: toUsd(point.quota),
  quota: point.quota,
});

/** The reads of a key about itself: nothing of other keys, and of its user only what the site shows a key. */
export const createKeyReads = (tools: KeyReadTools) => {
  const { read, options } = tools;
  const toUsd: ToUsd = (quota) => quota / options.number("QuotaPerUnit");
  return {
    /** @returns undefined when the key was deleted meanwhile. */
    usage: (key: ApiKey): Promise<KeyUsage | undefined> => readUsage(tools, key, toUsd),

    /** Sums by day and model. @param sentDays how many days back. @param sentOffset of the client's clock from UTC, minutes. */
    async days(key: ApiKey, sentDays: string, sentOffset: string): Promise<object> {
      const days = readBounded(sentDays, USUAL_DAYS, 1, MAX_DAYS);
      const offsetMinutes = readBounded(sentOffset, 0, -MAX_OFFSET_MINUTES, MAX_OFFSET_MINUTES);
      const now = Math.floor(tools.now() / 1000);
      const today = now - ((now + offsetMinutes * 60) % DAY_SECONDS);
      const filter = {
        userId: key.user.id,
        keyId: key.id,
        startTimestamp: today - (days - 1) * DAY_SECONDS,
      };
      const asked = { filter, step: "day", by: "model", offsetMinutes, top: MAX_MODELS } as const;
      const points = JSON.parse(await read.usage.pointsJson(asked, now)) as UsagePointWire[];
      return { object: "list", data: points.map((point) => toDay(point, toUsd)) };
    },

    /** @returns undefined for a request of another key as for an unknown one. */
    async generation(key: ApiKey, id: string, language: Language): Promise<object | undefined> {
      if (!REQUEST_ID.test(id)) return undefined;
      const receipt = await read.receipts.find(id, key.user.id, key.id);
      if (!receipt) return undefined;
      const refund = await read.requestRefunds.find(id);
      return { data: toDetail(receipt, refund, language, toUsd) };
    },

    /** The latest requests, the newest first. @param sent the wanted number, as the client wrote it. */
    async generations(key: ApiKey, sent: string, language: Language): Promise<object> {
      const count = readBounded(sent, USUAL_COUNT, 1, MAX_COUNT);
      const lines = await read.logs.page({ userId: key.user.id, keyId: key.id }, 0, count);
      const requests = lines.filter(({ content }) => !isRefund(content));
      return { object: "list", data: requests.map((line) => toGeneration(line, language, toUsd)) };
    },
  };
};

export type KeyReads = ReturnType<typeof createKeyReads>;
