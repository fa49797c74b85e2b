import type { LedgerQueries, MovedQuota, RequestRefundQueries } from "@tollgate/storage/accounts/money-ports";
import type { UsageQueries } from "@tollgate/storage/log/ports";
import { describe, expect, it } from "vitest";
import { makeStatement, monthHours } from "./statement";

const HOUR = 3600;
const JULY = Date.UTC(2026, 6) / 1000;
const AUGUST = Date.UTC(2026, 7) / 1000;
const SEPTEMBER = Date.UTC(2026, 8) / 1000;

type Entry = [at: number, cause: MovedQuota["cause"], quota: number];
type Charge = [at: number, model: string, token: string, quota: number];

const total = (sums: readonly { quota: number }[]) => sums.reduce((sum, { quota }) => sum + quota, 0);

/** A ledger and a log that were written down; refunds of requests stand in the log as charges below 0. */
const worldOf = (
  entries: readonly Entry[],
  charges: readonly Charge[],
  unlogged = 0,
  refunds: readonly Charge[] = [],
) => {
  const within = <Row extends readonly [number, ...unknown[]]>(
    rows: readonly Row[],
    from: number,
    end: number,
  ) => rows.filter(([at]) => at >= from && at < end);
  const ledger: Pick<LedgerQueries, "moved" | "total" | "beginning"> = {
    async moved(_, from, end = Number.POSITIVE_INFINITY) {
      const moved = new Map<MovedQuota["cause"], MovedQuota>();
      for (const [, cause, quota] of within(entries, from, end)) {
        const known = moved.get(cause) ?? { entries: 0, quota: 0 };
        moved.set(cause, { cause, entries: known.entries + 1, quota: known.quota + quota });
      }
      return [...moved.values()];
    },
    total: async (_, from, end = Number.POSITIVE_INFINITY) =>
      within(entries, from, end).reduce((sum, [, , quota]) => sum + quota, 0),
    beginning: async (id) =>
      id === 1
        ? {
            at: entries.find(([, cause]) => cause === "opening" || cause === "imported")?.[0],
            first: entries.length === 0 ? undefined : Math.min(...entries.map(([at]) => at)),
            unlogged,
          }
        : undefined,
  };
  const usage: Pick<UsageQueries, "ofUser"> = {
    async ofUser(_, from, end) {
      const by = (column: 1 | 2) => {
        const sums = new Map<string, { requests: number; quota: number }>();
        for (const charge of within(charges, from, end)) {
          const known = sums.get(charge[column]) ?? { requests: 0, quota: 0 };
          sums.set(charge[column], { requests: known.requests + 1, quota: known.quota + charge[3] });
        }
        return [...sums].map(([key, sum]) => ({ key, name: key, ...sum }));
      };
      const before = within(charges, 0, from).reduce((sum, [, , , quota]) => sum + quota, 0);
      return { before, models: by(1), tokens: by(2) };
    },
  };
  const requestRefunds: Pick<RequestRefundQueries, "ofUser"> = {
    async ofUser(_, from, end) {
      const rows = within(refunds, from, end);
      return {
        before: total(within(refunds, 0, from).map(([, , , quota]) => ({ quota }))),
        models: rows.map(([, key, , quota]) => ({ key, quota })),
        tokens: rows.map(([, , key, quota]) => ({ key, quota })),
      };
    },
  };
  return (month: string, begin = 0, id = 1, end = begin) =>
    makeStatement(
      { ledger, usage, requestRefunds },
      { user: { id, username: "alice" }, month, clock: { begin, end } },
    );
};

