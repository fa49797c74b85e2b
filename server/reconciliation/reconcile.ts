import { setImmediate as turnOfOthers } from "node:timers/promises";
import type { ProfitReport } from "@tollgate/contract/api/profit";
import {
  addAmounts,
  type BalanceMovement,
  type ReconciledRow,
  type ReconciliationContent,
} from "@tollgate/contract/management/reconciliation";
import {
  type Decimal,
  divideDown,
  multiply,
  multiplyInteger,
  roundNearest,
} from "@tollgate/contract/values/decimal";
import { COST_UNITS } from "@tollgate/contract/values/quota";
import { Failure } from "../management-api/failure";
import type { BillFile } from "./read-bill";
import { readAmount, readBilledModel, readDay, type SignedAmount } from "./read-cells";

/** Rows of a comparison that are kept: a year of some dozen models. */
const MAX_ROWS = 20_000;
/** Rows summed between two yields: some milliseconds. */
const TURN_ROWS = 500;
const DAY_SECONDS = 86_400;
const PLACES = 12;

/** Conversion of a bill's amount to thousandths of quota. */
export interface Conversion {
  /** Number of the bill's units per dollar. */
  unitsPerUsd: Decimal;
  quotaPerUnit: Decimal;
}

/** The meaning of the columns. */
export interface BillColumnsUsed {
  date: string;
  amount: string;
  model: string | undefined;
  decimal: "." | ",";
  offsetMinutes: number;
}

const exactly = ({ size }: SignedAmount, { quotaPerUnit }: Conversion): Decimal =>
  multiplyInteger(multiply(size, quotaPerUnit), COST_UNITS);

const thousandths = (units: Decimal, { unitsPerUsd }: Conversion): number =>
  roundNearest(divideDown(units, unitsPerUsd, PLACES));

/** Adds amounts above and below 0 exactly, and rounds once. */
class Sum {
  private plus: Decimal = { digits: 0n, scale: 0 };
  private minus: Decimal = { digits: 0n, scale: 0 };

  add(amount: SignedAmount, conversion: Conversion): void {
    const units = exactly(amount, conversion);
    const scale = Math.max(units.scale, this.plus.scale, this.minus.scale);
    const at = (value: Decimal): Decimal => ({
      digits: value.digits * 10n ** BigInt(scale - value.scale),
      scale,
    });
    const [plus, minus, more] = [at(this.plus), at(this.minus), at(units)];
    this.plus = amount.isNegative ? plus : { digits: plus.digits + more.digits, scale };
    this.minus = amount.isNegative ? { digits: minus.digits + more.digits, scale } : minus;
  }

  total(conversion: Conversion): number {
    return thousandths(this.plus, conversion) - thousandths(this.minus, conversion);
  }
}

const keyOf = (day: string, model: string): string => `${day}\n${model}`;

const isAlike = (billed: string, known: string): boolean =>
  billed.endsWith(`/${known}`) || known.endsWith(`/${billed}`);

const beginOf = (day: string, offsetMinutes: number): number =>
  Date.parse(`${day}T00:00:00Z`) / 1000 - offsetMinutes * 60;

/** A bill by day and model. */
export interface BilledDays {
  firstDay: string;
  lastDay: string;
  firstAt: number;
  lastAt: number;
  unreadable: number;
  sums: Map<string, { day: string; model: string; billed: number }>;
}

