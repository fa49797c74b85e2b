import type { Accounts } from "@tollgate/accounts/accounts";
import { parseGroupLimits } from "@tollgate/contract/management/limits";
import { toUnixSeconds } from "@tollgate/contract/values/time";
import { type BudgetTimes, Limiter, type SpentBefore } from "@tollgate/relay/limits/limiter";
import type { Rates } from "@tollgate/relay/limits/rates";
import type { LogQueries } from "@tollgate/storage/log/ports";
import type { Options } from "./options";

/**
 * The limits of keys, users and groups, with what was spent today and this month: a restart gives nobody a new budget.
 * @param now milliseconds since the epoch. @param rates where minutes and requests under way are counted.
 */
export const startLimiter = async (
  read: LogQueries,
  { users, keys }: Accounts,
  options: Options,
  now: () => number,
  rates: Rates,
): Promise<Limiter> => {
  const known = {
    hasKey: (id: number) => keys.findById(id) !== undefined,
    hasUser: (id: number) => users.find(id) !== undefined,
  };
  const limiter = new Limiter(now, known, rates);
  const readGroups = (): void => {
    const groups = parseGroupLimits(options.text("GroupLimits"));
    limiter.setGroups("fault" in groups ? new Map() : groups);
  };
  readGroups();
  options.onChange((key) => {
    if (key === "GroupLimits") readGroups();
  });
  limiter.load(await readSpent(read, users, limiter.budgetTimes()));
  return limiter;
};

/** What all keys have spent in a day and a month, as storage says it. */
export const readSpent = async (
  read: LogQueries,
  users: Pick<Accounts["users"], "find">,
  { dayStartMs, monthStartMs }: BudgetTimes,
): Promise<SpentBefore[]> => {
  const rows = await read.usage.spentSince(toUnixSeconds(dayStartMs), toUnixSeconds(monthStartMs));
  return rows.map(({ userId, tokenId, dayQuota, monthQuota }) => ({
    userId,
    keyId: tokenId,
    groups: users.find(userId)?.groups ?? [],
    dayQuota,
    monthQuota,
  }));
};
