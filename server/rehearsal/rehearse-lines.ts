import type { KeptReason, NamedSum, RehearsalSum, UserSum } from "@tollgate/contract/management/price-draft";
import { findPrice, type PriceBook } from "@tollgate/metering/price";
import { readShape, type UseShape } from "@tollgate/metering/priced-use";
import { type Repricer, repricerOf } from "@tollgate/metering/whole-number-price";
import { PricedLineReader } from "@tollgate/storage/log/priced-lines";

/** A sum that stays exact beyond the range of a number. */
class Total {
  private low = 0;
  private high = 0n;

  add(value: number): void {
    const sum = this.low + value;
    if (Number.isSafeInteger(sum)) {
      this.low = sum;
      return;
    }
    this.high += BigInt(this.low) + BigInt(value);
    this.low = 0;
  }

  /** @returns at most the largest exact integer. */
  get value(): number {
    const sum = this.high + BigInt(this.low);
    const most = BigInt(Number.MAX_SAFE_INTEGER);
    return Number(sum > most ? most : sum < -most ? -most : sum);
  }

  get isOverflowing(): boolean {
    return this.high !== 0n && !Number.isSafeInteger(Number(this.high + BigInt(this.low)));
  }
}

class Sums {
  lines = 0;
  costedLines = 0;
  readonly charged = new Total();
  readonly rehearsed = new Total();
  readonly cost = new Total();
  readonly costedCharged = new Total();
  readonly costedRehearsed = new Total();

  add(charged: number, rehearsed: number, cost: number): void {
    this.lines += 1;
    this.charged.add(charged);
    this.rehearsed.add(rehearsed);
    if (cost < 0) return;
    this.costedLines += 1;
    this.cost.add(cost);
    this.costedCharged.add(charged);
    this.costedRehearsed.add(rehearsed);
  }

  read(): RehearsalSum {
    return {
      lines: this.lines,
      charged: this.charged.value,
      rehearsed: this.rehearsed.value,
      cost_thousandths: this.cost.value,
      costed_lines: this.costedLines,
      costed_charged: this.costedCharged.value,
      costed_rehearsed: this.costedRehearsed.value,
    };
  }

  get isOverflowing(): boolean {
    return this.charged.isOverflowing || this.rehearsed.isOverflowing || this.cost.isOverflowing;
  }
}

const sumsOf = <Key>(table: Map<Key, Sums>, key: Key): Sums => {
  let sums = table.get(key);
  if (!sums) {
    sums = new Sums();
    table.set(key, sums);
  }
  return sums;
};

/** The price of a shape: it holds from a moment to another one, in unix seconds. */
interface KnownPrice {
  from: number;
  until: number;
  /** undefined where the draft has no price for it. */
  reprice: Repricer | undefined;
}

/** State of a shape while lines are read. */
interface KnownShape {
  shape: UseShape | undefined;
  model: Sums;
  group: Sums;
  price: KnownPrice;
  /** The prices of users that a rule names. */
  own: Map<number, KnownPrice>;
}

const NOT_LOOKED_UP = { from: Number.POSITIVE_INFINITY, until: 0, reprice: undefined };

/** A rehearsal's result, before users have names. */
export interface RehearsedLines {
  total: RehearsalSum;
  models: NamedSum[];
  groups: NamedSum[];
  users: Omit<UserSum, "name">[];
  kept: Record<Exclude<KeptReason, "unrecorded">, { lines: number; quota: number }>;
  isOverflowing: boolean;
}

export interface RehearsedRange {
  /** Unix seconds; `to` is excluded. */
  from: number;
  to: number;
  /** Unix seconds at which prices with dates are looked up; undefined for each line's own time. */
  asOf: number | undefined;
}

/**
 * Prices lines again and sums the results. Lines that cannot be priced again keep their charge, and are counted apart:
 * reversed ones or those without counts, those that exceeded a balance, those without a price in the draft.
 */
export class LineRehearsal {
  private readonly shapes = new Map<number, KnownShape>();
  private readonly models = new Map<string, Sums>();
  private readonly groups = new Map<string, Sums>();
  private readonly users = new Map<number, Sums>();
  private readonly total = new Sums();
  private readonly kept = { "not-repriceable": new Sums(), shortfall: new Sums(), "no-price": new Sums() };

