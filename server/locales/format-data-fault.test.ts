import { type DatabaseFault, DatabaseRefused, type DataFault, DataRefused } from "@tollgate/storage/errors";
import { describe, expect, it } from "vitest";
import { formatDataFault, formatError, traceError } from "./format-data-fault";

type Fault = DataFault | DatabaseFault;

/** A fault of each code, with the values that its sentence names. */
const FAULTS: { readonly [Code in Fault["code"]]: Extract<Fault, { code: Code }> } = {
  "file-missing": { code: "file-missing", path: "/data/tollgate.db" },
  "file-unopenable": { code: "file-unopenable", path: "/data/tollgate.db", reason: "SQLITE_NOTADB" },
  "file-unreadable": { code: "file-unreadable", path: "/data/tollgate.db" },
  "file-damaged": { code: "file-damaged", path: "/data/tollgate.db", reason: "SQLITE_NOTADB" },
  "file-damaged-throughout": {
    code: "file-damaged-throughout",
    path: "/data/tollgate.db",
    reason: "SQLITE_NOTADB",
  },
  "main-file-missing": { code: "main-file-missing", path: "/data/tollgate.db" },
  "folder-in-use": { code: "folder-in-use", folder: "/data" },
  "data-damaged": { code: "data-damaged", reason: "SQLITE_NOTADB" },
  "folder-moved": { code: "folder-moved", folder: "/data", host: "db.local", database: "tollgate" },
  "folder-incomplete": { code: "folder-incomplete", folder: "/data" },
  "folder-not-moved": { code: "folder-not-moved", folder: "/data" },
  "folder-not-empty": { code: "folder-not-empty", folder: "/data" },
  "schema-newer": { code: "schema-newer", migration: "0009-next" },
  "schema-too-old": { code: "schema-too-old" },
  "schema-other": { code: "schema-other" },
  "key-rotation-unfinished": { code: "key-rotation-unfinished" },
  "key-rotation-other": { code: "key-rotation-other" },
  "other-master-key": { code: "other-master-key" },
  "secret-sealed-otherwise": { code: "secret-sealed-otherwise" },
  "journal-cut": { code: "journal-cut", file: "charges-a.journal", at: 512 },
  "journal-damaged": { code: "journal-damaged", file: "charges-a.journal", from: 512, to: 1023, bytes: 512 },
  "journal-batch-twice": { code: "journal-batch-twice", batch: 7 },
  "journal-batch-missing": { code: "journal-batch-missing", batch: 7 },
  "journal-batches-missing": { code: "journal-batches-missing", from: 512, to: 1023, count: 2 },
  "journal-batches-uncertain": { code: "journal-batches-uncertain", after: 6 },
  "journal-complete": { code: "journal-complete" },
  "journal-batch-unknown": { code: "journal-batch-unknown", batch: 7 },
  "journal-batch-unfinished": { code: "journal-batch-unfinished" },
  "journal-set-aside": { code: "journal-set-aside", path: "/data/tollgate.db" },
  "journal-without-room": { code: "journal-without-room" },
  "outbox-lacks-charges": { code: "outbox-lacks-charges" },
  "outbox-row-unreadable": { code: "outbox-row-unreadable", row: 3 },
  "user-below-zero": { code: "user-below-zero", user: 1, username: "root", balance: 748 },
  "user-balance": {
    code: "user-balance",
    user: 1,
    username: "root",
    balance: 748,
    granted: 777,
    used: 30,
    due: 747,
  },
  "user-ledger": { code: "user-ledger", user: 1, username: "root", granted: 777, entered: 700 },
  "key-ledger": { code: "key-ledger", key: 2, name: "laptop", user: 1, granted: 777, entered: 700 },
  "commission-ledger": { code: "commission-ledger", user: 1, account: "commission", balance: 6, entered: 5 },
  "ledger-below-zero": { code: "ledger-below-zero", user: 1, account: "commission", balance: -5 },
  "plan-ledger": {
    code: "plan-ledger",
    subscription: 3,
    period: 2,
    user: 1,
    granted: 5,
    taken: 4,
    entered: 0,
    back: 1,
  },
  "plan-parked": { code: "plan-parked", user: 1, parked: 5, entered: 0 },
  "entry-twice": { code: "entry-twice", cause: "payment", reference: "7", account: "balance", times: 2 },
  "transfer-uneven": { code: "transfer-uneven", user: 1, cause: "commission-transfer", sum: 15 },
  "entry-of-nothing": {
    code: "entry-of-nothing",
    entry: 12,
    user: 1,
    cause: "payment",
    reference: "7",
    amount: 500,
  },
  "request-refund": {
    code: "request-refund",
    request: "r1",
    user: 2,
    charged: 50,
    quota: 40,
    key_quota: 30,
    plan_quota: 10,
    entered: 41,
  },
  "channel-refunds": { code: "channel-refunds", channel: 3, name: "upstream", refunded: 7, entered: 12 },
  "plan-limits": { code: "plan-limits", kind: "plan", id: 4, limits: '{"rpm":-1}' },
  "movement-unexplained": {
    code: "movement-unexplained",
    entry: 12,
    user: 1,
    account: "balance",
    amount: 500,
  },
  "order-given": { code: "order-given", order: "a1", user: 1, state: "paid", quota: 500, entered: 0 },
  "order-state": {
    code: "order-state",
    order: "a1",
    user: 1,
    state: "paid",
    amount: 730,
    refunded: 0,
    disputed: 73,
    quota: 500,
    taken: 50,
  },
  "order-back": { code: "order-back", order: "a1", user: 1, refunded: 0, disputed: 73, sent: 0, claimed: 0 },
  "invoice-orders": {
    code: "invoice-orders",
    invoice: 4,
    user: 1,
    state: "issued",
    amount: 730,
    parts: 730,
    paid: 700,
  },
  "order-taken": { code: "order-taken", order: "a1", user: 1, taken: 50, entered: 0 },
  "refund-ledger": {
    code: "refund-ledger",
    order: "a1",
    user: 1,
    refund: 3,
    taken: 50,
    missing: 0,
    quota: 500,
    entered: 0,
  },
  "order-plan": { code: "order-plan", order: "a1", user: 1 },
  "order-terms": { code: "order-terms", order: "a1", user: 1, quota: 500, began: 4 },
  "order-subscription": { code: "order-subscription", order: "a1", user: 1, named: 4, began: 0 },
  "promotion-uses": {
    code: "promotion-uses",
    ...{ promotion: 3, used_count: 2, used_total: 500, uses: 1, total: 250 },
  },
  "promotion-orders": {
    code: "promotion-orders",
    ...{ use: 4, promotion: 3, order: "a1", used: "reserved", state: "paid" },
  },
  "order-plan-back": { code: "order-plan-back", order: "a1", user: 1, back: 50, entered: 0 },
  "plan-price": { code: "plan-price", subscription: 4, user: 1, source: "balance", price: 300, entered: 0 },
  "plan-without-period": { code: "plan-without-period", subscription: 4, user: 1 },
  "plan-followed-twice": { code: "plan-followed-twice", subscription: 4, times: 2 },
  "plan-open-twice": { code: "plan-open-twice", subscription: 4, times: 2 },
  "plan-period-sum": {
    code: "plan-period-sum",
    subscription: 4,
    period: 2,
    user: 1,
    granted: 500,
    spent: 1,
    unspent: 2,
    withdrawn: 3,
    taken: 4,
  },
  "plan-quota": { code: "plan-quota", subscription: 4, period: 2, user: 1, granted: 400, quota: 500 },
  "commission-share": {
    code: "commission-share",
    order: "a1",
    user: 1,
    base: 500,
    amount: 60,
    taken_back: 5,
    missing: 1,
    entered: 50,
  },
  "commission-back": { code: "commission-back", user: 1, taken: 5, entered: 4 },
  "payout-aside": { code: "payout-aside", user: 1, payout: 30, asked: 20 },
  "payout-ledger": { code: "payout-ledger", payout: 3, user: 1, amount: 30, state: "paid" },
  "redemption-ledger": { code: "redemption-ledger", redemption: 3, used: 1, times: 2 },
  "redemption-unbooked": { code: "redemption-unbooked", redemption: 3, user: 1, quota: 60 },
  "more-faults": { code: "more-faults", kind: "order-given", count: 999980 },
  "user-use": { code: "user-use", user: 1, username: "root", used: 30, logged: 31 },
  "user-use-before-log": { code: "user-use-before-log", user: 1 },
  "key-below-zero": { code: "key-below-zero", key: 2, name: "laptop", user: 1, balance: 748 },
  "key-balance": {
    code: "key-balance",
    key: 2,
    name: "laptop",
    user: 1,
    balance: 748,
    granted: 777,
    taken: 30,
    due: 747,
  },
  "key-overtaken": { code: "key-overtaken", key: 2, name: "laptop", user: 1 },
  "key-use": { code: "key-use", key: 2, name: "laptop", user: 1, used: 30, taken: 30, untaken: 0, due: 747 },
  "logged-use": {
    code: "logged-use",
    record: "channel",
    id: 4,
    column: "used_quota",
    stored: 29,
    logged: 31,
  },
  "lease-below-zero": { code: "lease-below-zero", record: "key", id: 2, epoch: 7, leased: -1 },
  "node-not-ended": { code: "node-not-ended", epoch: 7, seconds: 90 },
  "hour-sums": {
    code: "hour-sums",
    hour: "2024-05-01T10:00",
    column: "used_quota",
    whole: 22,
    table: "payer_hours",
    sum: 23,
  },
  "block-sums": {
    code: "block-sums",
    hour: "2024-05-01T10:00",
    block: "bucket",
    whole: 22,
    table: "payer_hours",
    sum: 23,
  },
  "hour-lines": { code: "hour-lines", hour: "2024-05-01T10:00", lines: 1, counted: 2 },
  "hour-cost": { code: "hour-cost", hour: "2024-05-01T10:00", cost: 24, summed: 23 },
  "table-sums": { code: "table-sums", table: "payer_hours", keys: "hour 1714557600, model_id 1" },
  "line-sums": { code: "line-sums", keys: "hour 1714557600, model_id 1" },
  "text-hours": { code: "text-hours", keys: "hour 1714557600, model_id 1" },
  "charge-unlike-log": { code: "charge-unlike-log", request: "r-1", charged: 18, logged: 17 },
  "request-repeated": { code: "request-repeated", request: "r-1", times: 2 },
  "line-without-receipt": { code: "line-without-receipt", line: 5 },
  "line-unlike-receipt": { code: "line-unlike-receipt", line: 5 },
  "line-of-another-user": { code: "line-of-another-user", line: 5 },
  "line-without-names": { code: "line-without-names", line: 5 },
  "key-of-another-user": { code: "key-of-another-user", user: 1, key: 2 },
  "row-of-nobody": { code: "row-of-nobody", table: "payer_hours", parent: "users" },
  "redemption-use": { code: "redemption-use", redemption: 6 },
  "sequence-behind": { code: "sequence-behind", table: "users", highest: 7, next: 7 },
  "database-address-invalid": { code: "database-address-invalid" },
  "database-unreachable": { code: "database-unreachable", host: "db.example", reason: "ECONNREFUSED" },
  "database-sign-in-refused": { code: "database-sign-in-refused", host: "db.example", user: "tollgate" },
  "database-missing": { code: "database-missing", host: "db.example", database: "tollgate" },
  "database-full": { code: "database-full", host: "db.example" },
  "database-busy": { code: "database-busy", host: "db.example" },
  "database-locked": { code: "database-locked" },
  "database-read-only": { code: "database-read-only", host: "db.example", database: "tollgate" },
  "database-listens-elsewhere": { code: "database-listens-elsewhere", host: "db.example" },
  "database-copy-silent": { code: "database-copy-silent", host: "db.example", reason: "ECONNREFUSED" },
  "database-not-a-copy": { code: "database-not-a-copy", host: "db.example", database: "tollgate" },
  "database-rights-missing": { code: "database-rights-missing", database: "tollgate", user: "tollgate" },
  "database-too-old": { code: "database-too-old", found: "13.4", needed: "14" },
  "database-not-utf8": { code: "database-not-utf8", database: "tollgate", found: "13.4" },
  "database-schema-newer": { code: "database-schema-newer", database: "tollgate", migration: "0009-next" },
  "database-schema-too-old": { code: "database-schema-too-old", database: "tollgate" },
  "database-upgrade-waits": { code: "database-upgrade-waits", database: "tollgate" },
  "database-upgrade-locked": { code: "database-upgrade-locked", database: "tollgate" },
  "database-incomplete": { code: "database-incomplete", database: "tollgate" },
  "database-left": { code: "database-left", database: "tollgate" },
  "database-not-empty": { code: "database-not-empty", database: "tollgate" },
  "database-has-nodes": { code: "database-has-nodes", database: "tollgate", nodes: 2 },
  "database-unsettled": { code: "database-unsettled", database: "tollgate" },
  "database-taken": { code: "database-taken", database: "tollgate" },
  "database-other-master-key": { code: "database-other-master-key", database: "tollgate" },
};

