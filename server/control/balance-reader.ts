import type { ChannelEntry } from "@tollgate/relay/ports";
import { upstreamPath } from "@tollgate/relay/routing/channel-entry";
import { askJson } from "@tollgate/relay/transport/guarded-fetch";
import { z } from "zod/mini";
import { Failure } from "./failure";

/** Asks upstreams what is left on the account behind a channel's key. */
export interface BalanceReader {
  isSupported(type: number): boolean;
  /**
   * @returns the balance in the unit of the channel's type.
   * @throws Failure when the type reports none or the upstream does not answer as it should.
   */
  read(entry: ChannelEntry): Promise<number>;
}

const amount = z.pipe(z.coerce.number(), z.number());
const subscriptionSchema = z.object({
  hard_limit_usd: amount,
  has_payment_method: z.catch(z.boolean(), false),
});
const usageSchema = z.object({ total_usage: amount });

/** Through the channel's own proxy: going there directly would tell the upstream the address that it is to hide. */
const ask = async <T>(
  schema: z.ZodMiniType<T>,
  { proxy }: ChannelEntry,
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

/** The relays' own page about what is left, beside /v1. */
const grantsUrl = (entry: ChannelEntry): string =>
  `${entry.origin}${entry.basePath.replace(/\/v1$/, "")}/dashboard/billing/credit_grants`;

/** How each type tells its balance (contract section 5, methods A to F). */
const METHODS: Readonly<Record<number, (entry: ChannelEntry) => Promise<number>>> = (() => {
  const dashboard = async (entry: ChannelEntry): Promise<number> => {
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
  return {
    5: async (entry) => {
      const { origin, headers } = entry;
      // This vendor takes the key in the address only.
      const key = encodeURIComponent(headers.authorization?.replace("Bearer ", "") ?? "");
      const answer = await ask(
        z.object({ data: z.object({ credit: amount }) }),
        entry,
        `${origin}/sb-api/user/status?api_key=${key}`,
        {},
      );
      return answer.data.credit;
    },
    10: async (entry) => {
      const { channel, origin, headers } = entry;
      const answer = await ask(
        z.object({ success: z.literal(true), data: z.object({ totalPoints: amount }) }),
        entry,
        `${channel.baseUrl === "" ? "https://aiproxy.io" : origin}/api/report/getUserOverview`,
        { "Api-Key": headers.authorization?.replace("Bearer ", "") ?? "" },
      );
      return answer.data.totalPoints;
    },
    1: dashboard,
    8: dashboard,
    4: async (entry) =>
      (await ask(z.object({ total_available: amount }), entry, grantsUrl(entry), entry.headers))
        .total_available,
    12: async (entry) =>
      (await ask(z.object({ total_remaining: amount }), entry, grantsUrl(entry), entry.headers))
        .total_remaining,
    13: async (entry) =>
      (await ask(z.object({ total_available: amount }), entry, grantsUrl(entry), entry.headers))
        .total_available,
  };
})();

export const createBalanceReader = (): BalanceReader => ({
  isSupported: (type) => METHODS[type] !== undefined,
  async read(entry) {
    const method = METHODS[entry.channel.type];
    if (!method) throw new Failure("channel-balance-unsupported");
    return method(entry);
  },
});
