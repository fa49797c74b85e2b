import type { NewAnnouncement } from "@tollgate/contract/records/announcement-record";
import type {
  ImportedApiKey,
  ImportedChannel,
  ImportedOption,
  ImportedPlan,
  ImportedRedemption,
  ImportedSubscription,
  ImportedUser,
} from "@tollgate/contract/records/imported-records";
import type { NewPasskey } from "@tollgate/contract/records/passkey-record";
import type { SecondFactor } from "@tollgate/contract/records/second-factor-record";
import type { AmountUnit } from "@tollgate/contract/values/log-phrase";
import { MAX_QUOTA } from "@tollgate/contract/values/quota";
import { REDEMPTION_USED } from "@tollgate/contract/values/statuses";
import { type Insertable, type Kysely, sql } from "kysely";
import type { Secrets } from "../../secrets";
import type { SqlDialect } from "../../sql/dialect";
import { announcementColumns } from "./announcements.repository";
import { importedApiKeyColumns } from "./api-keys.repository";
import { importedChannelColumns } from "./channels.repository";
import { passkeyColumns } from "./passkeys.repository";
import { insertSubscription, openPlanPeriod } from "./plan-subscriptions";
import { insertImportedPlan } from "./plans.repository";
import { importedRedemptionColumns } from "./redemptions.repository";
import { secondFactorColumns } from "./second-factors.repository";
import type { Tables } from "./tables";
import { importedUserColumns } from "./users.repository";

/** All that the accounts store takes from another gateway. */
export interface ImportedAccounts {
  options: readonly ImportedOption[];
  announcements: readonly NewAnnouncement[];
  users: readonly ImportedUser[];
  /** Of users who are among `users`, one for each. */
  secondFactors: readonly SecondFactor[];
  /** Of users who are among `users`. */
  passkeys: readonly NewPasskey[];
  tokens: readonly ImportedApiKey[];
  channels: readonly ImportedChannel[];
  redemptions: readonly ImportedRedemption[];
  plans: readonly ImportedPlan[];
  /** Of users who are among `users`. */
  subscriptions: readonly ImportedSubscription[];
}

/** Rows of one statement: with some twenty columns each they stay far below the parameters that any engine takes. */
const GROUP = 100;

const inGroups = async <Row>(
  rows: readonly Row[],
  insert: (group: readonly Row[]) => Promise<unknown>,
): Promise<void> => {
  for (let from = 0; from < rows.length; from += GROUP) await insert(rows.slice(from, from + GROUP));
};

/** Adds ledger entries for the balances that accounts came with. */
const enterBalances = async (db: Kysely<Tables>, at: number): Promise<void> => {
  await sql`INSERT INTO ledger_entries (user_id, account, amount, cause, created_at)
    SELECT id, 'balance', granted_quota, 'imported', ${at} FROM users WHERE granted_quota <> 0`.execute(db);
  await sql`INSERT INTO ledger_entries (user_id, account, key_id, amount, cause, created_at)
    SELECT user_id, 'key', id, granted_quota, 'imported', ${at} FROM tokens WHERE granted_quota <> 0`.execute(
    db,
  );
};

/**
 * Stores the data of another gateway, with its ids, in the tables of a new SQLite file, within the caller's
 * transaction.
 * @param unit in which the log shows the quota that plans grant.
 */
export const loadAccounts = async (
  db: Kysely<Tables>,
  dialect: SqlDialect,
  secrets: Secrets,
  {
    options,
    announcements,
    users,
    secondFactors,
    passkeys,
    tokens,
    channels,
    redemptions,
    plans,
    subscriptions,
  }: ImportedAccounts,
  unit: AmountUnit,
): Promise<void> => {
  await inGroups(options, (group) =>
    db
      .insertInto("options")
      .values(
        group.map(({ key, value, isSecret }) => ({
          key,
          value: isSecret ? secrets.seal(value) : value,
          is_sealed: isSecret ? 1 : 0,
        })),
      )
      .execute(),
  );
  await inGroups(announcements, (group) =>
    db.insertInto("announcements").values(group.map(announcementColumns)).execute(),
  );
  await inGroups(users, (group) =>
    db
      .insertInto("users")
      .values(group.map((user) => importedUserColumns(user, secrets)))
      .execute(),
  );
  await inGroups(secondFactors, (group) =>
    db
      .insertInto("second_factors")
      .values(group.map((factor) => secondFactorColumns(factor, secrets)))
      .execute(),
  );
  await inGroups(passkeys, (group) => db.insertInto("passkeys").values(group.map(passkeyColumns)).execute());
  const identities = users.flatMap(({ id, identities: bound }) =>
    bound.map(({ method, subject }): Insertable<Tables["identities"]> => ({ user_id: id, method, subject })),
  );
  await inGroups(identities, (group) =>
    db
      .insertInto("identities")
      .values([...group])
      .execute(),
  );
  await inGroups(tokens, (group) =>
    db
      .insertInto("tokens")
      .values(group.map((token) => importedApiKeyColumns(token, secrets)))
      .execute(),
  );
  const now = Math.floor(Date.now() / 1000);
  await enterBalances(db, now);
  for (const plan of plans) await insertImportedPlan(db, plan);
  for (const { period, createdTime, ...subscription } of subscriptions) {
    const { id } = await insertSubscription(db, { ...subscription, renews: false, now: createdTime });
    const first = { ...period, subscriptionId: id, now, mostParked: MAX_QUOTA };
    await openPlanPeriod(db, dialect, first, unit);
  }
  await inGroups(channels, (group) =>
    db
      .insertInto("channels")
      .values(group.map((channel) => importedChannelColumns(channel, secrets)))
      .execute(),
  );
  await inGroups(redemptions, (group) =>
    db
      .insertInto("redemptions")
      .values(group.map((redemption) => importedRedemptionColumns(redemption, secrets)))
      .execute(),
  );
  await sql`INSERT INTO redemption_uses (redemption_id, user_id, used_at, quota)
    SELECT id, redeemed_by, redeemed_time, quota FROM redemptions WHERE status = ${REDEMPTION_USED}`.execute(
    db,
  );
};
