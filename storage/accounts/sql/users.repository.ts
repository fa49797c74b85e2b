import type { Identities, User } from "@tollgate/contract/api/user";
import { USER_FILTERS, USER_SORTS } from "@tollgate/contract/api/users";
import { parseLimits } from "@tollgate/contract/management/limits";
import type { ImportedUser } from "@tollgate/contract/records/imported-records";
import type { MovementLine, UserChanges, UserQueries } from "@tollgate/contract/records/people-store";
import {
  CREATED_USER_FIELDS,
  EDITED_USER_FIELDS,
  type Identity,
  type NewUser,
  PLAIN_USER_FIELDS,
  type UserChange,
  type UserRecord,
} from "@tollgate/contract/records/user-record";
import { rowReader, toColumns } from "@tollgate/contract/resource/columns";
import { foldEmail } from "@tollgate/contract/values/fold-email";
import { amountOf } from "@tollgate/contract/values/log-phrase";
import { LOG_MANAGE, USER_ENABLED } from "@tollgate/contract/values/statuses";
import { type Insertable, type Kysely, type SelectQueryBuilder, sql } from "kysely";
import { type ConflictKind, StorageConflict } from "../../errors";
import type { Secrets } from "../../secrets";
import type { SqlDialect } from "../../sql/dialect";
import { filterRows } from "../../sql/filter-rows";
import { columnsOf } from "../../sql/row-names";
import { nameColumn, readPage, storedColumns } from "../../sql/sort-rows";
import { wholeSum } from "../../sql/whole-sum";
import { insertAccountLines } from "./account-lines";
import { balanceColumn } from "./balance-column";
import { checkFavour } from "./check-favour";
import { isReturning, noteLost } from "./former-identities";
import { fromLimits, toLimits } from "./limit-columns";
import { giveWhatFits, moveBalance, moveOnce, takeWhatIsThere } from "./move-balance";
import type { Row, Tables } from "./tables";

/** Without `balance`, where the row itself has all of it; without `refunded` for memory, which keeps no use. */
type UserRow = Row<"users"> & { balance?: number | undefined; refunded?: number | undefined };

/** Quota of the user's requests that was refunded: the use that people see leaves it out. */
const REFUNDED = sql<number>`(SELECT coalesce(${sql.raw(wholeSum("request_refunds.quota"))}, 0)
  FROM request_refunds WHERE request_refunds.user_id = users.id)`;

const readPlain = rowReader(PLAIN_USER_FIELDS);

const toUser = (row: UserRow, identities: Identities): User => {
  const user = readPlain(row, { identities, limits: toLimits(row), affCode: row.aff_code ?? "" });
  if (row.balance !== undefined) user.quota = row.balance;
  user.usedQuota -= row.refunded ?? 0;
  return user;
};

const toRecord = (row: UserRow, identities: Identities): UserRecord => ({
  user: toUser(row, identities),
  passwordHash: row.password_hash,
  accessTokenHash: row.access_token_hash ?? undefined,
  planGroups: row.plan_groups,
  planLimits: parseLimits(row.plan_limits),
});

/**
 * Reads the bound accounts of the users of rows, by user id, with one query for all.
 * @param isWhole the rows are all that there are from the first one's id to the last one's.
 */
const readIdentities = async (
  db: Kysely<Tables>,
  rows: readonly UserRow[],
  isWhole = false,
): Promise<(id: number) => Identities> => {
  const identities = new Map<number, Record<string, string>>();
  const [first, last] = [rows.at(0), rows.at(-1)];
  if (!first || !last) return () => ({});
  const ids = rows.map(({ id }) => id);
  const bound = await db
    .selectFrom("identities")
    .selectAll()
    // A list of thousands of ids takes longer than the query itself.
    .where((eb) => (isWhole ? eb.between("user_id", first.id, last.id) : eb("user_id", "in", ids)))
    .execute();
  for (const { user_id: id, method, subject } of bound)
    identities.set(id, { ...identities.get(id), [method]: subject });
  return (id) => identities.get(id) ?? {};
};

const readUsers = async (db: Kysely<Tables>, rows: readonly UserRow[]): Promise<User[]> => {
  const identitiesOf = await readIdentities(db, rows);
  return rows.map((row) => toUser(row, identitiesOf(row.id)));
};

