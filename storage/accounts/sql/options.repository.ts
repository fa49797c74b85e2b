import type { Option } from "@tollgate/contract/api/options";
import { type Kysely, sql } from "kysely";
import type { Secrets } from "../../secrets";
import type { ExpectedOption, OptionChanges, OptionCount, OptionQueries } from "../site-ports";
import type { Tables } from "./tables";

/** Every option that was ever saved, secrets in clear. */
export const readOptions = async (db: Kysely<Tables>, secrets: Secrets): Promise<Option[]> => {
  const rows = await db.selectFrom("options").selectAll().execute();
  return rows.map(({ key, value, is_sealed }) => ({
    key,
    value: is_sealed === 1 ? secrets.open(value) : value,
  }));
};

export const optionReads = (db: Kysely<Tables>, secrets: Secrets): OptionQueries => ({
  all: () => readOptions(db, secrets),
});

/** Makes concurrent counts wait for the end of the transaction. */
export const beginCount = async (db: Kysely<Tables>, counter: string): Promise<void> => {
  await db
    .insertInto("options")
    .values({ key: counter, value: "1", is_sealed: 0 })
    .onConflict((conflict) =>
      conflict.column("key").doUpdateSet((eb) => ({ value: eb.ref("options.value") })),
    )
    .execute();
};

/** Counts one change, after beginCount. */
export const countOn = async (db: Kysely<Tables>, counter: string): Promise<void> => {
  await db
    .updateTable("options")
    .set({ value: sql<string>`CAST(CAST(value AS BIGINT) + 1 AS TEXT)` })
    .where("key", "=", counter)
    .execute();
};

/** Counts a change, where it is one. */
const count = async (
  db: Kysely<Tables>,
  { key: counter, before }: OptionCount,
  key: string,
  value: string,
): Promise<void> => {
  await beginCount(db, counter);
  const known = await db.selectFrom("options").select("value").where("key", "=", key).executeTakeFirst();
  if ((known?.value ?? before) === value) return;
  await countOn(db, counter);
};

/** Ends a transaction of which nothing is to stay. */
class OptionIsAnother extends Error {}

/** Makes concurrent saves of the option wait for the end of the transaction. @throws OptionIsAnother */
const expectOption = async (
  db: Kysely<Tables>,
  key: string,
  { value, fallback }: ExpectedOption,
): Promise<void> => {
  const { value: stored } = await db
    .insertInto("options")
    .values({ key, value: fallback, is_sealed: 0 })
    .onConflict((conflict) =>
      conflict.column("key").doUpdateSet((eb) => ({ value: eb.ref("options.value") })),
    )
    .returning("value")
    .executeTakeFirstOrThrow();
  if (stored !== value) throw new OptionIsAnother();
};

export const optionWrites = (db: Kysely<Tables>, secrets: Secrets): OptionChanges => ({
  async put(key, value, isSecret, counted, expected) {
    const columns = { value: isSecret ? secrets.seal(value) : value, is_sealed: isSecret ? 1 : 0 };
    try {
      return await db.transaction().execute(async (transaction) => {
        if (counted) await count(transaction, counted, key, value);
        if (expected) await expectOption(transaction, key, expected);
        await transaction
          .insertInto("options")
          .values({ key, ...columns })
          .onConflict((conflict) => conflict.column("key").doUpdateSet(columns))
          .execute();
        return await readOptions(transaction, secrets);
      });
    } catch (error) {
      if (error instanceof OptionIsAnother) return readOptions(db, secrets);
      throw error;
    }
  },
});
