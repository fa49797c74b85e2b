import { describe, expect, it } from "vitest";
import { BudgetBook, type Spender, type SpentBefore } from "./budget-book";
import type { Budget, Subject } from "./budgets";

const NOON = new Date(2026, 10, 21, 12).getTime();
const LIVE_KEYS = 100;

const DAILY: Budget = { limit: "dailyQuota", period: "day", max: 1_000_000 };

const row = (keyId: number, quota: number, groups = ["default"]): SpentBefore => ({
  ...{ userId: 1, keyId, groups },
  quotaSince: () => quota,
  requestsSince: () => 1,
});

/** Rows of keys that exist, and of so many deleted ones that they are swept. */
const rowsWith = (quota: number): SpentBefore[] => [
  ...Array.from({ length: 1000 }, (_, index) => row(1001 + index, quota)),
  ...Array.from({ length: LIVE_KEYS }, (_, index) => row(1 + index, quota)),
];

const setUp = () => {
  const book = new BudgetBook(() => NOON, { hasKey: (id) => id <= LIVE_KEYS, hasUser: () => true });
  const usedOf = (spender: Spender): number | undefined => book.standings(spender, [DAILY])[0]?.used;
  const used = (group = "default") => [
    usedOf({ scope: "user", id: 1 }),
    usedOf({ scope: "group", id: group }),
  ];
  const raise = (rows: readonly SpentBefore[]): void => book.raise(rows, book.budgetTimes());
  return { book, used, raise };
};

describe("spending of deleted keys, on several nodes", () => {
  it("is counted once, however often storage is read", () => {
    const { book, used, raise } = setUp();
    book.load(rowsWith(10));
    book.share();
    expect(used()).toEqual([11_000, 11_000]);
    raise(rowsWith(10));
    raise(rowsWith(10));
    expect(used()).toEqual([11_000, 11_000]);
  });

  it("counts in the groups of its user when it grows, and that of the others in their own", () => {
    const { book, used, raise } = setUp();
    book.load([row(2000, 10), row(1, 10, ["vip"])]);
    book.share();
    for (const _ of [1, 2]) raise([row(2000, 15), row(2001, 4), row(1, 17, ["vip"])]);
    expect([used(), used("vip")]).toEqual([
      [36, 19],
      [36, 17],
    ]);
  });
});

describe("windows of a key whose limits are changed again and again", () => {
  it("are those that its limits name now", () => {
    const { book } = setUp();
    const opened: number[] = [];
    book.report({ opened: ({ hours }) => opened.push(hours), reached: () => undefined });
    const meet = (hours: number): void => {
      const limits = { windowHours: hours, windowQuota: 100 };
      const [budget] = book.standings({ scope: "key", id: 1 }, [
        { limit: "windowQuota", period: hours, max: 100 },
      ]);
      const subject: Subject = { scope: "key", id: 1, limits, budgets: budget ? [budget] : [] };
      book.meetAll([subject]);
    };
    const charge = () => book.add({ scope: "key", id: 1 }, { quota: 1, requests: 1 });
    meet(5);
    meet(6);
    charge();
    expect(opened).toEqual([6]);
    for (let hours = 7; hours <= 720; hours += 1) {
      meet(hours);
      charge();
    }
    expect(opened).toHaveLength(715);
    // Day, week and month begin at other moments.
    expect(book.budgetTimes().startsMs).toHaveLength(4);
    for (const hours of [5, 6, 719])
      expect(
        book.standings({ scope: "key", id: 1 }, [{ limit: "windowQuota", period: hours, max: 100 }]),
      ).toMatchObject([{ used: 0, span: undefined }]);
  });
});
