import type { UpstreamTarget } from "@tollgate/relay/ports/directory";
import { upstreamPath } from "@tollgate/relay/routing/addressing";
import { askJson } from "@tollgate/relay/transport/guarded-fetch";
import { z } from "zod/mini";
import { Failure } from "../failure";

/** Queries upstreams for the remaining balance of the account behind a channel's key. */
export interface BalanceReader {
  /**
   * @returns the balance in the unit of the channel's vendor.
   * @throws Failure when the vendor reports none or the upstream's answer is invalid.
   */
  read(entry: UpstreamTarget): Promise<number>;
}

const amount = z.pipe(z.coerce.number(), z.number());
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

const day = (date: Date): string => date.toISOString().slice(0, 10);
const HUNDRED_DAYS_MS = 100 * 86_400_000;

/** The key in a bearer header, for vendors that take the same key elsewhere. */
const keyOf = ({ headers }: UpstreamTarget): string => headers.authorization?.replace("Bearer ", "") ?? "";

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
  const left = hard_limit_usd - total_usage / 100;
  // The difference of two valid numbers may be invalid.
  if (!Number.isFinite(left)) throw new Failure("balance-unreadable");
  return left;
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
const readGrants = async (entry: UpstreamTarget, field: keyof typeof GRANTS): Promise<number> => {
  const url = `${entry.origin}${entry.basePath.replace(/\/v1$/, "")}/dashboard/billing/credit_grants`;
  return ask(GRANTS[field], entry, url, entry.headers);
};

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

/** Contract section 5, methods A to F. */
export const createBalanceReader = (): BalanceReader => ({
  async read(entry) {
    const { balance } = entry.vendor;
    switch (balance?.method) {
      case undefined:
        throw new Failure("channel-balance-unsupported");
      case "dashboard":
        return readDashboard(entry);
      case "credit-grants":
        return readGrants(entry, balance.field);
      case "user-status":
        return readUserStatus(entry);
      case "user-overview":
        return readUserOverview(entry, balance.address);
    }
  },
});
