import { runTollgate } from "../run-tollgate";
import type { ClientBook } from "./client-book";
import type { Site } from "./site";

/*
 * The book of the database: charges, balances, leases and the log, read by SQL and compared with what clients saw.
 */

interface ChargeRow {
  id: string;
  user_id: number;
  charged: number;
  shortfall: number;
  is_refunded: number;
}

interface LineRow {
  id: string;
  user_id: number;
  quota: number;
}

/** More than an answer may cost that broke off: its whole price, or what was delivered of it, counted by the gateway. */
const MAX_OF_BROKEN = 150;

/** Everything of an account in one statement, which sees one moment: nothing is between two accounts. */
const ACCOUNTS = `
SELECT 'user ' || id AS who, quota AS balance, granted_quota AS granted, used_quota AS settled,
  (SELECT coalesce(sum(quota), 0)::bigint FROM user_leases WHERE user_id = id) AS leased FROM users
UNION ALL
SELECT 'key ' || id, remain_quota, granted_quota, taken_quota,
  (SELECT coalesce(sum(quota), 0)::bigint FROM token_leases WHERE token_id = id) FROM tokens`;

interface AccountRow {
  who: string;
  balance: number;
  granted: number;
  settled: number;
  leased: number;
}

/** What is wrong with balances and leases at this moment; nothing must be, at any. */
export const findAccountFaults = async (ask: Site["ask"]): Promise<string[]> => {
  const rows = await ask<AccountRow>(ACCOUNTS);
  return rows
    .filter(
      ({ balance, granted, settled, leased }) =>
        balance < 0 || leased < 0 || granted !== balance + leased + settled,
    )
    .map((row) => JSON.stringify(row));
};

/** Who leases what at this moment. */
export const readLeases = (ask: Site["ask"]): Promise<object[]> =>
  ask("SELECT user_id, epoch, quota FROM user_leases WHERE quota > 0");

const sumBy = <Row>(rows: readonly Row[], key: (row: Row) => number, value: (row: Row) => number) => {
  const sums = new Map<number, number>();
  for (const row of rows) sums.set(key(row), (sums.get(key(row)) ?? 0) + value(row));
  return sums;
};

/** Compares the charges with what clients saw. @param poor users who may run out of quota while they are served. */
const findChargeFaults = (
  book: ClientBook,
  charges: readonly ChargeRow[],
  poor: readonly number[],
): string[] => {
  const faults: string[] = [];
  const open = new Map(charges.map((charge) => [charge.id, charge]));
  for (const { id, price } of book.of("whole")) {
    const charge = open.get(id);
    if (!open.delete(id)) faults.push(`${id} arrived whole and was not charged, or arrived twice`);
    else if (charge) {
      const isExact = charge.charged === price && charge.shortfall === 0;
      const isEmptied = poor.includes(charge.user_id) && charge.charged + charge.shortfall === price;
      if (charge.is_refunded !== 0 || !(isExact || isEmptied))
        faults.push(`${id} arrived whole for ${price} and was charged ${JSON.stringify(charge)}`);
    }
  }
  for (const { id } of book.of("broken")) {
    const charge = open.get(id);
    open.delete(id);
    if (charge && charge.charged > MAX_OF_BROKEN) faults.push(`${id} broke off: ${JSON.stringify(charge)}`);
  }
  for (const { id } of book.of("refused")) {
    const charge = open.get(id);
    open.delete(id);
    if (charge && charge.charged > 0 && charge.is_refunded === 0)
      faults.push(`${id} was refused and charged ${JSON.stringify(charge)}`);
  }
  const lost = book.of("lost").length;
  if (open.size > lost)
    faults.push(`${open.size} charges of which no client knows, where ${lost} may have one`);
  for (const charge of open.values())
    if (charge.charged > MAX_OF_BROKEN) faults.push(`too much for what was lost: ${JSON.stringify(charge)}`);
  return faults;
};