describe("a fault of the data", () => {
  it("is told in the reviewed sentences", async () => {
    const sentences = Object.entries<Fault>(FAULTS).map(
      ([code, fault]) => `${code}: ${formatDataFault(fault)}`,
    );
    await expect(`${sentences.join("\n")}\n`).toMatchFileSnapshot("./data-faults.sentences.txt");
  });

  it("is described in the errors that carry it; other errors keep their texts", () => {
    const said = "the data is of another version: start this version once";
    expect(formatError(new DataRefused({ code: "schema-other" }))).toBe(said);
    expect(formatError(new DatabaseRefused({ code: "database-address-invalid" }))).toContain("postgres://");
    expect(formatError(new Error("EACCES: permission denied"))).toBe("EACCES: permission denied");
    expect(formatError("gone")).toBe("gone");
  });
});

describe("an unforeseen error", () => {
  it("is told with its way and without its fields, which may hold a row", () => {
    const detail = "Failing row contains (1, root, $scrypt$secret)";
    const error = Object.assign(new Error("the value violates a check"), { code: "23514", detail });
    const traced = traceError(error);
    expect(traced).toContain("the value violates a check");
    expect(traced).toContain("format-data-fault.test.ts");
    expect(traced).not.toContain("secret");
    expect(traceError("odd")).toBe("odd");
  });

  it("is reported with its meaning when that is known", () => {
    const refused = new DatabaseRefused({ code: "database-full", host: "db.local" });
    expect(traceError(refused)).toBe(formatError(refused));
  });
});
