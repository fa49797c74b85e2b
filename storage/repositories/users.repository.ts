import type { User } from "@tollgate/contract/control/user";
import type { Kysely, Selectable, Updateable } from "kysely";
import { StorageConflict } from "../errors";
import type { Tables, UsersTable } from "../schema/tables";
import type { Secrets } from "../secrets";

/** A user with what signing in needs; the hashes never leave the server. */
export interface UserRecord {
  user: User;
  passwordHash: string;
  /** Keyed hash of the access token, undefined when there is none. */
  accessTokenHash: string | undefined;
}

export interface NewUser {
  username: string;
  passwordHash: string;
  displayName: string;
  role: number;
  quota: number;
  group: string;
  accessToken: string | undefined;
  createdTime: number;
}

export interface UserChange {
  username?: string;
  displayName?: string;
  passwordHash?: string;
}

const toUser = (row: Selectable<UsersTable>): User => ({
  id: row.id,
  username: row.username,
  displayName: row.display_name,
  role: row.role,
  status: row.status,
  email: row.email,
  githubId: row.github_id,
  wechatId: row.wechat_id,
  quota: row.quota,
  usedQuota: row.used_quota,
  requestCount: row.request_count,
  group: row.group,
  affCode: row.aff_code ?? "",
  inviterId: row.inviter_id,
});

const toRecord = (row: Selectable<UsersTable>): UserRecord => ({
  user: toUser(row),
  passwordHash: row.password_hash,
  accessTokenHash: row.access_token_hash ?? undefined,
});

const isUniqueViolation = (error: unknown): boolean =>
  error instanceof Error && error.message.includes("UNIQUE constraint failed: users.username");

export const userReads = (db: Kysely<Tables>, secrets: Secrets) => ({
  /** Every user, for the directory that is kept in memory. */
  async all(): Promise<UserRecord[]> {
    return (await db.selectFrom("users").selectAll().orderBy("id").execute()).map(toRecord);
  },

  async count(): Promise<number> {
    const row = await db
      .selectFrom("users")
      .select((eb) => eb.fn.countAll<number>().as("count"))
      .executeTakeFirstOrThrow();
    return row.count;
  },

  async find(id: number): Promise<User | undefined> {
    const row = await db.selectFrom("users").selectAll().where("id", "=", id).executeTakeFirst();
    return row && toUser(row);
  },

  /** The user's own access token in clear; "" when there is none. */
  async accessToken(id: number): Promise<string> {
    const row = await db
      .selectFrom("users")
      .select("access_token_sealed")
      .where("id", "=", id)
      .executeTakeFirst();
    return row?.access_token_sealed ? secrets.open(row.access_token_sealed) : "";
  },
});

export const userWrites = (db: Kysely<Tables>, secrets: Secrets) => ({
  /** @throws StorageConflict "username-taken" */
  async create(user: NewUser): Promise<UserRecord> {
    try {
      const row = await db
        .insertInto("users")
        .values({
          username: user.username,
          password_hash: user.passwordHash,
          display_name: user.displayName,
          role: user.role,
          status: 1,
          email: "",
          github_id: "",
          wechat_id: "",
          access_token_hash: user.accessToken === undefined ? null : secrets.hash(user.accessToken),
          access_token_sealed: user.accessToken === undefined ? null : secrets.seal(user.accessToken),
          quota: user.quota,
          used_quota: 0,
          request_count: 0,
          group: user.group,
          aff_code: null,
          inviter_id: 0,
          created_time: user.createdTime,
        })
        .returningAll()
        .executeTakeFirstOrThrow();
      return toRecord(row);
    } catch (error) {
      throw isUniqueViolation(error) ? new StorageConflict("username-taken") : error;
    }
  },

  /** @throws StorageConflict "username-taken" or "not-found" */
  async change(id: number, change: UserChange): Promise<UserRecord> {
    const columns: Updateable<UsersTable> = {};
    if (change.username !== undefined) columns.username = change.username;
    if (change.displayName !== undefined) columns.display_name = change.displayName;
    if (change.passwordHash !== undefined) columns.password_hash = change.passwordHash;
    try {
      const row =
        Object.keys(columns).length === 0
          ? await db.selectFrom("users").selectAll().where("id", "=", id).executeTakeFirst()
          : await db.updateTable("users").set(columns).where("id", "=", id).returningAll().executeTakeFirst();
      if (!row) throw new StorageConflict("not-found");
      return toRecord(row);
    } catch (error) {
      throw isUniqueViolation(error) ? new StorageConflict("username-taken") : error;
    }
  },

  /** Replaces the user's access token. @returns its keyed hash. */
  async setAccessToken(id: number, accessToken: string): Promise<string> {
    const hash = secrets.hash(accessToken);
    await db
      .updateTable("users")
      .set({ access_token_hash: hash, access_token_sealed: secrets.seal(accessToken) })
      .where("id", "=", id)
      .execute();
    return hash;
  },
});
