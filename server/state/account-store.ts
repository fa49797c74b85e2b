import type { PlanStore, PurchaseRefusal } from "@tollgate/accounts/plans";
import type { AccountStore, StoredAccounts } from "@tollgate/accounts/ports";
import type { ChannelRecord } from "@tollgate/contract/records/channel-record";
import type { AccountChanges, AccountQueries } from "@tollgate/storage/accounts/ports";
import { type ConflictKind, StorageConflict } from "@tollgate/storage/errors";
import { readPages } from "@tollgate/storage/read-pages";

/** Rows per query at a start. */
const PAGE_ROWS = 5000;

/** The storage of the accounts' owner. */
export const accountStoreOf = ({
  read,
  write,
}: {
  read: AccountQueries;
  write: AccountChanges;
}): AccountStore => ({
  users: {
    create: write.users.create,
    change: write.users.change,
    grant: write.users.grant,
    take: write.users.take,
    transferCommission: write.commissions.transfer,
    setAccessToken: write.users.setAccessToken,
    remove: write.users.remove,
    removeManagementKeys: write.managementKeys.removeAll,
    redeem: write.redemptions.redeem,
  },
  keys: {
    count: read.tokens.count,
    create: write.tokens.create,
    createAll: write.tokens.createAll,
    grant: write.tokens.grant,
    change: write.tokens.change,
    rotate: write.tokens.rotate,
    endFormer: write.tokens.endFormer,
    forgetFormer: write.tokens.forgetFormer,
    markStatus: write.tokens.markStatus,
    remove: write.tokens.remove,
  },
  sessions: write.sessions,
});

/** The storage of the plans' owner. */
export const planStoreOf = ({
  read: { plans: read },
  write: { plans: write },
}: {
  read: Pick<AccountQueries, "plans">;
  write: Pick<AccountChanges, "plans">;
}): PlanStore => ({
  find: read.find,
  subscription: read.subscription,
  due: read.due,
  followerOf: read.followerOf,
  overdue: read.overdue,
  lastPeriod: read.lastPeriod,
  parked: read.parked,
  own: read.own,
  subscribe: write.subscribe,
  openPeriod: write.openPeriod,
  closePeriods: write.closePeriods,
  end: write.end,
});

const PLAN_REFUSALS: Partial<Record<ConflictKind, PurchaseRefusal>> = {
  "plan-unaffordable": "unaffordable",
  "plan-often-enough": "often-enough",
  "plan-followed": "followed",
  "favour-refused": "favour-refused",
};

/** Storage's refusal of a purchase; undefined for any other error. */
export const planRefusalOf = (error: unknown): PurchaseRefusal | undefined =>
  error instanceof StorageConflict ? PLAN_REFUSALS[error.kind] : undefined;

/** Reads it page by page. @param now unix seconds. */
export const readStoredAccounts = async (
  { users, tokens, sessions }: AccountQueries,
  now: number,
): Promise<StoredAccounts> => ({
  users: readPages(users.after, ({ user }) => user.id, PAGE_ROWS),
  keys: readPages(tokens.after, ({ id }) => id, PAGE_ROWS),
  sessions: await sessions.live(now),
});

export const readStoredChannels = ({ channels }: AccountQueries): AsyncGenerator<ChannelRecord[]> =>
  readPages(channels.after, ({ channel }) => channel.id, PAGE_ROWS);
