import type { Accounts } from "@tollgate/accounts/accounts";
import { parseGroupLimits } from "@tollgate/contract/management/limits";
import { toUnixSeconds } from "@tollgate/contract/values/time";
import type { BudgetTimes, SpentBefore } from "@tollgate/relay/limits/budget-book";
import { Limiter } from "@tollgate/relay/limits/limiter";
import type { Rates } from "@tollgate/relay/limits/rates";
import type { RequestRefundQueries } from "@tollgate/storage/accounts/money-ports";
import type { AccountQueries } from "@tollgate/storage/accounts/ports";
import type { LogQueries, SpentSince } from "@tollgate/storage/log/ports";
import type { GroupAccess } from "./group-access";
import type { Options } from "./options";

const HOUR_SECONDS = 3600;

/** Queries of spent quota. */
interface SpentQueries {
  readonly usage: Pick<LogQueries["usage"], "spentSince">;
  readonly requestRefunds: Pick<RequestRefundQueries, "since">;
}

/**
 * The limits of keys, users and groups, with the spending of the current periods: a restart gives no user a new
 * budget.
 * @param now milliseconds since the epoch. @param rates counts minutes and running requests.
 */
export const startLimiter = async (
  read: SpentQueries & Pick<AccountQueries, "budgetWindows">,
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
  limiter.showAccount(() => !options.isOn("DisplayTokenStatEnabled"));
  for (const window of await read.budgetWindows.open(toUnixSeconds(now())))
    limiter.budgets.openWindow(window, window.started * 1000);
  const times = limiter.budgets.budgetTimes();
  limiter.budgets.load(await readSpent(read, { users, keys }, groupAccess, times));
  return limiter;
};

/** Spending of one key. Parts that begin before the hour of a moment do not count. */
const spendingOf = (parts: readonly SpentSince[]) => {
  const sumSince = (startMs: number, amountOf: (part: SpentSince) => number): number => {
    const start = toUnixSeconds(startMs) - (toUnixSeconds(startMs) % HOUR_SECONDS);
    const sum = parts.reduce((sum, part) => (part.from >= start ? sum + amountOf(part) : sum), 0);
    return Math.max(0, sum);
  };
  return {
    quotaSince: (startMs: number) => sumSince(startMs, ({ quota }) => quota),
    requestsSince: (startMs: number) => sumSince(startMs, ({ requests }) => requests),
  };
};

/**
 * Spending of all keys since these moments, from storage. The spending of a key with several groups counts in each of
 * them: storage does not know which one was used.
 */
export const readSpent = async (
  read: SpentQueries,
  { users, keys }: { users: Pick<Accounts["users"], "find">; keys: Pick<Accounts["keys"], "findById"> },
  { groupsOf }: Pick<GroupAccess, "groupsOf">,
  { startsMs }: BudgetTimes,
): Promise<SpentBefore[]> => {
  const starts = startsMs.map(toUnixSeconds);
  // A budget counts charges: a refund, which lowers the log's sums, does not open it again.
  const refunds = (await read.requestRefunds.since(Math.min(...starts))).map((refund) => ({
    ...refund,
    requests: 0,
  }));
  const parts = [...(await read.usage.spentSince(starts)), ...refunds];
  const byKey = new Map<string, { userId: number; keyId: number; parts: SpentSince[] }>();
  for (const part of parts) {
    const name = `${part.userId} ${part.tokenId}`;
    const known = byKey.get(name);
    if (known) known.parts.push(part);
    else byKey.set(name, { userId: part.userId, keyId: part.tokenId, parts: [part] });
  }
  return [...byKey.values()].map(({ userId, keyId, parts: ofKey }) => {
    const key = keys.findById(keyId);
    const groups = key?.group === undefined ? users.find(userId)?.groups : groupsOf(key);
    return { userId, keyId, groups: groups ?? [], ...spendingOf(ofKey) };
  });
};
