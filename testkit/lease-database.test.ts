import type { AccountId, LeaseRecall, LeaseWish } from "@tollgate/contract/records/lease";
import { beforeEach, describe, expect, it } from "vitest";
import { LeaseDatabase } from "./lease-database";

const USER: AccountId = "user:1";
const KEY: AccountId = "key:1";
const LIFE_MS = 1000;

let db: LeaseDatabase;
let recalls: LeaseRecall[];

beforeEach(() => {
  recalls = [];
  db = new LeaseDatabase(LIFE_MS, (recall) => recalls.push(recall));
  db.open(USER, 600);
  db.open(KEY, 50);
});

const wish = (epoch: number, number: number, amounts: Partial<LeaseWish>): LeaseWish => ({
  epoch,
  account: USER,
  number,
  least: 0,
  most: 0,
  total: amounts.most ?? 0,
  ahead: 0,
  isLast: false,
  ...amounts,
});

const leased = (epoch: number): number | undefined =>
  db.accounts.get(USER)?.leases.find((row) => row.epoch === epoch)?.quota;

describe("a wish", () => {
  it("is granted the quota that holds need, as far as it is there", () => {
    db.join(0);
    expect(db.acquire(wish(1, 1, { most: 100 }))).toEqual({ granted: 100, left: 500, elsewhere: 0 });
    expect(db.acquire(wish(1, 2, { least: 400, most: 900 }))).toMatchObject({ granted: 500, left: 0 });
  });

  it("is granted ahead of need at most half of the remaining quota, divided by the nodes", () => {
    for (let node = 0; node < 3; node += 1) db.join(0);
    expect(db.acquire(wish(1, 1, { most: 10, ahead: 1_000 }))).toMatchObject({ granted: 100 });
    expect(db.acquire(wish(2, 1, { most: 10, ahead: 30 }))).toMatchObject({ granted: 30 });
  });

  it("is granted nothing, and announced, while other nodes may give back the missing quota", () => {
    db.join(0);
    db.join(0);
    db.acquire(wish(1, 1, { most: 400 }));
    expect(db.acquire(wish(2, 1, { least: 10, most: 300 }))).toEqual({
      granted: 0,
      left: 200,
      elsewhere: 400,
    });
    expect(recalls).toEqual([{ account: USER, epoch: 2 }]);
    expect(db.acquire(wish(2, 2, { least: 10, most: 300, isLast: true }))).toMatchObject({ granted: 200 });
  });

  it("that comes twice is answered the same, and granted once", () => {
    db.join(0);
    const twice = wish(1, 1, { most: 100 });
    db.acquire(twice);
    expect(db.acquire(twice)).toMatchObject({ granted: 100, left: 500 });
    expect(leased(1)).toBe(100);
  });

  it("of an epoch that is over is refused", () => {
    db.join(0);
    db.expire(LIFE_MS + 1);
    expect(db.acquire(wish(1, 1, { most: 100 }))).toBe("epoch-over");
  });
});

describe("the end of an epoch", () => {
  it("gives back its leases, also quota that was on its way back", () => {
    db.join(0);
    db.acquire(wish(1, 1, { most: 100 }));
    expect(db.expire(LIFE_MS)).toEqual([]);
    expect(db.expire(LIFE_MS + 1)).toEqual([1]);
    expect(db.giveBack({ epoch: 1, account: USER, number: 2, quota: 60 })).toBe("epoch-over");
    expect(db.accounts.get(USER)).toMatchObject({ quota: 600, leases: [] });
    expect(db.renew(1, LIFE_MS + 2)).toBe("epoch-over");
  });

  it("does not come for a node that renewed, though its time was over", () => {
    db.join(0);
    expect(db.renew(1, 5 * LIFE_MS)).toEqual({ liveNodes: 1, rank: 0 });
    expect(db.expire(5 * LIFE_MS)).toEqual([]);
  });
});

