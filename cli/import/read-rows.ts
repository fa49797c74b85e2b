import type { ImportWish } from "./import-wish";
import type { OpenTables } from "./read-source";
import type { SourceTable } from "./source-rows";

/** All rows of the source but those of its log. */
export const readRows = async (tables: OpenTables, onRead: ImportWish["onRead"]) => {
  const readAll = async <Table extends Exclude<SourceTable, "logs">>(table: Table) => {
    const rows = await tables.all(table);
    onRead(table, tables.read[table]);
    return rows;
  };
  return {
    options: await readAll("options"),
    users: await readAll("users"),
    tokens: await readAll("tokens"),
    channels: await readAll("channels"),
    redemptions: await readAll("redemptions"),
    topUps: await readAll("top_ups"),
    subscriptions: await readAll("user_subscriptions"),
    plans: await readAll("subscription_plans"),
    secondFactors: await readAll("two_fas"),
    passkeys: await readAll("passkey_credentials"),
  };
};

export type Rows = Awaited<ReturnType<typeof readRows>>;
