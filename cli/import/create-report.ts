import type { Mapped } from "./map-rows";
import type { ReadLog } from "./read-log";
import type { Rows } from "./read-rows";
import type { OpenTables } from "./read-source";
import type { ImportReport, TableReport } from "./report";
import { type OptionRow, SOURCE_TABLES, type SourceTable } from "./source-rows";
import type { TableRemarks } from "./table-remarks";

const sumOf = (amounts: readonly (number | bigint | undefined)[]): bigint =>
  amounts.reduce<bigint>((sum, amount) => sum + BigInt(amount ?? 0), 0n);

/** How many options are not taken over: remarks may also name a model that an option prices. */
const countLeftOut = (remarks: TableRemarks, rows: readonly OptionRow[]): number => {
  const leftOut = new Set(
    remarks
      .all()
      .filter(({ effect }) => effect === "left-out")
      .flatMap(({ rows: said }) => said.map(({ id }) => id)),
  );
  return rows.filter(({ key }) => leftOut.has(key)).length;
};

/** The sum of all balances before and after, and why they differ. */
export const reportQuota = (rows: Rows, { records, keptIds }: Mapped): ImportReport["quota"] => {
  const { users, subscriptions } = records;
  const before = sumOf(rows.users.map(({ quota }) => quota));
  const leftOut = sumOf(rows.users.filter(({ id }) => !keptIds.has(id)).map(({ quota }) => quota));
  const after =
    sumOf(users.map(({ quota }) => quota)) + sumOf(subscriptions.map(({ period }) => period.quota));
  return {
    before: String(before),
    leftOut: String(leftOut),
    changed: String(after - (before - leftOut)),
    after: String(after),
  };
};

export const reportTables = (
  rows: Rows,
  { records, keptIds }: Mapped,
  { redemptions, taken: logs, topUps }: ReadLog,
  { read, remarks }: OpenTables,
): TableReport[] => {
  const taken: Record<SourceTable, number> = {
    users: keptIds.size,
    tokens: records.tokens.length,
    channels: records.channels.length,
    redemptions: redemptions.length,
    logs,
    options: rows.options.length - countLeftOut(remarks.options, rows.options),
    top_ups: topUps,
    subscription_plans: records.plans.length,
    user_subscriptions: records.subscriptions.length,
    two_fas: records.secondFactors.length,
    passkey_credentials: records.passkeys.length,
  };
  return (Object.keys(SOURCE_TABLES) as SourceTable[]).map((table) => ({
    table,
    read: read[table],
    taken: taken[table],
    leftOut: read[table] - taken[table],
    changed: remarks[table].changed,
    remarks: remarks[table].all(),
  }));
};
