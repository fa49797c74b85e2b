import type { Accounts } from "@tollgate/accounts/accounts";
import { parseGroupLimits } from "@tollgate/contract/management/limits";
import { toUnixSeconds } from "@tollgate/contract/values/time";
import { type BudgetTimes, Limiter, type SpentBefore } from "@tollgate/relay/limits/limiter";
import type { Rates } from "@tollgate/relay/limits/rates";
import type { LogQueries } from "@tollgate/storage/log/ports";
import type { GroupAccess } from "./group-access";
import type { Options } from "./options";

/**
 * The limits of keys, users and groups, with the spending of today and this month: a restart gives no user a new
 * budget.
 * @param now milliseconds since the epoch. @param rates counts minutes and running requests.
 */
export const startLimiter = async (
  read: LogQueries,
  { users, keys }: Accounts,
  groupAccess: Pick<GroupAccess, "groupsOf">,
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
  limiter.load(await readSpent(read, { users, keys }, groupAccess, limiter.budgetTimes()));
  return limiter;
};

/**
 * Spending of all keys in a day and a month, from storage. The spending of a key with several groups counts in each of
 * them: storage does not know which one was used.
 */
export const readSpent = async (
  read: LogQueries,
  { users, keys }: { users: Pick<Accounts["users"], "find">; keys: Pick<Accounts["keys"], "findById"> },
  { groupsOf }: Pick<GroupAccess, "groupsOf">,
  { dayStartMs, monthStartMs }: BudgetTimes,
): Promise<SpentBefore[]> => {
  const rows = await read.usage.spentSince(toUnixSeconds(dayStartMs), toUnixSeconds(monthStartMs));
  return rows.map(({ userId, tokenId, dayQuota, monthQuota }) => {
    const key = keys.findById(tokenId);
    const groups = key?.group === undefined ? users.find(userId)?.groups : groupsOf(key);
    return { userId, keyId: tokenId, groups: groups ?? [], dayQuota, monthQuota };
  });
};
