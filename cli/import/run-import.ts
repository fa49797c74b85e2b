import type {
  ImportedChannel,
  ImportedLine,
  ImportedSubscription,
  ImportedToken,
  ImportedUser,
} from "@tollgate/contract/records/imported-records";
import { formatDecimal } from "@tollgate/contract/values/decimal";
import { MAX_QUOTA } from "@tollgate/contract/values/quota";
import { ROLE_ROOT } from "@tollgate/contract/values/roles";
import { LOG_CONSUME, USER_ENABLED } from "@tollgate/contract/values/statuses";
import { NO_PASSWORD } from "@tollgate/server/management-api/sign-in/passwords";
import type { OwnData } from "@tollgate/storage/load/folder-target";
import type { Load } from "@tollgate/storage/load/open-load";
import { ImportRefused } from "./import-refused";
import { mapChannels } from "./map-channels";
import { createLineMapper, type LineSums } from "./map-lines";
import { mapOptions } from "./map-options";
import { mapTopUps } from "./map-orders";
import { mapPlans, type PlanDecisions } from "./map-plans";
import { mapRedemptions } from "./map-redemptions";
import { mapSecondFactors } from "./map-second-factors";
import { mapTokens } from "./map-tokens";
import { mapUsers } from "./map-users";
import {
  type MappedOptions,
  type MissingPriceDecision,
  PROVED_LINES,
  type PriceDecision,
  type Proof,
} from "./mapped";
import { isPricingDocument, readPriceTables } from "./price-tables";
import { proveMove } from "./prove-move";
import { type OpenTables, openTables, type Sources } from "./read-source";
import type { RemarkCode } from "./remarks";
import type { ImportReport, TableReport } from "./report";
import { type LogRow, type OptionRow, SOURCE_TABLES, type SourceTable } from "./source-rows";
import type { TableRemarks } from "./table-remarks";

/** Where an import writes. */
export interface ImportTarget {
  /** For people. */
  name: string;
  /** Changes nothing. @returns the existing data; undefined when the target may be written. */
  examine(): Promise<OwnData | undefined>;
  /**
   * Takes everything that `fill` writes, or nothing.
   * @returns the existing data: then nothing was changed.
   */
  apply(fill: (load: Load) => Promise<void>): Promise<OwnData | undefined>;
}

export interface ImportWish {
  sources: Sources;
  target: ImportTarget;
  /** False for a dry run. */
  isApplied: boolean;
  plans: PlanDecisions;
  /** The running source's answer about its prices, if the operator saved it. */
  pricing: string | undefined;
  priceDecision: PriceDecision | undefined;
  missingPrices: MissingPriceDecision | undefined;
  /** Unix seconds. */
  now: number;
  /** Told how far it is. */
  onRead(table: SourceTable, rows: number): void;
}

/** How many names a refusal tells. */
const MAX_SEEN = 5;

/** How often reading the log says how far it is. */
const LINES_A_STEP = 100_000;

/** Ids beyond are a person's mistake, after which no more could be given. */
const SANE_ID = 2 ** 48;

const highestOf = (rows: readonly { id: number }[], ...more: readonly number[]): number =>
  Math.max(
    0,
    ...more.filter((id) => id <= SANE_ID),
    rows.reduce((most, { id }) => Math.max(most, id), 0),
  );

const refuseOwn = (target: ImportTarget, own: OwnData): ImportRefused => {
  const seen = Object.entries(own).filter(([, count]) => count > 0);
  return new ImportRefused("target-not-empty", {
    target: target.name,
    seen: seen.map(([table, count]) => `${table} ${count}`).join(", "),
  });
};

const byId = <Row extends { id: number }>(rows: readonly Row[]): Map<number, Row> =>
  new Map(rows.map((row) => [row.id, row]));