describe("a batch of charges", () => {
  const charge = (quota: number, shortfall = 0, keyQuota?: number) => ({
    requestId: "r1",
    user: USER,
    quota,
    shortfall,
    key: keyQuota === undefined ? undefined : KEY,
    keyQuota: keyQuota ?? 0,
  });

  it("takes from the lease, and from the account for the lease's shortfall", () => {
    db.join(0);
    db.acquire(wish(1, 1, { most: 100 }));
    const { booked, isLate } = db.book({ epoch: 1, charges: [charge(100, 20)] });
    expect(isLate).toBe(false);
    expect(booked).toMatchObject([{ charged: 120, shortfall: 0 }]);
    expect(db.accounts.get(USER)).toMatchObject({ quota: 480, settled: 120 });
    expect(leased(1)).toBe(0);
  });

  it("is booked once, and answered the same again, also when its epoch is over by then", () => {
    db.join(0);
    db.acquire(wish(1, 1, { most: 100 }));
    const batch = { epoch: 1, charges: [charge(60)] };
    const { booked } = db.book(batch);
    db.leave(1);
    expect(db.book(batch)).toEqual({ isLate: true, booked });
    expect(db.accounts.get(USER)).toMatchObject({ quota: 540, settled: 60 });
    expect(db.lines).toHaveLength(1);
  });

  it("that is late takes at most the account's quota, and notes the rest", () => {
    db.join(0);
    expect(db.book({ epoch: 7, charges: [charge(700, 0, 70)] })).toEqual({
      isLate: true,
      booked: [{ requestId: "r1", charged: 600, shortfall: 100, takenFromKey: 50, keyShortfall: 550 }],
    });
    expect(db.accounts.get(USER)).toMatchObject({ quota: 0, settled: 600 });
  });

  it("is taken back once, where nothing was delivered", () => {
    db.join(0);
    db.acquire(wish(1, 1, { most: 100 }));
    db.book({ epoch: 1, charges: [charge(60)] });
    db.refund("r1");
    db.refund("r1");
    expect(db.accounts.get(USER)).toMatchObject({ quota: 560, settled: 0 });
    expect(db.lines.map(({ charged }) => charged)).toEqual([60, -60]);
  });

  it("of an account that was removed covers nothing", () => {
    db.join(0);
    db.acquire(wish(1, 1, { most: 100 }));
    db.remove(USER);
    expect(db.acquire(wish(1, 2, { most: 100 }))).toEqual({ granted: 0, left: 0, elsewhere: 0 });
    expect(db.book({ epoch: 1, charges: [charge(60)] }).booked).toMatchObject([
      { charged: 0, shortfall: 60 },
    ]);
  });

  it("never takes more from a lease than it has", () => {
    db.join(0);
    expect(() => db.book({ epoch: 1, charges: [charge(1)] })).toThrow("CHECK");
  });
});

describe("an edit", () => {
  it("moves by the difference to the present value, once", () => {
    const edit = { id: "e1", account: USER, wanted: 500, isLast: false };
    expect(db.edit(edit)).toEqual({ moved: -100, balance: 500 });
    expect(db.edit(edit)).toEqual({ moved: -100, balance: 500 });
    expect(db.accounts.get(USER)).toMatchObject({ quota: 500, granted: 500 });
  });

  it("below the leased quota recalls first, and then takes the available quota", () => {
    db.join(0);
    db.acquire(wish(1, 1, { most: 400 }));
    const edit = { id: "e1", account: USER, wanted: 100 };
    expect(db.edit({ ...edit, isLast: false })).toEqual({ moved: undefined, balance: 600 });
    expect(recalls).toEqual([{ account: USER, epoch: undefined }]);
    expect(db.edit({ ...edit, isLast: true })).toEqual({ moved: -200, balance: 400 });
    expect(db.accounts.get(USER)).toMatchObject({ quota: 0, granted: 400 });
  });
});
