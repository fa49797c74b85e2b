import type { AccountLimit, UpstreamAccount } from "@tollgate/contract/api/channel-upstream";
import { keyUsageSchema } from "@tollgate/contract/relay/key-usage";
import type { UpstreamTarget } from "@tollgate/relay/ports/directory";
import { upstreamPath } from "@tollgate/relay/routing/addressing";
import { askJson } from "@tollgate/relay/transport/guarded-fetch";
import { balanceUnitAt } from "@tollgate/vendors/slim/balance-unit";
import { z } from "zod/mini";
import { Failure } from "../failure";

/** Queries upstreams for the account behind a channel's key. */
export interface UpstreamAccountReader {
  /**
   * @returns the account, with amounts in the unit of the channel's vendor; the balance is missing where the upstream
   *   sets the key no limit.
   * @throws Failure when the vendor reports none or the upstream's answer is invalid.
   */
  read(entry: UpstreamTarget): Promise<UpstreamAccount>;
}

/** A number, or the text of one: everything else, null and "" included, is no amount. */
const amount = z.union([
  z.number(),
  z.pipe(z.string().check(z.regex(/^-?\d+(?:\.\d+)?$/)), z.transform(Number)),
]);
const subscriptionSchema = z.object({
  hard_limit_usd: amount,
  has_payment_method: z.catch(z.boolean(), false),
});
const usageSchema = z.object({ total_usage: amount });

/** Through the channel's own proxy: a direct request would show the upstream the address that the proxy hides. */
const ask = async <T>(
  schema: z.ZodMiniType<T>,
  { proxy }: UpstreamTarget,
  url: string,
  headers: Record<string, string>,
): Promise<T> => {
  const answer = await askJson(url, { headers, proxy });
  if (answer.kind === "unreachable") throw new Failure("balance-unreachable");
  if (answer.kind === "status") {
    const { status } = answer;
    throw new Failure(status === 401 || status === 403 ? "balance-key-refused" : "balance-status", {
      status,
    });
  }
  const parsed = schema.safeParse(answer.kind === "json" ? answer.value : undefined);
  if (!parsed.success) throw new Failure("balance-unreadable");
  return parsed.data;
};

/** Like `ask`; undefined where the upstream has no such call. */
const askIfOffered = async <T>(
  schema: z.ZodMiniType<T>,
  { proxy, headers }: UpstreamTarget,
  url: string,
): Promise<T | undefined> => {
  const answer = await askJson(url, { headers, proxy });
  if (answer.kind === "unreachable") throw new Failure("balance-unreachable");
  return schema.safeParse(answer.kind === "json" ? answer.value : undefined).data;
};

const day = (date: Date): string => date.toISOString().slice(0, 10);
const HUNDRED_DAYS_MS = 100 * 86_400_000;

/** The key in a bearer header, for vendors that take the same key elsewhere. */
const keyOf = ({ headers }: UpstreamTarget): string => headers.authorization?.replace("Bearer ", "") ?? "";

/** The base address without the version of the API. */
const besideVersion = ({ origin, basePath }: UpstreamTarget): string =>
  origin + basePath.replace(/\/v1$/, "");

/** Reads OpenAI's dashboard: the limit, minus the usage. */
const readDashboard = async (entry: UpstreamTarget): Promise<number> => {
  const { headers } = entry;
  const base = entry.origin + upstreamPath(entry, "/v1/dashboard/billing");
  const { hard_limit_usd, has_payment_method } = await ask(
    subscriptionSchema,
    entry,
    `${base}/subscription`,
    headers,
  );
  const now = new Date();
  const start = has_payment_method
    ? `${day(now).slice(0, 8)}01`
    : day(new Date(now.getTime() - HUNDRED_DAYS_MS));
  const { total_usage } = await ask(
    usageSchema,
    entry,
    `${base}/usage?start_date=${start}&end_date=${day(now)}`,
    headers,
  );
  return hard_limit_usd - total_usage / 100;
};

/** Longest name of an upstream that is shown, and the most limits. */
const MAX_NAME = 100;
const MAX_LIMITS = 50;

