import type {
  ImportedChannel,
  ImportedLine,
  ImportedRedemption,
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
import { type MissingPriceDecision, PROVED_LINES, type PriceDecision, type Proof } from "./mapped";
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
  /** Changes nothing. @returns what a person has there already; undefined where it may be written. */
  examine(): Promise<OwnData | undefined>;
  /**
   * Takes everything that `fill` writes, or nothing.
   * @returns what a person has there already: then nothing was changed.
   */
  apply(fill: (load: Load) => Promise<void>): Promise<OwnData | undefined>;
}

export interface ImportWish {
  sources: Sources;
  target: ImportTarget;
  /** False for a dry run. */
  isApplied: boolean;
  plans: PlanDecisions;
  /** What the running source answers of its prices, where a person asked it. */
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
 * Brings what users, keys and channels say that they used to what the log accounts for, where that is more: the doctor takes the
 * log's word.
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

/**
 * Reads and maps everything, and writes it where that is asked for.
 * @throws ImportRefused, SourceRefused, DataRefused, DatabaseRefused that say why not.
 */
export const runImport = async (wish: ImportWish): Promise<ImportReport> => {
  const { sources, target, isApplied, now } = wish;
  const own = await target.examine();
  if (own) throw refuseOwn(target, own);
  const tables = await openTables(sources);
  const { origin, remarks } = tables;
  if (wish.pricing !== undefined && !isPricingDocument(origin.series, wish.pricing))
    throw new ImportRefused("pricing-unreadable", {});

  const readAll = async <Table extends Exclude<SourceTable, "logs">>(table: Table) => {
    const rows = await tables.all(table);
    wish.onRead(table, tables.read[table]);
    return rows;
  };
  const optionRows = await readAll("options");
  const userRows = await readAll("users");
  const tokenRows = await readAll("tokens");
  const channelRows = await readAll("channels");
  const redemptionRows = await readAll("redemptions");
  const topUpRows = await readAll("top_ups");
  const subscriptionRows = await readAll("user_subscriptions");

  const planRows = await readAll("subscription_plans");
  const { tables: prices } = readPriceTables(origin.series, optionRows, wish.pricing);
  const plans = mapPlans(
    { plans: planRows, subscriptions: subscriptionRows, users: userRows },
    wish.plans,
    { now, quotaPerUnit: Number(formatDecimal(prices.quotaPerUnit)) },
    remarks,
  );
  if (isApplied && plans.undecided > 0)
    throw new ImportRefused("subscriptions-undecided", { count: plans.undecided });
  mapSecondFactors(await readAll("two_fas"), await readAll("passkey_credentials"), remarks);
  const mapped = mapUsers(userRows, origin, plans.ownGroups, remarks.users);
  const users = withRoot(mapped, highestOf(userRows) + 1, now, remarks.users);
  const usersById = byId(users);
  const subscriptions = plans.subscriptions.filter(({ userId }) => usersById.has(userId));
  const tokens = mapTokens(tokenRows, origin, usersById, remarks.tokens);
  const channels = mapChannels(channelRows, origin);
  remarks.channels.addAll(channels.remarks);
  const options = mapOptions(optionRows, origin, {
    channels: channelRows,
    groups: new Set([
      ...users.map(({ group }) => group),
      ...[...plans.plans, ...subscriptions.map(({ terms }) => terms)]
        .map(({ group }) => group)
        .filter(Boolean),
    ]),
    pricing: wish.pricing,
    priceDecision: wish.priceDecision,
    missingPrices: wish.missingPrices,
  });
  if (plans.plans.length + subscriptions.length > 0) {
    options.options.push({ key: "PlansEnabled", value: "true", isSecret: false });
    remarks.options.add("noted", "plans-enabled", "PlansEnabled");
  }
  remarks.options.addAll(options.remarks);
  const namesOf = (code: RemarkCode) => {
    const found = options.remarks.filter((remark) => remark.code === code);
    const names = found.slice(0, MAX_SEEN).map(({ values }) => values.name);
    return { count: found.length, seen: names.join(", ") };
  };
  const contradictory = namesOf("price-conflict");
  if (isApplied && contradictory.count > 0 && wish.priceDecision === undefined)
    throw new ImportRefused("prices-contradict", contradictory);
  const missing = namesOf("price-missing");
  const hasFallback = options.options.some(({ key }) => key === "FallbackModelRatio");
  if (isApplied && missing.count > 0 && wish.missingPrices === undefined && !hasFallback)
    throw new ImportRefused("prices-missing", missing);

  const lines = createLineMapper(origin, usersById, tokens, now, remarks.logs);
  const newest = createNewest();
  const topUpLines = mapTopUps(topUpRows, (id) => usersById.get(id)?.username, now, remarks.top_ups);
  let redemptions: ImportedRedemption[] = [];

  const readLines = async (load: Load | undefined): Promise<void> => {
    let said = 0;
    for await (const block of tables.blocks("logs")) {
      const found: ImportedLine[] = [];
      for (const row of block) {
        const line = lines.map(row);
        if (line) found.push(line);
        if (line?.type === LOG_CONSUME) newest.add(row);
      }
      load?.lines(found);
      if (tables.read.logs - said >= LINES_A_STEP) {
        said = tables.read.logs;
        wish.onRead("logs", said);
      }
    }
    wish.onRead("logs", tables.read.logs);
    load?.lines(topUpLines);
    settleUse(users, tokens, channels.records, lines.sums, remarks);
    redemptions = mapRedemptions(redemptionRows, lines.redeemerOf, now, remarks.redemptions);
  };

  const prove = (): Promise<Proof> =>
    proveMove({
      origin,
      before: {
        users: userRows,
        tokens: tokenRows,
        channels: channelRows,
        options: optionRows,
        lines: newest.all(),
      },
      after: {
        users: withPlanGroups(users, subscriptions),
        tokens,
        channels: channels.records,
        options: options.options,
      },
    });

  let proof: Proof | undefined;
  if (isApplied) {
    const found = await target.apply(async (load) => {
      await readLines(load);
      proof = await prove();
      await load.accounts(
        {
          options: options.options,
          users,
          tokens,
          channels: channels.records,
          redemptions,
          plans: plans.plans,
          subscriptions,
        },
        {
          users: highestOf(userRows, highestOf(users), lines.sums.highestUser),
          tokens: highestOf(tokenRows, lines.sums.highestToken),
          channels: highestOf(channelRows, lines.sums.highestChannel),
          redemptions: highestOf(redemptionRows),
        },
        { quotaPerUnit: options.quotaPerUnit, isCurrency: true },
      );
    });
    if (found) throw refuseOwn(target, found);
  } else {
    await readLines(undefined);
    proof = await prove();
  }
  if (!proof) throw new Error("an import ended without a proof");

  const taken: Record<SourceTable, number> = {
    users: mapped.length,
    tokens: tokens.length,
    channels: channels.records.length,
    redemptions: redemptions.length,
    logs: lines.taken,
    options: optionRows.length - countLeftOut(remarks.options, optionRows),
    top_ups: topUpLines.length,
    subscription_plans: plans.plans.length,
    user_subscriptions: subscriptions.length,
    two_fas: 0,
    passkey_credentials: 0,
  };
  const keptIds = new Set(mapped.map(({ id }) => id));
  const before = sumOf(userRows.map(({ quota }) => quota));
  const leftOut = sumOf(userRows.filter(({ id }) => !keptIds.has(id)).map(({ quota }) => quota));
  const after =
    sumOf(users.map(({ quota }) => quota)) + sumOf(subscriptions.map(({ period }) => period.quota));
  return {
    source: sources.main.place,
    origin,
    target: target.name,
    isApplied,
    tables: (Object.keys(SOURCE_TABLES) as SourceTable[]).map(
      (table): TableReport => ({
        table,
        read: tables.read[table],
        taken: taken[table],
        leftOut: tables.read[table] - taken[table],
        changed: remarks[table].changed,
        remarks: remarks[table].all(),
      }),
    ),
    unknown: tables.unknown,
    passedOver: tables.passedOver,
    quota: {
      before: String(before),
      leftOut: String(leftOut),
      changed: String(after - (before - leftOut)),
      after: String(after),
    },
    proof,
  };
};

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
