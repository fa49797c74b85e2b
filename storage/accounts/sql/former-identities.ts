import type { Identity } from "@tollgate/contract/records/user-record";
import type { Kysely } from "kysely";
import type { Secrets } from "../../secrets";
import type { Tables } from "./tables";

/*
 * Persons who had an account before. Gifts and first purchases are for new ones: otherwise a user could delete the
 * account, sign in again and have them again. Only keyed hashes are kept.
 */

/** The accounts elsewhere and the address that a person is known by. */
interface KnownBy {
  readonly identities: readonly Readonly<Record<keyof Identity, string>>[];
  /** "" for none. */
  readonly email: string;
}

const hashesOf = ({ identities, email }: KnownBy, secrets: Secrets): string[] => [
  ...identities.map(({ method, subject }) => secrets.hash(`former identity ${method} ${subject}`)),
  ...(email === "" ? [] : [secrets.hash(`former address ${email.toLowerCase()}`)]),
];

const noteFormer = async (db: Kysely<Tables>, known: KnownBy, secrets: Secrets): Promise<void> => {
  const hashes = hashesOf(known, secrets);
  if (hashes.length === 0) return;
  await db
    .insertInto("former_identities")
    .values(hashes.map((hash) => ({ identity_hash: hash })))
    .onConflict((conflict) => conflict.column("identity_hash").doNothing())
    .execute();
};

/** Whether another account had one of these before. */
export const isReturning = async (db: Kysely<Tables>, known: KnownBy, secrets: Secrets): Promise<boolean> => {
  const hashes = hashesOf(known, secrets);
  if (hashes.length === 0) return false;
  const found = await db
    .selectFrom("former_identities")
    .select("identity_hash")
    .where("identity_hash", "in", hashes)
    .limit(1)
    .executeTakeFirst();
  return found !== undefined;
};

/** Whether a user had an account before (`isReturning`). */
export const isReturningUser = async (db: Kysely<Tables>, userId: number): Promise<boolean> => {
  const user = await db
    .selectFrom("users")
    .select("is_returning")
    .where("id", "=", userId)
    .executeTakeFirst();
  return user?.is_returning === 1;
};

/** What a change takes from a user. */
interface Lost {
  /** All accounts elsewhere, or the one that another one replaces; undefined for none. */
  readonly identities: "all" | Identity | undefined;
  /** The address after the change; undefined where it stays. */
  readonly email: string | undefined;
}

/** Notes what a user is about to lose. The user's row is locked here, so that no other change comes between. */
export const noteLost = async (
  db: Kysely<Tables>,
  userId: number,
  { identities, email }: Lost,
  secrets: Secrets,
): Promise<void> => {
  if (identities === undefined && email === undefined) return;
  const user = await db
    .updateTable("users")
    .set((eb) => ({ email: eb.ref("email") }))
    .where("id", "=", userId)
    .returning("email")
    .executeTakeFirst();
  if (!user) return;
  const bound = await db
    .selectFrom("identities")
    .select(["method", "subject"])
    .where("user_id", "=", userId)
    .execute();
  const lost = bound.filter(
    ({ method, subject }) =>
      identities === "all" ||
      (identities !== undefined && method === identities.method && subject !== identities.subject),
  );
  await noteFormer(
    db,
    { identities: lost, email: email === undefined || email === user.email ? "" : user.email },
    secrets,
  );
};
