import type { AccountId, BookedCharge, LeaseCharge, LowBalance } from "@tollgate/contract/records/lease";
import { type Kysely, type RawBuilder, sql } from "kysely";
import { encodeRequests } from "../../outbox/log-entry";
import { codeOf, LOCK_KEPT } from "../../postgres/explain-failure";
import { decodeChanges } from "../charges";
import { chargesRefused } from "../charges-refused";
import type { Bookings, ChargedRows, Leases, PreparedBatch } from "../node-ports";
import type { Tables } from "../sql/tables";
import { accountOf, BALANCES, idsIn, lockBalances, rowOf, TOKENS, USERS } from "./balances";
import { changeSteps, type FromLeases, writeChanges } from "./charges.repository";
import { isLive } from "./nodes.repository";

/** The first half of the name of a lock, by PostgreSQL's numbers for them; the second is an epoch. */
const BATCHES = 7_305_806;

/** Computes the quota of charges, one after another, of locked balances. */
class Booking {
  /** Quota taken out of leases, by account. */
  readonly leased = new Map<AccountId, number>();

  /** @param isLate nothing is leased any more. */
  constructor(
    private readonly balances: Map<AccountId, number>,
    private readonly isLate: boolean,
  ) {}

  book(charge: LeaseCharge): BookedCharge {
    const price = charge.quota + charge.shortfall;
    const charged = this.take(charge.user, charge.quota, price);
    const takenFromKey = charge.key ? this.take(charge.key, charge.keyQuota, charged) : 0;
    return {
      requestId: charge.requestId,
      charged,
      shortfall: price - charged,
      takenFromKey,
      keyShortfall: charge.key ? charged - takenFromKey : 0,
    };
  }

  /** Returns whether each user keeps at least this, besides the quota that nodes lease. @param least quota. */
  leaves(least: number): boolean {
    for (const [account, balance] of this.balances)
      if (rowOf(account).columns === USERS && balance < least) return false;
    return true;
  }

  /**
   * @returns the quota taken for `price`: `leased` from the lease, the rest from the balance as far as it covers it.
   */
  private take(account: AccountId, leased: number, price: number): number {
    const balance = this.balances.get(account);
    // An account that was removed has nothing, and no lease.
    if (balance === undefined) return 0;
    const fromLease = this.isLate ? 0 : leased;
    const fromBalance = Math.min(balance, price - fromLease);
    this.balances.set(account, balance - fromBalance);
    if (fromLease > 0) this.leased.set(account, (this.leased.get(account) ?? 0) + fromLease);
    return fromLease + fromBalance;
  }
}

/** The balances of those accounts that there are, locked. */
const lockAll = async (
  transaction: Kysely<Tables>,
  charges: readonly LeaseCharge[],
): Promise<Map<AccountId, number>> => {
  const accounts = new Set(charges.flatMap(({ user, key }) => (key ? [user, key] : [user])));
  const balances = new Map<AccountId, number>();
  for (const columns of BALANCES) {
    const locked = await lockBalances(transaction, columns, idsIn(accounts, columns));
    for (const [id, balance] of locked) balances.set(accountOf(columns, id), balance);
  }
  return balances;
};

/** Those of requests that were booked before. */
const readBooked = async (
  transaction: Kysely<Tables>,
  charges: readonly LeaseCharge[],
): Promise<Map<string, BookedCharge>> => {
  const { rows } = await sql<BookedCharge>`
    SELECT request_id AS "requestId", charged, shortfall, taken_from_key AS "takenFromKey", key_shortfall AS "keyShortfall"
    FROM charges WHERE request_id = ANY(${charges.map(({ requestId }) => requestId)}::text[])`.execute(
    transaction,
  );
  return new Map(rows.map((booked) => [booked.requestId, booked]));
};

interface NewCharge {
  readonly charge: LeaseCharge;
  readonly booked: BookedCharge;
}

/** Returns the quota taken out of leases, by the ids of users and of tokens. */
const leasedOf = (leased: ReadonlyMap<AccountId, number>): FromLeases => {
  const [users = new Map(), tokens = new Map()] = BALANCES.map(
    (columns) =>
      new Map(idsIn(leased.keys(), columns).map((id) => [id, leased.get(accountOf(columns, id)) ?? 0])),
  );
  return { users, tokens };
};

/** Takes from leases of an epoch. */
const takeFrom = (
  { leases, owner }: (typeof BALANCES)[number],
  epoch: number,
  taken: ReadonlyMap<number, number>,
): RawBuilder<unknown> =>
  sql`UPDATE ${sql.table(leases)} AS lease SET quota = lease.quota - taken.quota
    FROM unnest(${[...taken.keys()]}::bigint[], ${[...taken.values()]}::bigint[]) AS taken (id, quota)
    WHERE lease.epoch = ${epoch} AND ${sql.ref(`lease.${owner}`)} = taken.id RETURNING 1`;