const UNIQUE_COLUMNS: Readonly<Record<string, ConflictKind>> = {
  "users.username": "username-taken",
  "users.email": "email-taken",
  // The first of its two columns: an account elsewhere is one user's.
  "identities.method": "identity-taken",
};

/** Users with an address, in any case. */
const withEmail = <Output>(query: SelectQueryBuilder<Tables, "users", Output>, email: string) =>
  query.where(sql<string>`lower(email)`, "=", foldEmail(email)).where("email", "<>", "");

/**
 * Refuses an address that another user has in another case; the index of the table compares letter for letter.
 * @throws StorageConflict
 */
const checkEmail = async (db: Kysely<Tables>, id: number, email = ""): Promise<void> => {
  if (email === "") return;
  const others = withEmail(db.selectFrom("users").select("id"), email).where("id", "<>", id);
  if (await others.limit(1).executeTakeFirst()) throw new StorageConflict("email-taken");
};

/** Names the rule that a write broke; any other error stays as it is. */
const readConflict = (error: unknown, dialect: SqlDialect): unknown => {
  const column = dialect.takenColumn(error);
  const kind = column === undefined ? undefined : UNIQUE_COLUMNS[column];
  return kind === undefined ? error : new StorageConflict(kind);
};

const countUsers = async (db: Kysely<Tables>): Promise<number> => {
  const row = await db
    .selectFrom("users")
    .select((eb) => eb.fn.countAll<number>().as("count"))
    .executeTakeFirstOrThrow();
  return row.count;
};

export const userReads = (db: Kysely<Tables>, secrets: Secrets, dialect: SqlDialect): UserQueries => {
  /** As people see them. Memory does not ask for balances that nodes lease. */
  const users = () =>
    db
      .selectFrom("users")
      .selectAll()
      .select([...balanceColumn(dialect, "users"), REFUNDED.as("refunded")]);
  /** All users without a keyword. */
  const foundUsers = (keyword: string | undefined) =>
    keyword === undefined
      ? users()
      : users().where((eb) =>
          eb.or([
            eb("id", "=", /^\d{1,15}$/.test(keyword) ? Number(keyword) : 0),
            ...["username", "email", "display_name"].map((column) => dialect.beginsWith(column, keyword)),
          ]),
        );
  return {
    async after(id, limit) {
      const rows = await db
        .selectFrom("users")
        .selectAll()
        .where("id", ">", id)
        .orderBy("id")
        .limit(limit)
        .execute();
      const identitiesOf = await readIdentities(db, rows, true);
      return rows.map((row) => toRecord(row, identitiesOf(row.id)));
    },

    async withIds(ids) {
      const rows = await db.selectFrom("users").selectAll().where("id", "in", ids).execute();
      const identitiesOf = await readIdentities(db, rows);
      return rows.map((row) => toRecord(row, identitiesOf(row.id)));
    },

    count: () => countUsers(db),

    async find(id) {
      const rows = await users().where("id", "=", id).execute();
      return (await readUsers(db, rows)).at(0);
    },

    async page(offset, limit, sort, filter = {}, keyword) {
      const rows = await readPage(
        filterRows(foundUsers(keyword), filter, USER_FILTERS),
        sort,
        {
          ...storedColumns(USER_SORTS),
          username: nameColumn("username"),
          quota: dialect.balance?.("users") ?? sql.ref("quota"),
          used_quota: sql`used_quota - ${REFUNDED}`,
        },
        { offset, limit },
      );
      return readUsers(db, rows);
    },

    async before(id, limit, keyword, filter = {}) {
      const found = filterRows(foundUsers(keyword), filter, USER_FILTERS);
      return readUsers(db, await found.where("id", "<", id).orderBy("id", "desc").limit(limit).execute());
    },

    async findBy(column, value) {
      if (value === "") return undefined;
      const found =
        column === "email"
          ? // An older version may have stored one address twice, in different case.
            withEmail(users(), value).orderBy(sql`email = ${value}`, "desc").orderBy("id")
          : users().where(column, "=", value);
      return (await readUsers(db, await found.limit(1).execute())).at(0);
    },

    async findByIdentity({ method, subject }) {
      const owner = db
        .selectFrom("identities")
        .select("user_id")
        .where("method", "=", method)
        .where("subject", "=", subject);
      const rows = await users().where("id", "=", owner).execute();
      return (await readUsers(db, rows)).at(0);
    },

    async findByRole(role) {
      const rows = await users().where("role", "=", role).orderBy("id").limit(1).execute();
      return (await readUsers(db, rows)).at(0);
    },

    async accessToken(id) {
      const row = await db
        .selectFrom("users")
        .select("access_token_sealed")
        .where("id", "=", id)
        .executeTakeFirst();
      return row?.access_token_sealed ? secrets.open(row.access_token_sealed) : "";
    },
  };
};