/** A name as the upstream tells it: one line, without the channel's own secrets. */
const nameFrom = ({ conceal }: UpstreamTarget, told: string | undefined): string | undefined => {
  const name = conceal(told ?? "")
    .replace(/[\p{C}\p{Zl}\p{Zp}\s]+/gu, " ")
    .trim()
    .slice(0, MAX_NAME);
  return name === "" ? undefined : name;
};

/** Named by the words of its period and unit, such as "daily_quota". */
const isMoney = (limit: string): boolean => limit.endsWith("quota");

/** `GET /v1/usage` of another Tollgate. Amounts are divided by the quota of a dollar, which no option sets lower. */
const tollgateUsageSchema = z.extend(keyUsageSchema, { quota_per_unit: z.number().check(z.gte(1)) });

const fromKeyUsage = (
  entry: UpstreamTarget,
  usage: z.output<typeof tollgateUsageSchema>,
): Omit<UpstreamAccount, "unit"> => {
  const perDollar = usage.quota_per_unit;
  const toLimit = ({
    scope,
    limit,
    max,
    used,
    resets_at,
  }: (typeof usage)["limits"][number]): AccountLimit => {
    const share = isMoney(limit) ? perDollar : 1;
    return {
      name: nameFrom(entry, limit) ?? "?",
      scope,
      max: max / share,
      ...(used === undefined ? {} : { used: used / share }),
      is_money: isMoney(limit),
      ...(resets_at === undefined ? {} : { resets_at }),
    };
  };
  const [plan] = usage.account?.plans ?? [];
  return {
    balance: usage.remaining,
    plan: nameFrom(entry, plan?.title),
    group: nameFrom(entry, usage.key.group),
    expires_at: usage.key.expires_at,
    limits: usage.limits.slice(0, MAX_LIMITS).map(toLimit),
  };
};

/** The part of it that sub2api has as well. */
const balanceAndPlan = z.object({
  isValid: z.boolean(),
  remaining: z.optional(amount),
  unit: z.literal("USD"),
  planName: z.optional(z.string()),
});

/** `GET /api/usage/token/` of a new-api (https://docs.newapi.pro/api/token-usage), in its quota. */
const tokenUsageSchema = z.object({
  data: z.object({
    total_available: amount,
    unlimited_quota: z.boolean(),
    /** Unix seconds; 0 for a key that does not expire. */
    expires_at: z.catch(z.int(), 0),
  }),
});
const gatewayStatusSchema = z.object({ data: z.object({ quota_per_unit: z.number().check(z.positive()) }) });

/** Quota of a dollar at gateways that do not tell it. */
const USUAL_QUOTA_PER_UNIT = 500_000;

/** The account at another gateway; undefined where it offers no call for it. */
const readGateway = async (entry: UpstreamTarget): Promise<Omit<UpstreamAccount, "unit"> | undefined> => {
  const usage = await askIfOffered(
    z.union([tollgateUsageSchema, balanceAndPlan]),
    entry,
    entry.origin + upstreamPath(entry, "/v1/usage"),
  );
  if (usage && "object" in usage) return fromKeyUsage(entry, usage);
  if (usage) return { balance: usage.remaining, plan: nameFrom(entry, usage.planName), limits: [] };
  const token = await askIfOffered(tokenUsageSchema, entry, `${besideVersion(entry)}/api/usage/token/`);
  if (!token || token.data.unlimited_quota) return undefined;
  const status = await askIfOffered(gatewayStatusSchema, entry, `${besideVersion(entry)}/api/status`);
  const { total_available, expires_at } = token.data;
  return {
    balance: total_available / (status?.data.quota_per_unit ?? USUAL_QUOTA_PER_UNIT),
    ...(expires_at > 0 ? { expires_at } : {}),
    limits: [],
  };
};

const GRANTS = {
  total_available: z.pipe(
    z.object({ total_available: amount }),
    z.transform(({ total_available }) => total_available),
  ),
  total_remaining: z.pipe(
    z.object({ total_remaining: amount }),
    z.transform(({ total_remaining }) => total_remaining),
  ),
} as const;

/** The relays' own page for the remaining balance, beside /v1. */
const readGrants = (entry: UpstreamTarget, field: keyof typeof GRANTS): Promise<number> =>
  ask(GRANTS[field], entry, `${besideVersion(entry)}/dashboard/billing/credit_grants`, entry.headers);

