import type { Option } from "@tollgate/contract/management/option";
import type { Kysely } from "kysely";
import type { Secrets } from "../../secrets";
import type { OptionChanges, OptionQueries } from "../ports";
import type { Tables } from "./tables";

export const optionReads = (db: Kysely<Tables>, secrets: Secrets): OptionQueries => ({
  async all(): Promise<Option[]> {
    const rows = await db.selectFrom("options").selectAll().execute();
    return rows.map(({ key, value, is_sealed }) => ({
      key,
      value: is_sealed === 1 ? secrets.open(value) : value,
    }));
  },
});

export const optionWrites = (db: Kysely<Tables>, secrets: Secrets): OptionChanges => ({
  async put(key: string, value: string, isSecret: boolean): Promise<void> {
    const columns = { value: isSecret ? secrets.seal(value) : value, is_sealed: isSecret ? 1 : 0 };
    await db
      .insertInto("options")
      .values({ key, ...columns })
      .onConflict((conflict) => conflict.column("key").doUpdateSet(columns))
      .execute();
  },
});