/** Binds an account elsewhere to a user, replacing one of the same method. */
const bind = async (db: Kysely<Tables>, userId: number, { method, subject }: Identity): Promise<void> => {
  await db
    .insertInto("identities")
    .values({ user_id: userId, method, subject })
    .onConflict((conflict) => conflict.columns(["user_id", "method"]).doUpdateSet({ subject }))
    .execute();
};

/** Runs after `noteLost`, whose lock keeps two of these from letting go of each other's last one. */
const unbind = async (
  db: Kysely<Tables>,
  userId: number,
  { method, keepsOneOf }: NonNullable<UserChange["unbinds"]>,
): Promise<void> => {
  await db.deleteFrom("identities").where("user_id", "=", userId).where("method", "=", method).execute();
  if (keepsOneOf === undefined) return;
  const remaining = await db
    .selectFrom("identities")
    .select("method")
    .where("user_id", "=", userId)
    .execute();
  const kept: ReadonlySet<string> = new Set(keepsOneOf);
  if (!remaining.some((each) => kept.has(each.method))) throw new StorageConflict("last-identity");
};

const newColumns = (user: NewUser | ImportedUser, secrets: Secrets) => ({
  ...toColumns(CREATED_USER_FIELDS, user),
  access_token_hash: user.accessToken === undefined ? null : secrets.hash(user.accessToken),
  access_token_sealed: user.accessToken === undefined ? null : secrets.seal(user.accessToken),
  aff_code: user.affCode === "" ? null : user.affCode,
});

/** A user that another gateway had, as it is stored; without the accounts elsewhere. */
export const importedUserColumns = (user: ImportedUser, secrets: Secrets): Insertable<Tables["users"]> => {
  const { id, status, quota, usedQuota, unloggedQuota, requestCount } = user;
  return {
    ...newColumns(user, secrets),
    ...columnsOf({ id, status, quota, usedQuota, unloggedQuota, requestCount }),
    granted_quota: quota + usedQuota,
  };
};

const boundBy = (identity: Identity | undefined): Identities =>
  identity ? { [identity.method]: identity.subject } : {};

/** Puts the line of a movement into the log, if it has one. */
const insertMovementLine = async (
  db: Kysely<Tables>,
  { id, quota, at }: { id: number; quota: number; at: number },
  line: MovementLine | undefined,
): Promise<void> => {
  if (!line) return;
  const { username, code, unit } = line;
  const phrase = { code, amount: amountOf(quota, unit.quotaPerUnit, unit.isCurrency) } as const;
  await insertAccountLines(db, [{ createdAt: at, userId: id, username, type: LOG_MANAGE, phrase }]);
};

