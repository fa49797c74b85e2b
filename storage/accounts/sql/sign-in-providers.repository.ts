import {
  type NewSignInProvider,
  providerKeyOf,
  type SignInProviderChange,
  type SignInProviderChanges,
  type SignInProviderQueries,
  type SignInProviderRecord,
} from "@tollgate/contract/records/sign-in-provider-record";
import type { Kysely } from "kysely";
import { StorageConflict } from "../../errors";
import type { Secrets } from "../../secrets";
import type { SqlDialect } from "../../sql/dialect";
import { columnsOf, fieldsOf, flagColumn } from "../../sql/row-names";
import type { Row, Tables } from "./tables";

const toProvider = (row: Row<"sign_in_providers">, secrets: Secrets): SignInProviderRecord => {
  const { client_secret_sealed: sealed, is_enabled, may_register, ...columns } = row;
  return {
    ...fieldsOf(columns),
    clientSecret: sealed === "" ? "" : secrets.open(sealed),
    isEnabled: is_enabled === 1,
    mayRegister: may_register === 1,
  };
};

const sealed = (secret: string, secrets: Secrets): string => (secret === "" ? "" : secrets.seal(secret));

const newColumns = (
  { clientSecret, isEnabled, mayRegister, ...plain }: NewSignInProvider,
  secrets: Secrets,
) => ({
  ...columnsOf(plain),
  client_secret_sealed: sealed(clientSecret, secrets),
  is_enabled: Number(isEnabled),
  may_register: Number(mayRegister),
});

const changedColumns = (
  { clientSecret, isEnabled, mayRegister, ...plain }: SignInProviderChange,
  secrets: Secrets,
) => ({
  ...columnsOf(plain),
  client_secret_sealed: clientSecret === undefined ? undefined : sealed(clientSecret, secrets),
  is_enabled: flagColumn(isEnabled),
  may_register: flagColumn(mayRegister),
});

export const signInProviderReads = (db: Kysely<Tables>, secrets: Secrets): SignInProviderQueries => ({
  async all() {
    const rows = await db.selectFrom("sign_in_providers").selectAll().orderBy("id").execute();
    return rows.map((row) => toProvider(row, secrets));
  },

  async bound() {
    const rows = await db
      .selectFrom("identities")
      .select((eb) => ["method", eb.fn.countAll<number>().as("count")])
      .groupBy("method")
      .execute();
    return new Map(rows.map(({ method, count }) => [method, count]));
  },
});

export const signInProviderWrites = (
  db: Kysely<Tables>,
  secrets: Secrets,
  dialect: SqlDialect,
): SignInProviderChanges => ({
  async create(provider, most) {
    try {
      return await db.transaction().execute(async (transaction) => {
        const { count } = await transaction
          .selectFrom("sign_in_providers")
          .select((eb) => eb.fn.countAll<number>().as("count"))
          .executeTakeFirstOrThrow();
        if (count >= most) return undefined;
        const row = await transaction
          .insertInto("sign_in_providers")
          .values(newColumns(provider, secrets))
          .returningAll()
          .executeTakeFirstOrThrow();
        return toProvider(row, secrets);
      });
    } catch (error) {
      if (dialect.takenColumn(error) !== "sign_in_providers.slug") throw error;
      throw new StorageConflict("provider-slug-taken");
    }
  },

  async change(id, change) {
    const row = await db
      .updateTable("sign_in_providers")
      .set({ id, ...changedColumns(change, secrets) })
      .where("id", "=", id)
      .returningAll()
      .executeTakeFirst();
    return row && toProvider(row, secrets);
  },

  remove: (id) =>
    db.transaction().execute(async (transaction) => {
      const removed = await transaction
        .deleteFrom("sign_in_providers")
        .where("id", "=", id)
        .executeTakeFirst();
      if (removed.numDeletedRows === 0n) return undefined;
      const lost = await transaction
        .deleteFrom("identities")
        .where("method", "=", providerKeyOf({ id }))
        .executeTakeFirst();
      return Number(lost.numDeletedRows);
    }),
});
