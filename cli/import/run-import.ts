import type { ImportedSubscription, ImportedUser } from "@tollgate/contract/records/imported-records";
import type { OwnData } from "@tollgate/storage/load/folder-target";
import type { Load } from "@tollgate/storage/load/open-load";
import { reportQuota, reportTables } from "./create-report";
import { highestOf } from "./highest-id";
import { ImportRefused } from "./import-refused";
import type { ImportTarget, ImportWish } from "./import-wish";
import { type Mapped, mapRows } from "./map-rows";
import type { Proof } from "./mapped";
import { isPricingDocument } from "./price-tables";
import { proveMove } from "./prove-move";
import { type ReadLog, readLog } from "./read-log";
import { type Rows, readRows } from "./read-rows";
import { openTables } from "./read-source";
import type { ImportReport } from "./report";

const refuseOwn = (target: ImportTarget, own: OwnData): ImportRefused => {
  const seen = Object.entries(own).filter(([, count]) => count > 0);
  return new ImportRefused("target-not-empty", {
    target: target.name,
    seen: seen.map(([table, count]) => `${table} ${count}`).join(", "),
  });
};

/** Users with the groups that their plans bring, which stand first. */
const withPlanGroups = (
  users: readonly ImportedUser[],
  subscriptions: readonly ImportedSubscription[],
): Pick<ImportedUser, "id" | "group" | "status">[] => {
  const groups = new Map<number, string[]>();
  for (const { userId, terms } of subscriptions)
    groups.set(userId, [...(groups.get(userId) ?? []), terms.group]);
  return users.map(({ id, group, status }) => ({
    id,
    status,
    group: [...(groups.get(id) ?? []), group].filter(Boolean).join(","),
  }));
};

const writeAccounts = (
  load: Load,
  rows: Rows,
  { records, quotaPerUnit }: Mapped,
  { redemptions, sums }: ReadLog,
): Promise<void> =>
  load.accounts(
    { ...records, redemptions },
    {
      users: highestOf(rows.users, highestOf(records.users), sums.highestUser),
      tokens: highestOf(rows.tokens, sums.highestToken),
      channels: highestOf(rows.channels, sums.highestChannel),
      redemptions: highestOf(rows.redemptions),
    },
    { quotaPerUnit, isCurrency: true },
  );

/**
 * Reads and maps everything, and writes it if requested.
 * @throws ImportRefused, SourceRefused, DataRefused, DatabaseRefused with the reason.
 */
export const runImport = async (wish: ImportWish): Promise<ImportReport> => {
  const { sources, target, isApplied } = wish;
  const own = await target.examine();
  if (own) throw refuseOwn(target, own);
  const tables = await openTables(sources);
  const { origin } = tables;
  if (wish.pricing !== undefined && !isPricingDocument(origin.series, wish.pricing))
    throw new ImportRefused("pricing-unreadable", {});
  const rows = await readRows(tables, wish.onRead);
  const mapped = mapRows(rows, wish, tables);
  const { users, subscriptions } = mapped.records;

  const finish = async (load: Load | undefined): Promise<{ log: ReadLog; proof: Proof }> => {
    const log = await readLog(rows, mapped, tables, wish, load);
    const proof = await proveMove({
      origin,
      before: { ...rows, lines: log.newest },
      after: { ...mapped.records, users: withPlanGroups(users, subscriptions) },
    });
    return { log, proof };
  };
  let finished: Awaited<ReturnType<typeof finish>> | undefined;
  if (isApplied) {
    const found = await target.apply(async (load) => {
      finished = await finish(load);
      await writeAccounts(load, rows, mapped, finished.log);
    });
    if (found) throw refuseOwn(target, found);
  } else finished = await finish(undefined);
  if (!finished) throw new Error("an import ended without a proof");

  return {
    source: sources.main.place,
    origin,
    target: target.name,
    isApplied,
    tables: reportTables(rows, mapped, finished.log, tables),
    unknown: tables.unknown,
    passedOver: tables.passedOver,
    quota: reportQuota(rows, mapped),
    proof: finished.proof,
  };
};