/** Creates a user with its gifts, which a person who had an account before does not get. */
const creating =
  (db: Kysely<Tables>, secrets: Secrets, dialect: SqlDialect): UserChanges["create"] =>
  async (user, inviterReward, lines) => {
    try {
      return await db.transaction().execute(async (transaction) => {
        const { identity, email } = user;
        const row = await transaction
          .insertInto("users")
          .values({
            ...newColumns(user, secrets),
            status: USER_ENABLED,
            ...{ quota: 0, granted_quota: 0, used_quota: 0, unlogged_quota: 0, request_count: 0 },
          })
          .returningAll()
          .executeTakeFirstOrThrow();
        await checkEmail(transaction, row.id, email);
        if (identity) await bind(transaction, row.id, identity);
        // Now that both are this user's: another account that is deleted at this moment has lost them before.
        if (await isReturning(transaction, { identities: identity ? [identity] : [], email }, secrets)) {
          await transaction.updateTable("users").set({ is_returning: 1 }).where("id", "=", row.id).execute();
          return { ...toRecord(row, boundBy(identity)), rewardedQuota: 0 };
        }
        const given = { actorId: 0, at: user.createdTime };
        const quota =
          (await giveWhatFits(transaction, row.id, user.quota, { ...given, cause: "new-user-gift" })) +
          (await giveWhatFits(transaction, row.id, user.inviteeQuota ?? 0, {
            ...given,
            cause: "invitee-gift",
          }));
        const rewardedQuota = await giveWhatFits(transaction, user.inviterId, inviterReward, {
          ...given,
          cause: "inviter-gift",
          reference: String(row.id),
        });
        await insertAccountLines(
          transaction,
          lines.map((line) => (line.userId === 0 ? { ...line, userId: row.id } : line)),
        );
        return { ...toRecord({ ...row, quota }, boundBy(identity)), rewardedQuota };
      });
    } catch (error) {
      throw readConflict(error, dialect);
    }
  };

export const userWrites = (db: Kysely<Tables>, secrets: Secrets, dialect: SqlDialect): UserChanges => ({
  create: creating(db, secrets, dialect),

  async change(id, change, lines = []) {
    const { quotaMove, limits = {} } = change;
    const columns = { id, ...toColumns(EDITED_USER_FIELDS, change), ...fromLimits(limits) };
    const seen = change.onlyWithPasswordHash;
    try {
      return await db.transaction().execute(async (transaction) => {
        if (change.actorId !== undefined) await checkFavour(transaction, [change.actorId], id);
        if (quotaMove) await moveOnce(transaction, { of: "user", id }, quotaMove);
        const { unbinds } = change;
        const identities = change.unbindsAll
          ? "all"
          : (change.identity ?? (unbinds && { method: unbinds.method, subject: "" }));
        await noteLost(transaction, id, { identities, email: change.email }, secrets);
        const row = await transaction
          .updateTable("users")
          .set(columns)
          .where("id", "=", id)
          .$if(seen !== undefined, (query) => query.where("password_hash", "=", seen ?? ""))
          .returningAll()
          .returning([...balanceColumn(dialect, "users"), REFUNDED.as("refunded")])
          .executeTakeFirst();
        if (!row) throw new StorageConflict("not-found");
        await checkEmail(transaction, id, change.email);
        if (change.unbindsAll) {
          await transaction.deleteFrom("identities").where("user_id", "=", id).execute();
          await transaction.deleteFrom("second_factors").where("user_id", "=", id).execute();
          await transaction.deleteFrom("passkeys").where("user_id", "=", id).execute();
        }
        if (change.identity) await bind(transaction, id, change.identity);
        if (unbinds) await unbind(transaction, id, unbinds);
        await insertAccountLines(transaction, lines);
        const identitiesOf = await readIdentities(transaction, [row]);
        return toRecord(row, identitiesOf(id));
      });
    } catch (error) {
      throw readConflict(error, dialect);
    }
  },

  grant(id, quota, movement, line) {
    return db.transaction().execute(async (transaction) => {
      const isMoved = await moveBalance(transaction, { of: "user", id }, { difference: quota, movement });
      if (isMoved) await insertMovementLine(transaction, { id, quota, at: movement.at }, line);
      return isMoved ? quota : 0;
    });
  },

  take(id, most, movement, line) {
    return db.transaction().execute(async (transaction) => {
      const quota = await takeWhatIsThere(transaction, id, most, movement);
      if (quota > 0) await insertMovementLine(transaction, { id, quota, at: movement.at }, line);
      return quota;
    });
  },

  async forgetDone(before) {
    await db.deleteFrom("done_operations").where("created_at", "<", before).execute();
  },

  async setAccessToken(id, accessToken) {
    const hash = secrets.hash(accessToken);
    await db
      .updateTable("users")
      .set({ access_token_hash: hash, access_token_sealed: secrets.seal(accessToken) })
      .where("id", "=", id)
      .execute();
    return hash;
  },

  async remove(id) {
    await db.transaction().execute(async (transaction) => {
      await noteLost(transaction, id, { identities: "all", email: "" }, secrets);
      await transaction.deleteFrom("users").where("id", "=", id).execute();
    });
  },
});
