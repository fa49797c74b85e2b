import { NEVER } from "@tollgate/contract/values/time";
import type { ApiKey } from "@tollgate/relay/ports/directory";
import type { AccountQueries } from "@tollgate/storage/accounts/ports";
import type { Options } from "../state/options";

/** Limit shown for an unlimited key (contract section 2.12). */
const UNLIMITED_SHOWN = 100_000_000;

interface Account {
  remaining: number;
  used: number;
  expiredTime: number;
  isUnlimited: boolean;
}

/** Figures for OpenAI's dashboard calls, of a key, or of its user if the option says so. */
const readAccount = async (
  read: Pick<AccountQueries, "tokens" | "users">,
  options: Options,
  key: ApiKey,
): Promise<Account | undefined> => {
  if (options.isOn("DisplayTokenStatEnabled")) {
    const token = await read.tokens.find(key.user.id, key.id);
    return (
      token && {
        remaining: token.remainQuota,
        used: token.usedQuota,
        expiredTime: token.expiredTime,
        isUnlimited: token.unlimitedQuota,
      }
    );
  }
  const user = await read.users.find(key.user.id);
  return user && { remaining: user.quota, used: user.usedQuota, expiredTime: NEVER, isUnlimited: false };
};

/**
 * Answers `/dashboard/billing/subscription` and `/usage` (contract section 2.12).
 * @returns undefined when the key was deleted meanwhile.
 */
export const readBilling = async (
  read: Pick<AccountQueries, "tokens" | "users">,
  options: Options,
  key: ApiKey,
  kind: "subscription" | "usage",
): Promise<unknown> => {
  const account = await readAccount(read, options, key);
  if (!account) return undefined;
  const unit = options.isOn("DisplayInCurrencyEnabled") ? options.number("QuotaPerUnit") : 1;
  if (kind === "usage") return { object: "list", total_usage: (account.used / unit) * 100 };
  const limit = account.isUnlimited ? UNLIMITED_SHOWN : (account.remaining + account.used) / unit;
  return {
    object: "billing_subscription",
    has_payment_method: true,
    soft_limit_usd: limit,
    hard_limit_usd: limit,
    system_hard_limit_usd: limit,
    access_until: account.expiredTime === NEVER ? 0 : account.expiredTime,
  };
};