/**
 * Writes charges as booked, with all their changes: one statement, whatever their number.
 * @throws ChargesRefused when a lease is missing, and PostgreSQL's error when it has too little: quota would come from
 *   nowhere.
 */
const writeBooked = async (
  transaction: Kysely<Tables>,
  epoch: number,
  news: readonly NewCharge[],
  leased: FromLeases,
  { changes, entries }: PreparedBatch,
): Promise<void> => {
  const numbers = (value: (one: NewCharge) => number | null) => sql`${news.map(value)}::bigint[]`;
  const { rows } = await sql<{ users: number; tokens: number }>`WITH of_charges AS (
    INSERT INTO charges (request_id, user_id, token_id, charged, shortfall, taken_from_key, key_shortfall, epoch)
    SELECT *, ${epoch}::bigint FROM unnest(${news.map(({ charge }) => charge.requestId)}::text[], ${numbers(({ charge }) => rowOf(charge.user).id)},
      ${numbers(({ charge }) => (charge.key ? rowOf(charge.key).id : null))}, ${numbers(({ booked }) => booked.charged)},
      ${numbers(({ booked }) => booked.shortfall)}, ${numbers(({ booked }) => booked.takenFromKey)},
      ${numbers(({ booked }) => booked.keyShortfall)})
  ), of_epoch AS (
    INSERT INTO booked_epochs (epoch, booked_at) VALUES (${epoch}, now())
    ON CONFLICT (epoch) DO UPDATE SET booked_at = excluded.booked_at
  ), of_user_leases AS (${takeFrom(USERS, epoch, leased.users)}),
  of_token_leases AS (${takeFrom(TOKENS, epoch, leased.tokens)}),
  ${changeSteps(decodeChanges(changes), entries, leased)}
  SELECT (SELECT count(*) FROM of_user_leases) AS users, (SELECT count(*) FROM of_token_leases) AS tokens`.execute(
    transaction,
  );
  const [taken] = rows;
  if (taken?.users !== leased.users.size || taken.tokens !== leased.tokens.size)
    throw chargesRefused(new Error(`a batch of epoch ${epoch} takes from leases that it does not have`));
};

/** Whether a balance has just become so small that its owner is to know. */
const crosses = (before: number, after: number, remindBelow: number): boolean =>
  (before >= remindBelow && after < remindBelow) || (before > 0 && after === 0);

/**
 * Returns users that a batch took below a threshold, or to nothing. The leased part of a balance is queried only when
 * the rest is below. A repeated batch returns the same, because the first answer may have been lost.
 */
const lowBalances = async (
  transaction: Kysely<Tables>,
  charges: readonly LeaseCharge[],
  booked: ReadonlyMap<string, BookedCharge>,
  remindBelow: number,
): Promise<LowBalance[]> => {
  const taken = new Map<number, number>();
  for (const { user, requestId } of charges) {
    const { id } = rowOf(user);
    taken.set(id, (taken.get(id) ?? 0) + (booked.get(requestId)?.charged ?? 0));
  }
  const { rows } = await sql<{ id: number; left: number }>`
    SELECT id, quota + (SELECT coalesce(sum(quota), 0) FROM user_leases WHERE user_id = users.id) AS "left"
    FROM users WHERE id = ANY(${[...taken.keys()]}::bigint[]) AND quota < ${Math.max(1, remindBelow)}
    ORDER BY id`.execute(transaction);
  return rows.flatMap(({ id, left }) =>
    crosses(left + (taken.get(id) ?? 0), left, remindBelow) ? [{ user: accountOf(USERS, id), left }] : [],
  );
};

/**
 * PostgreSQL's error codes of values that it will not store, whatever the query: of a wrong type (class 22), against a
 * constraint (23), too large for a row or an index (54).
 */
const OF_VALUES = /^(22|23|54)/;

/** @throws ChargesRefused for an error that a retry would repeat. */
const telling = async <T>(step: () => Promise<T>): Promise<T> => {
  try {
    return await step();
  } catch (error) {
    if (error instanceof Error && OF_VALUES.test(codeOf(error) ?? "")) throw chargesRefused(error);
    throw error;
  }
};

/** Ends a transaction of which another transaction keeps a row locked. */
class HeldUp extends Error {}

/** Runs a step that locks rows. @throws HeldUp when another transaction keeps one of them locked. */
const withRows = async <T>(step: () => Promise<T>): Promise<T> => {
  try {
    return await step();
  } catch (error) {
    if (codeOf(error) === LOCK_KEPT) throw new HeldUp();
    throw error;
  }
};