  /** @param texts of shapes by their numbers. */
  constructor(
    private readonly book: PriceBook,
    private readonly texts: ReadonlyMap<number, string>,
    private readonly range: RehearsedRange,
  ) {}

  /** Number of lines read so far, of the range. */
  get lines(): number {
    return this.total.lines;
  }

  /** Takes the lines of an hour. @param hour its begin, unix seconds. */
  add(hour: number, data: Uint8Array): void {
    const { from, to } = this.range;
    const line = new PricedLineReader(hour, data);
    while (line.next()) {
      if (line.createdAt < from || line.createdAt >= to) continue;
      const known = this.shapeOf(line.shapeId);
      const { reprice } = this.priceAt(known, line.userId, line.createdAt);
      const { quota, cost } = line;
      let rehearsed = quota;
      const kept = this.reasonToKeep(line, known, reprice);
      if (kept) kept.add(quota, quota, cost);
      else rehearsed = reprice?.(line.values, line.valueCount) ?? quota;
      known.model.add(quota, rehearsed, cost);
      known.group.add(quota, rehearsed, cost);
      sumsOf(this.users, line.userId).add(quota, rehearsed, cost);
      this.total.add(quota, rehearsed, cost);
    }
  }

  read(): RehearsedLines {
    const named = (table: ReadonlyMap<string, Sums>): NamedSum[] =>
      [...table].map(([name, sums]) => ({ name, ...sums.read() }));
    const keptOf = (sums: Sums) => ({ lines: sums.lines, quota: sums.charged.value });
    return {
      total: this.total.read(),
      models: named(this.models),
      groups: named(this.groups),
      users: [...this.users].map(([id, sums]) => ({ id, ...sums.read() })),
      kept: {
        "not-repriceable": keptOf(this.kept["not-repriceable"]),
        shortfall: keptOf(this.kept.shortfall),
        "no-price": keptOf(this.kept["no-price"]),
      },
      isOverflowing: this.total.isOverflowing,
    };
  }

  private reasonToKeep(
    { valueCount, shortfall }: PricedLineReader,
    { shape }: KnownShape,
    reprice: Repricer | undefined,
  ): Sums | undefined {
    if (valueCount === 0 || !shape) return this.kept["not-repriceable"];
    if (shortfall > 0) return this.kept.shortfall;
    return reprice ? undefined : this.kept["no-price"];
  }

  private shapeOf(id: number): KnownShape {
    let known = this.shapes.get(id);
    if (!known) {
      const shape = readShape(this.texts.get(id) ?? "");
      known = {
        shape,
        model: sumsOf(this.models, shape?.model ?? ""),
        group: sumsOf(this.groups, shape?.group ?? ""),
        price: { ...NOT_LOOKED_UP },
        own: new Map(),
      };
      this.shapes.set(id, known);
    }
    return known;
  }

  private priceAt({ shape, price, own }: KnownShape, userId: number, createdAt: number): KnownPrice {
    let known = price;
    // Customers that no rule names share their prices.
    const isNamed = this.book.rules?.names(userId) ?? false;
    if (isNamed) {
      known = own.get(userId) ?? { ...NOT_LOOKED_UP };
      own.set(userId, known);
    }
    if (createdAt < known.from || createdAt >= known.until)
      this.lookUp(shape, known, isNamed ? userId : undefined, createdAt);
    return known;
  }

  /** Finds the price that a shape has at a moment, and until when it holds. */
  private lookUp(
    shape: UseShape | undefined,
    known: KnownPrice,
    id: number | undefined,
    createdAt: number,
  ): void {
    const { asOf } = this.range;
    known.from = asOf === undefined ? createdAt : Number.NEGATIVE_INFINITY;
    known.until = Number.POSITIVE_INFINITY;
    if (!shape) return;
    const { model, group, groups, requestedModel } = shape;
    const atMs = (asOf ?? createdAt) * 1000;
    const price = findPrice(this.book, model, group, atMs, { id, groups }, requestedModel);
    known.reprice = price && repricerOf(price, shape);
    // Without a price, the begin of the next one is unknown: it is checked again for every second of the lines.
    if (asOf === undefined) known.until = price ? price.holdsUntilMs / 1000 : createdAt + 1;
  }
}