/** A person must be able to administer it: a source without root gets one that has no password yet. */
const withRoot = (
  users: readonly ImportedUser[],
  id: number,
  now: number,
  remarks: TableRemarks,
): ImportedUser[] => {
  if (users.some(({ role, status }) => role >= ROLE_ROOT && status === USER_ENABLED)) return [...users];
  let username = "root";
  while (users.some((user) => user.username === username)) username = `_${username}`;
  remarks.add("noted", "root-added", id, { after: username });
  const root: ImportedUser = {
    id,
    username,
    passwordHash: NO_PASSWORD,
    displayName: "Root User",
    role: ROLE_ROOT,
    status: USER_ENABLED,
    quota: 0,
    usedQuota: 0,
    unloggedQuota: 0,
    requestCount: 0,
    group: "default",
    email: "",
    identities: [],
    inviterId: 0,
    affCode: "",
    accessToken: undefined,
    createdTime: now,
  };
  return [...users, root];
};

/**
 * Raises the counted use of users, keys and channels to the log's, where that is more: the doctor relies on the log.
 */
const settleUse = (
  users: readonly ImportedUser[],
  tokens: readonly ImportedToken[],
  channels: readonly ImportedChannel[],
  sums: LineSums,
  remarks: OpenTables["remarks"],
): void => {
  for (const user of users) {
    const logged = sums.quotaOfUsers.get(user.id) ?? 0;
    if (logged > user.usedQuota) {
      remarks.users.add("changed", "use-below-log", user.id, { before: user.usedQuota, after: logged });
      user.usedQuota = logged;
      // Both together are to be counted exactly.
      user.quota = Math.min(user.quota, MAX_QUOTA - logged);
    }
    user.unloggedQuota = user.usedQuota - logged;
    user.requestCount = Math.max(user.requestCount, sums.requestsOfUsers.get(user.id) ?? 0);
  }
  for (const token of tokens) {
    const logged = sums.quotaOfTokens.get(token.id) ?? 0;
    if (logged <= token.usedQuota) continue;
    remarks.tokens.add("changed", "use-below-log", token.id, { before: token.usedQuota, after: logged });
    token.usedQuota = logged;
  }
  for (const channel of channels) {
    const logged = sums.quotaOfChannels.get(channel.id) ?? 0;
    if (logged <= channel.usedQuota) continue;
    remarks.channels.add("changed", "use-below-log", channel.id, {
      before: channel.usedQuota,
      after: logged,
    });
    channel.usedQuota = logged;
  }
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

/** The newest rows of requests, as many as are priced again. */
const createNewest = () => {
  const rows: LogRow[] = [];
  let next = 0;
  return {
    add(row: LogRow): void {
      rows[next] = row;
      next = (next + 1) % PROVED_LINES;
    },
    all: (): LogRow[] => [...rows.slice(next), ...rows.slice(0, next)],
  };
};

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

/** All rows of the source but those of its log. */
const readRows = async (tables: OpenTables, onRead: ImportWish["onRead"]) => {
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

type Rows = Awaited<ReturnType<typeof readRows>>;

/** @throws ImportRefused where a person has to decide about prices before they are written. */
const checkPrices = (
  { options, remarks }: MappedOptions,
  { priceDecision, missingPrices }: ImportWish,
): void => {
  const namesOf = (code: RemarkCode) => {
    const found = remarks.filter((remark) => remark.code === code);
    const names = found.slice(0, MAX_SEEN).map(({ values }) => values.name);
    return { count: found.length, seen: names.join(", ") };
  };
  const contradictory = namesOf("price-conflict");
  if (contradictory.count > 0 && priceDecision === undefined)
    throw new ImportRefused("prices-contradict", contradictory);
  const missing = namesOf("price-missing");
  const hasFallback = options.some(({ key }) => key === "FallbackModelRatio");
  if (missing.count > 0 && missingPrices === undefined && !hasFallback)
    throw new ImportRefused("prices-missing", missing);
};

/**
 * Maps the rows, as far as they do not depend on the log.
 * @throws ImportRefused
 */
const mapRows = (rows: Rows, wish: ImportWish, { origin, remarks }: OpenTables) => {
  const { now, isApplied } = wish;
  const { tables: prices } = readPriceTables(origin.series, rows.options, wish.pricing);
  const mappedPlans = mapPlans(
    rows,
    wish.plans,
    { now, quotaPerUnit: Number(formatDecimal(prices.quotaPerUnit)) },
    remarks,
  );
  if (isApplied && mappedPlans.undecided > 0)
    throw new ImportRefused("subscriptions-undecided", { count: mappedPlans.undecided });
  mapSecondFactors(rows.secondFactors, rows.passkeys, remarks);
  const mapped = mapUsers(rows.users, origin, mappedPlans.ownGroups, remarks.users);
  const users = withRoot(mapped, highestOf(rows.users) + 1, now, remarks.users);
  const usersById = byId(users);
  const { plans } = mappedPlans;
  const subscriptions = mappedPlans.subscriptions.filter(({ userId }) => usersById.has(userId));
  const tokens = mapTokens(rows.tokens, origin, usersById, remarks.tokens);
  const channels = mapChannels(rows.channels, origin);
  remarks.channels.addAll(channels.remarks);
  const planGroups = [...plans, ...subscriptions.map(({ terms }) => terms)].map(({ group }) => group);
  const options = mapOptions(rows.options, origin, {
    channels: rows.channels,
    groups: new Set([...users.map(({ group }) => group), ...planGroups.filter(Boolean)]),
    pricing: wish.pricing,
    priceDecision: wish.priceDecision,
    missingPrices: wish.missingPrices,
  });
  if (plans.length + subscriptions.length > 0) {
    options.options.push({ key: "PlansEnabled", value: "true", isSecret: false });
    remarks.options.add("noted", "plans-enabled", "PlansEnabled");
  }
  remarks.options.addAll(options.remarks);
  if (isApplied) checkPrices(options, wish);
  return {
    records: {
      options: options.options,
      announcements: options.announcements,
      users,
      tokens,
      channels: channels.records,
      plans,
      subscriptions,
    },
    usersById,
    /** Ids of the source's users, without a root that is added. */
    keptIds: new Set(mapped.map(({ id }) => id)),
    quotaPerUnit: options.quotaPerUnit,
  };
};

type Mapped = ReturnType<typeof mapRows>;

/** Reads the log into the target, if any, and settles the use of users, keys and channels with it. */
const readLog = async (
  rows: Rows,
  { records, usersById }: Mapped,
  { origin, remarks, read, blocks }: OpenTables,
  { now, onRead }: ImportWish,
  load: Load | undefined,
) => {
  const { users, tokens, channels } = records;
  const lines = createLineMapper(origin, usersById, tokens, now, remarks.logs);
  const newest = createNewest();
  const topUpLines = mapTopUps(rows.topUps, (id) => usersById.get(id)?.username, now, remarks.top_ups);
  let said = 0;
  for await (const block of blocks("logs")) {
    const found: ImportedLine[] = [];
    for (const row of block) {
      const line = lines.map(row);
      if (line) found.push(line);
      if (line?.type === LOG_CONSUME) newest.add(row);
    }
    load?.lines(found);
    if (read.logs - said >= LINES_A_STEP) {
      said = read.logs;
      onRead("logs", said);
    }
  }
  onRead("logs", read.logs);
  load?.lines(topUpLines);
  settleUse(users, tokens, channels, lines.sums, remarks);
  const redemptions = mapRedemptions(rows.redemptions, lines.redeemerOf, now, remarks.redemptions);
  return {
    newest: newest.all(),
    redemptions,
    sums: lines.sums,
    taken: lines.taken,
    topUps: topUpLines.length,
  };
};

type ReadLog = Awaited<ReturnType<typeof readLog>>;

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

/** The sum of all balances before and after, and why they differ. */
const reportQuota = (rows: Rows, { records, keptIds }: Mapped): ImportReport["quota"] => {
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

const reportTables = (
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
    two_fas: 0,
    passkey_credentials: 0,
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