/** Those of the rows of a table that are there and locked. */
const lockedIn = async (
  transaction: Kysely<Tables>,
  table: keyof ChargedRows,
  ids: readonly number[],
): Promise<number[]> => {
  if (ids.length === 0) return [];
  const { rows } = await sql<{ id: number }>`
    WITH free AS (SELECT id FROM ${sql.table(table)} WHERE id = ANY(${ids}::bigint[]) ORDER BY id FOR NO KEY UPDATE SKIP LOCKED)
    SELECT id FROM ${sql.table(table)} WHERE id = ANY(${ids}::bigint[]) AND id NOT IN (SELECT id FROM free)
    ORDER BY id`.execute(transaction);
  return rows.map(({ id }) => id);
};

const isLike = (one: BookedCharge, other: BookedCharge | undefined): boolean =>
  other?.requestId === one.requestId &&
  other.charged === one.charged &&
  other.shortfall === one.shortfall &&
  other.takenFromKey === one.takenFromKey &&
  other.keyShortfall === one.keyShortfall;

const book = (db: Kysely<Tables>, ...[batch, remindBelow]: Parameters<Bookings["book"]>) =>
  telling(() =>
    db.transaction().execute(async (transaction) => {
      const { epoch, charges, expected } = batch;
      // A repeated batch waits for the first one and finds its bookings; also when no row of a node is left to wait
      // for.
      await sql`SELECT pg_advisory_xact_lock(${BATCHES}::int, ${epoch}::int)`.execute(transaction);
      const isLate = !(await isLive(transaction, epoch));
      const known = await readBooked(transaction, charges);
      const unknown = charges.filter(({ requestId }) => !known.has(requestId));
      const booking = new Booking(await withRows(() => lockAll(transaction, unknown)), isLate);
      const news: NewCharge[] = [];
      for (const charge of unknown) {
        if (known.has(charge.requestId)) continue;
        const booked = booking.book(charge);
        known.set(charge.requestId, booked);
        news.push({ charge, booked });
      }
      if (news.length > 0) {
        const isExpected =
          news.length === expected.length &&
          news.every(({ booked }, index) => isLike(booked, expected[index]));
        if (!isExpected) return { unlike: news.map(({ booked }) => booked) };
        await withRows(() => writeBooked(transaction, epoch, news, leasedOf(booking.leased), batch));
      }
      const booked = charges.flatMap(({ requestId }) => known.get(requestId) ?? []);
      if (remindBelow === undefined) return { booked, isLate };
      const isFarAbove = news.length === charges.length && booking.leaves(Math.max(1, remindBelow));
      const low = isFarAbove ? [] : await lowBalances(transaction, charges, known, remindBelow);
      return { booked, isLate, low };
    }),
  );

/** Charges of nodes. Rows are locked in this order: the node, users, tokens, leases, channels. */
export const bookingWrites = (db: Kysely<Tables>): Omit<Bookings, "reach"> => ({
  async book(...asked) {
    try {
      return await book(db, ...asked);
    } catch (error) {
      if (error instanceof HeldUp) return "held up";
      throw error;
    }
  },
  lockedOf: ({ users, tokens, channels }) =>
    db.transaction().execute(async (transaction) => ({
      users: await lockedIn(transaction, "users", users),
      tokens: await lockedIn(transaction, "tokens", tokens),
      channels: await lockedIn(transaction, "channels", channels),
    })),
});

/** Charges that are taken back. */
export const refundWrites = (db: Kysely<Tables>) =>
  ({
    refund: (requestId, entryOf) =>
      db.transaction().execute(async (transaction) => {
        const { rows } = await sql<BookedCharge & { userId: number; tokenId: number | null }>`
          UPDATE charges SET is_refunded = 1 WHERE request_id = ${requestId} AND is_refunded = 0
          RETURNING request_id AS "requestId", charged, shortfall, taken_from_key AS "takenFromKey",
            key_shortfall AS "keyShortfall", user_id AS "userId", token_id AS "tokenId"`.execute(transaction);
        const [row] = rows;
        if (!row) return;
        const { userId, tokenId, ...booked } = row;
        const [quota, tokenQuota] = [0 - booked.charged, 0 - booked.takenFromKey];
        const entry = entryOf(booked);
        // As the log counts it: a request of its own.
        const given = [quota, tokenQuota, 1, entry.createdAt] as const;
        const key = tokenId ?? entry.tokenId;
        const changes = {
          users: [[userId, ...given]],
          tokens: [[key, ...given]],
          channels: [[entry.channelId, ...given]],
        } satisfies Parameters<typeof writeChanges>[1];
        const line = { ...entry, requestId, userId, tokenId: key, count: "answered", quota } as const;
        await writeChanges(transaction, changes, encodeRequests([line]));
      }),
  }) satisfies Pick<Leases, "refund">;