/** Compares the charges with the log, request by request, and with what each user used. */
const findLogFaults = (
  charges: readonly ChargeRow[],
  lines: readonly LineRow[],
  users: readonly { id: number; used_quota: number }[],
): string[] => {
  const faults: string[] = [];
  const logged = new Map<string, number[]>();
  for (const { id, quota } of lines) logged.set(id, [...(logged.get(id) ?? []), quota]);
  for (const { id, charged, is_refunded } of charges) {
    const found = logged.get(id) ?? [];
    const expected = is_refunded === 0 ? [charged] : [charged, -charged];
    const isSame =
      found.length === expected.length && expected.every((quota, index) => quota === found[index]);
    if (!isSame) faults.push(`${id} was charged ${expected} and the log says ${found}`);
    logged.delete(id);
  }
  for (const [id, quotas] of logged)
    if (quotas.some((quota) => quota !== 0))
      faults.push(`the log has ${quotas} of ${id}, which has no charge`);
  const byCharges = sumBy(
    charges.filter(({ is_refunded }) => is_refunded === 0),
    ({ user_id }) => user_id,
    ({ charged }) => charged,
  );
  for (const { id, used_quota } of users) {
    const sum = byCharges.get(id) ?? 0;
    if (used_quota !== sum) faults.push(`user ${id} used ${used_quota}, and charges are ${sum}`);
  }
  return faults;
};

/**
 * What does not agree between clients, charges, balances, leases and the log.
 * @param poor users who may run out of quota while they are served.
 */
export const findBookFaults = async (
  site: Site,
  book: ClientBook,
  poor: readonly number[] = [],
): Promise<string[]> => {
  const [waiting] = await site.ask<{ count: number }>("SELECT count(*) FROM outbox");
  if (waiting?.count !== 0) return [`${waiting?.count} rows of the outbox wait for the log`];
  const charges = await site.ask<ChargeRow>(
    "SELECT request_id AS id, user_id, charged, shortfall, is_refunded FROM charges",
  );
  const lines = await site.ask<LineRow>(
    `SELECT receipts.request_id AS id, logs.user_id, logs.quota FROM logs
     JOIN receipts ON receipts.id = logs.receipt_id WHERE logs.type = 2 ORDER BY logs.id`,
  );
  const users = await site.ask<{ id: number; used_quota: number }>("SELECT id, used_quota FROM users");
  const faults = [
    ...findChargeFaults(book, charges, poor),
    ...findLogFaults(charges, lines, users),
    ...(await findAccountFaults(site.ask)),
  ];
  // What is wrong with one is mostly wrong with many.
  return faults.length > 20
    ? [`${faults.length} faults, of which these are some`, ...faults.slice(0, 20)]
    : faults;
};

/** The same, and what `tollgate doctor` finds; nothing must be left of either soon after the load. */
export const findFaults = async (
  site: Site,
  book: ClientBook,
  poor: readonly number[] = [],
): Promise<string[]> => {
  const faults = await findBookFaults(site, book, poor);
  if (faults.length > 0) return faults;
  const { status, stdout, stderr } = await runTollgate(["doctor"], site.env);
  return status === 0 ? [] : [`the doctor ended with ${status}`, ...(stdout + stderr).split("\n")];
};

/** Looks at the accounts again and again, until it is told to end. */
export interface Sampler {
  /** @returns what was wrong at any moment, and how often it looked. */
  stop(): Promise<{ faults: string[]; samples: number }>;
}

/** While the database is away there is nothing to look at. */
export const startSampler = (ask: Site["ask"], everyMs = 100): Sampler => {
  const faults = new Set<string>();
  let samples = 0;
  let isStopping = false;
  const sampling = (async () => {
    while (!isStopping) {
      try {
        for (const fault of await findAccountFaults(ask)) faults.add(fault);
        samples += 1;
      } catch {
        // The database is away.
      }
      await new Promise((resolve) => setTimeout(resolve, everyMs));
    }
  })();
  return {
    async stop() {
      isStopping = true;
      await sampling;
      return { faults: [...faults], samples };
    },
  };
};