/** Adds a bill up by day and model. @throws Failure where a column is missing or no row can be read. */
export const billedDays = async (
  { columns, rows }: BillFile,
  used: BillColumnsUsed,
  conversion: Conversion,
): Promise<BilledDays> => {
  const at = (name: string): number => {
    const index = columns.indexOf(name);
    if (index === -1) throw new Failure("bill-column-missing", { column: name });
    return index;
  };
  const [dateAt, amountAt] = [at(used.date), at(used.amount)];
  const modelAt = used.model === undefined ? undefined : at(used.model);
  const found = new Map<string, { day: string; model: string; sum: Sum }>();
  let unreadable = 0;
  for (const [index, row] of rows.entries()) {
    if (index % TURN_ROWS === 0) await turnOfOthers();
    const day = readDay(row[dateAt] ?? "", used.offsetMinutes);
    const amount = readAmount(row[amountAt] ?? "", used.decimal);
    if (day === undefined || amount === undefined) {
      unreadable += 1;
      continue;
    }
    const model = modelAt === undefined ? "" : readBilledModel(row[modelAt] ?? "");
    const key = keyOf(day, model);
    const known = found.get(key) ?? { day, model, sum: new Sum() };
    found.set(key, known);
    if (found.size > MAX_ROWS) throw new Failure("bill-too-large");
    known.sum.add(amount, conversion);
  }
  const days = [...found.values()].map(({ day }) => day).sort();
  const [firstDay, lastDay] = [days[0], days.at(-1)];
  if (firstDay === undefined || lastDay === undefined) throw new Failure("bill-unreadable");
  return {
    firstDay,
    lastDay,
    firstAt: beginOf(firstDay, used.offsetMinutes),
    lastAt: beginOf(lastDay, used.offsetMinutes) + DAY_SECONDS - 1,
    unreadable,
    sums: new Map(
      [...found].map(([key, { day, model, sum }]) => [key, { day, model, billed: sum.total(conversion) }]),
    ),
  };
};

/**
 * Compares expected with billed amounts: by day and model, or by day alone where the bill names no models. A bill may
 * prefix a model with its maker.
 */
export const compareBill = (
  billed: BilledDays,
  expected: ProfitReport,
  hasModels: boolean,
): ReconciledRow[] => {
  const rows = new Map<string, ReconciledRow>();
  for (const [key, { day, model, billed: amount }] of billed.sums)
    rows.set(key, { day, model, expected: 0, billed: amount, unknown_requests: 0 });
  const ofDay = new Map<string, string[]>();
  for (const { day, model } of billed.sums.values()) {
    const names = ofDay.get(day);
    if (names) names.push(model);
    else ofDay.set(day, [model]);
  }
  for (const { key, model = "", cost, requests, costedRequests } of expected.rows) {
    // Sums are kept by the hour of UTC: where the first day begins within one, that hour is of the day before.
    const isBefore = key < billed.firstDay;
    const day = isBefore ? billed.firstDay : key;
    // One that has its very name comes before one that is alike.
    const isBilled = billed.sums.has(keyOf(day, model));
    const alike = isBilled ? model : ofDay.get(day)?.find((each) => isAlike(each, model));
    const name = hasModels ? (alike ?? model) : "";
    const at = keyOf(day, name);
    const row = rows.get(at) ?? { day, model: name, expected: 0, billed: 0, unknown_requests: 0 };
    row.expected = addAmounts(row.expected, cost);
    row.unknown_requests += requests - costedRequests;
    rows.set(at, row);
  }
  return [...rows.values()].sort((a, b) =>
    a.day === b.day ? (a.model < b.model ? -1 : 1) : a.day < b.day ? -1 : 1,
  );
};

/** A channel's balance change between the last reading before the period (or first in it) and the last. */
export const balanceMoved = (
  movements: readonly BalanceMovement[],
  from: number,
): Pick<ReconciliationContent, "first_at" | "last_at"> & { used: number } => {
  const readings = movements.filter(({ kind }) => kind === "reading");
  const first = readings.findLast(({ at }) => at <= from) ?? readings[0];
  const last = readings.at(-1);
  if (!first || !last || first.at >= last.at) throw new Failure("balance-readings-missing");
  const paidIn = movements
    .filter(({ kind, at }) => kind === "top-up" && at > first.at && at <= last.at)
    .reduce((sum, { amount }) => sum + amount, 0);
  return { first_at: first.at, last_at: last.at, used: first.amount + paidIn - last.amount };
};

/**
 * Converts an amount of an upstream's balance to thousandths of quota: at most the largest exact integer, since an
 * upstream may report any number.
 */
export const billedOfBalance = (used: number, unitsPerUsd: number, quotaPerUnit: number): number => {
  const thousandths = Math.round((used / unitsPerUsd) * quotaPerUnit * COST_UNITS);
  return addAmounts(0, thousandths);
};