/** The key travels in the address only. */
const readUserStatus = async (entry: UpstreamTarget): Promise<number> => {
  const { data } = await ask(
    z.object({ data: z.object({ credit: amount }) }),
    entry,
    `${entry.origin}/sb-api/user/status?api_key=${encodeURIComponent(keyOf(entry))}`,
    {},
  );
  return data.credit;
};

const readUserOverview = async (entry: UpstreamTarget, address: string): Promise<number> => {
  const { data } = await ask(
    z.object({ success: z.literal(true), data: z.object({ totalPoints: amount }) }),
    entry,
    `${entry.channel.baseUrl === "" ? address : entry.origin}/api/report/getUserOverview`,
    { "Api-Key": keyOf(entry) },
  );
  return data.totalPoints;
};

const readField = async (entry: UpstreamTarget, path: string, field: string): Promise<number> => {
  const { data } = await ask(
    z.object({ data: z.record(z.string(), z.unknown()) }),
    entry,
    entry.origin + upstreamPath(entry, path),
    entry.headers,
  );
  const value = amount.safeParse(data[field]);
  if (!value.success) throw new Failure("balance-unreadable");
  return value.data;
};

const balanceInfosSchema = z.object({
  balance_infos: z.array(z.object({ currency: z.string(), total_balance: amount })),
});

/** An account may have several currencies; the one of the channel's vendor counts. */
const readBalanceInfos = async (
  entry: UpstreamTarget,
  unit: UpstreamAccount["unit"],
  otherApis: RegExp,
): Promise<number> => {
  const base = besideVersion(entry).replace(otherApis, "");
  const { balance_infos } = await ask(balanceInfosSchema, entry, `${base}/user/balance`, entry.headers);
  const wanted = balance_infos.find(({ currency }) => currency.toLowerCase() === unit);
  const [other] = balance_infos;
  if (wanted) return wanted.total_balance;
  if (!other) throw new Failure("balance-unreadable");
  const currency = nameFrom(entry, other.currency) ?? "?";
  throw new Failure("balance-other-currency", { amount: other.total_balance, currency });
};

const creditsSchema = z.object({ data: z.object({ total_credits: amount, total_usage: amount }) });
const keyLimitSchema = z.object({ data: z.object({ limit_remaining: z.nullable(z.number()) }) });

const readCredits = async (entry: UpstreamTarget): Promise<number | undefined> => {
  const urlOf = (path: string): string => entry.origin + upstreamPath(entry, path);
  const credits = await askIfOffered(creditsSchema, entry, urlOf("/v1/credits"));
  if (credits) return credits.data.total_credits - credits.data.total_usage;
  const { data } = await ask(keyLimitSchema, entry, urlOf("/v1/key"), entry.headers);
  return data.limit_remaining ?? undefined;
};

/** @returns the account, or only its balance */
const readAccount = async (
  entry: UpstreamTarget,
  unit: UpstreamAccount["unit"],
): Promise<number | Omit<UpstreamAccount, "unit"> | undefined> => {
  const { balance } = entry.vendor;
  switch (balance?.method) {
    case undefined:
      throw new Failure("channel-balance-unsupported");
    case "dashboard": {
      const account = entry.channel.baseUrl === "" ? undefined : await readGateway(entry);
      return account ?? readDashboard(entry);
    }
    case "credit-grants":
      return readGrants(entry, balance.field);
    case "user-status":
      return readUserStatus(entry);
    case "user-overview":
      return readUserOverview(entry, balance.address);
    case "field":
      return readField(entry, balance.path, balance.field);
    case "balance-infos":
      return readBalanceInfos(entry, unit, balance.otherApis);
    case "credits":
      return readCredits(entry);
  }
};

/** Contract section 5, methods A to F, and the calls of later vendors and gateways. */
export const createUpstreamAccountReader = (): UpstreamAccountReader => ({
  async read(entry) {
    const unit = balanceUnitAt(entry.vendor.balance, entry.channel.baseUrl);
    if (unit === undefined) throw new Failure("channel-balance-unsupported");
    const read = await readAccount(entry, unit);
    const account = typeof read === "object" ? read : { balance: read, limits: [] };
    // A difference or quotient of valid numbers may be invalid.
    if (account.balance !== undefined && !Number.isFinite(account.balance))
      throw new Failure("balance-unreadable");
    return { unit, ...account };
  },
});