describe("the hours of a month", () => {
  it.each([
    ["2026-07", 0, JULY, AUGUST],
    ["2026-07", 480, JULY - 8 * HOUR, AUGUST - 8 * HOUR],
    // An hour belongs to the month in which it begins.
    ["2026-07", 330, JULY - 5 * HOUR, AUGUST - 5 * HOUR],
    ["2026-12", 0, Date.UTC(2026, 11) / 1000, Date.UTC(2027, 0) / 1000],
    ["1970-01", 480, 0, Date.UTC(1970, 1) / 1000 - 8 * HOUR],
  ])("%s by a clock of %i minutes", (month, offset, from, end) => {
    expect(monthHours(month, { begin: offset, end: offset })).toEqual({ from, end });
  });

  it.each(["", "2026", "2026-13", "2026-00", "26-07", "2026-07-01", "1969-12", "２０２６-07"])(
    "are none of %j",
    (month) => {
      expect(() => monthHours(month, { begin: 0, end: 0 })).toThrow("invalid-parameter");
    },
  );
});

describe("a statement", () => {
  it("has refunds of requests among the movements, and charges as they were made", async () => {
    const statement = worldOf(
      [
        [JULY - 100, "new-user-gift", 1000],
        [JULY + 20, "request-refund", 25],
        [AUGUST + 5, "request-refund", 4],
      ],
      [
        [JULY, "gpt-4", "1", 30],
        [JULY + 20, "gpt-4", "1", -25],
        [JULY + 30, "claude", "2", 4],
        [AUGUST + 5, "claude", "2", -4],
      ],
      0,
      [
        [JULY + 20, "gpt-4", "1", 25],
        [AUGUST + 5, "claude", "2", 4],
      ],
    );
    expect(await statement("2026-07")).toMatchObject({
      opening: 1000,
      closing: 991,
      charged: 34,
      movements: [{ cause: "request-refund", entries: 1, quota: 25 }],
    });
    expect(await statement("2026-08")).toMatchObject({ opening: 991, closing: 995, charged: 0 });
    expect(await statement("2026-09")).toMatchObject({ opening: 995, closing: 995, charged: 0 });
  });

  it("leads from the first balance to the last by every movement and charge", async () => {
    const statement = worldOf(
      [
        [JULY - 1, "new-user-gift", 1000],
        [JULY, "redeemed", 500],
        [JULY + 5, "redeemed", 7],
        [AUGUST - 1, "quota-changed", -200],
        [AUGUST, "redeemed", 9999],
      ],
      [
        [JULY - 10, "gpt-4", "1", 100],
        [JULY, "gpt-4", "1", 30],
        [JULY + 99, "gpt-4", "2", 4],
        [AUGUST - 1, "claude", "2", 5],
        [AUGUST, "claude", "2", 1],
      ],
    );
    expect(await statement("2026-07")).toMatchObject({
      opening: 900,
      movements: [
        { cause: "redeemed", entries: 2, quota: 507 },
        { cause: "quota-changed", entries: 1, quota: -200 },
      ],
      charged: 39,
      models: [
        { key: "gpt-4", requests: 2, quota: 34 },
        { key: "claude", requests: 1, quota: 5 },
      ],
      tokens: [
        { key: "1", quota: 30 },
        { key: "2", quota: 9 },
      ],
      closing: 900 + 507 - 200 - 39,
      is_partial: false,
    });
    await expect(statement("2026-07", 0, 2)).rejects.toThrow("user-not-found");
  });

  it("leaves months before the ledger unknown, and brings forward the balance at its beginning", async () => {
    const begun = AUGUST + 10 * HOUR + 5;
    const statement = worldOf(
      [
        [begun, "opening", 5000],
        [begun + 60, "redeemed", 10],
        [begun + 2 * HOUR, "redeemed", 100],
      ],
      [
        [JULY, "gpt-4", "1", 300],
        [AUGUST, "gpt-4", "1", 20],
        [begun + 3 * HOUR, "gpt-4", "1", 7],
      ],
      80,
    );
    expect(await statement("2026-07")).toMatchObject({
      opening: null,
      closing: null,
      movements: [],
      charged: 300,
      is_partial: false,
    });
    expect(await statement("2026-08")).toMatchObject({
      from: AUGUST + 11 * HOUR,
      opening: 5000 + 10 - 80 - 320,
      movements: [{ cause: "redeemed", quota: 100 }],
      charged: 7,
      closing: 5110 - 80 - 327,
      is_partial: true,
    });
    expect(await statement("2026-09")).toMatchObject({ opening: 5110 - 80 - 327, is_partial: false });
  });

  it("leaves the payer of charges unknown that are older than the account's first entry", async () => {
    const created = AUGUST + 10 * HOUR + 5;
    const statement = worldOf(
      [
        [created, "new-user-gift", 5000],
        [created + 2 * HOUR, "redeemed", 100],
      ],
      [
        [JULY, "gpt-4", "1", 300],
        [AUGUST, "gpt-4", "1", 20],
        [created + 3 * HOUR, "gpt-4", "1", 7],
      ],
    );
    expect(await statement("2026-07")).toMatchObject({ opening: null, closing: null, charged: 300 });
    expect(await statement("2026-08")).toMatchObject({
      from: AUGUST + 11 * HOUR,
      opening: 5000 - 320,
      movements: [{ cause: "redeemed", quota: 100 }],
      charged: 7,
      closing: 5100 - 327,
      is_partial: true,
    });
    expect(await statement("2026-09")).toMatchObject({ opening: 5100 - 327, is_partial: false });
  });

  it("begins at nothing where everything was charged from the account's first hour on", async () => {
    const created = AUGUST + 10 * HOUR + 5;
    const statement = worldOf([[created, "new-user-gift", 500]], [[created + 1, "gpt-4", "1", 3]]);
    expect(await statement("2026-07")).toMatchObject({ opening: 0, closing: 0 });
    expect(await statement("2026-08")).toMatchObject({ opening: 0, closing: 497, is_partial: false });
  });

  it("ends where the next one begins, by any clock, and adds up by model and by key alike", async () => {
    let seed = 7;
    const below = (limit: number): number => {
      seed = (Math.imul(seed, 1_103_515_245) + 12_345) >>> 0;
      return Math.floor((seed / 2 ** 32) * limit);
    };
    const at = () => JULY - 40 * 24 * HOUR + below(120 * 24) * HOUR + below(HOUR);
    const entries = Array.from({ length: 60 }, (): Entry => [at(), "payment", below(900) - 300]);
    const charges = Array.from(
      { length: 200 },
      (): Charge => [at(), `model ${below(4)}`, String(below(5)), below(50)],
    );
    const statement = worldOf(entries, charges);
    for (const offset of [-720, -210, 0, 60, 345, 480, 840]) {
      const [july, august] = [await statement("2026-07", offset), await statement("2026-08", offset)];
      expect(july.closing).toBe(august.opening);
      expect(july.end).toBe(august.from);
      for (const { opening, movements, charged, closing, models, tokens } of [july, august]) {
        expect(closing).toBe((opening ?? 0) + total(movements) - charged);
        expect([total(models), total(tokens)]).toEqual([charged, charged]);
      }
    }
    expect((await statement("2026-09")).end).toBeGreaterThan(SEPTEMBER);
  });

  it("ends where the next one begins where summer time begins or ends in it", async () => {
    const [march, october] = [Date.UTC(2026, 2) / 1000, Date.UTC(2026, 9) / 1000];
    const hours = Array.from({ length: 70 * 24 }, (_, hour) => hour * HOUR);
    const charges = [march, october].flatMap((begin) =>
      hours.map((hour): Charge => [begin + hour, "m", "1", 1]),
    );
    const statement = worldOf([], charges);
    for (const [first, next, before, after] of [
      ["2026-03", "2026-04", 60, 120],
      ["2026-10", "2026-11", 120, 60],
    ] as const) {
      const [one, other] = [await statement(first, before, 1, after), await statement(next, after)];
      expect(other.from - one.end).toBe(0);
      expect(other.opening).toBe(one.closing);
    }
  });
});
