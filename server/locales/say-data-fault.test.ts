import { type DatabaseFault, DatabaseRefused, type DataFault, DataRefused } from "@tollgate/storage/errors";
import { describe, expect, it } from "vitest";
import { sayDataFault, sayError, traceError } from "./say-data-fault";

type Fault = DataFault | DatabaseFault;

/** Every fault and what is said of it. */
const SAID: { [Code in Fault["code"]]: readonly [fault: Extract<Fault, { code: Code }>, said: string] } = {
  "file-missing": [{ code: "file-missing", path: "/data/tollgate.db" }, "there is no file /data/tollgate.db"],
  "file-unopenable": [
    { code: "file-unopenable", path: "/data/tollgate.db", reason: "SQLITE_NOTADB" },
    "/data/tollgate.db cannot be opened as a database (SQLITE_NOTADB). If it is damaged, restore a backup; tollgate doctor examines the folder.",
  ],
  "file-unreadable": [
    { code: "file-unreadable", path: "/data/tollgate.db" },
    "/data/tollgate.db cannot be opened as a database (no such file, or not readable). If it is damaged, restore a backup; tollgate doctor examines the folder.",
  ],
  "file-damaged": [
    { code: "file-damaged", path: "/data/tollgate.db", reason: "SQLITE_NOTADB" },
    "/data/tollgate.db is damaged: SQLITE_NOTADB",
  ],
  "file-damaged-throughout": [
    { code: "file-damaged-throughout", path: "/data/tollgate.db", reason: "SQLITE_NOTADB" },
    "/data/tollgate.db is damaged and cannot be read: SQLITE_NOTADB; restore a backup",
  ],
  "main-file-missing": [
    { code: "main-file-missing", path: "/data/tollgate.db" },
    "/data/tollgate.db is missing or empty, although there is a log beside it: put the file back, restore a backup, or name another folder with DATA_DIR.",
  ],
  "folder-in-use": [
    { code: "folder-in-use", folder: "/data" },
    "The data folder /data is in use by another process of Tollgate: end that one, or name another folder with DATA_DIR.",
  ],
  "data-damaged": [
    { code: "data-damaged", reason: "SQLITE_NOTADB" },
    "the data is damaged: SQLITE_NOTADB; restore a backup",
  ],
  "folder-moved": [
    { code: "folder-moved", folder: "/data", host: "db.local", database: "tollgate" },
    "The data of /data was taken to the database tollgate on db.local: set DATABASE_URL to it, and MASTER_KEY to the key of this folder. What is left in the folder is old, and nobody may spend it again.",
  ],
  "folder-incomplete": [
    { code: "folder-incomplete", folder: "/data" },
    "The data of /data is not complete: bringing it there was cut off. Run the same tollgate promote or tollgate import again.",
  ],
  "folder-not-moved": [
    { code: "folder-not-moved", folder: "/data" },
    "/data has data that is not in the database: run tollgate promote --to <the database> without DATABASE_URL, or name an empty folder with DATA_DIR.",
  ],
  "folder-not-empty": [
    { code: "folder-not-empty", folder: "/data" },
    "/data is not empty, and nothing in it is overwritten: name another folder.",
  ],
  "schema-newer": [
    { code: "schema-newer", migration: "0009-next" },
    'the database has the migration "0009-next", which this version does not know: it was written by a newer version',
  ],
  "schema-too-old": [
    { code: "schema-too-old" },
    "a version before commit b2580da4 of Tollgate wrote the data: start commit b2580da4 on this folder once, stop it, then start this version",
  ],
  "schema-other": [{ code: "schema-other" }, "the data is of another version: start this version once"],
  "key-rotation-unfinished": [
    { code: "key-rotation-unfinished" },
    "Changing the master key was cut off, and some secrets are stored under the new key already: run tollgate rotate-master-key again, with both keys as before. Nothing is lost, and nothing can be read until it is done.",
  ],
  "key-rotation-other": [
    { code: "key-rotation-other" },
    "Changing the master key to another new key was begun before: run tollgate rotate-master-key with that one.",
  ],
  "other-master-key": [
    { code: "other-master-key" },
    "The master key is not the one that this data folder was written with: set MASTER_KEY to that key, or put its master.key back into the folder.",
  ],
  "secret-sealed-otherwise": [
    { code: "secret-sealed-otherwise" },
    "a stored secret was sealed under another master key, or was altered",
  ],
  "journal-cut": [
    { code: "journal-cut", file: "charges-a.journal", at: 512 },
    "charges-a.journal ends at byte 512, before its end",
  ],
  "journal-damaged": [
    { code: "journal-damaged", file: "charges-a.journal", from: 512, to: 1023, bytes: 512 },
    "charges-a.journal is damaged: the bytes from 512 to 1023 (512) are not what was written there",
  ],
  "journal-batch-twice": [
    { code: "journal-batch-twice", batch: 7 },
    "batch 7 of the charge journal is there twice, and not the same",
  ],
  "journal-batch-missing": [
    { code: "journal-batch-missing", batch: 7 },
    "the charge journal lacks charges: batch 7 is missing",
  ],
  "journal-batches-missing": [
    { code: "journal-batches-missing", from: 512, to: 1023, count: 2 },
    "the charge journal lacks charges: the batches from 512 to 1023 (2) are missing",
  ],
  "journal-batches-uncertain": [
    { code: "journal-batches-uncertain", after: 6 },
    "the charge journal may lack charges: batches after 6 may have stood in damaged bytes",
  ],
  "journal-complete": [{ code: "journal-complete" }, "no batch of the charge journal is missing"],
  "journal-batch-unknown": [
    { code: "journal-batch-unknown", batch: 7 },
    "batch 7 of the charge journal is none that this version writes",
  ],
  "journal-batch-unfinished": [
    { code: "journal-batch-unfinished" },
    "the last batch of the charge journal was not written whole: its answers did not end either",
  ],
  "journal-set-aside": [
    { code: "journal-set-aside", path: "/data/tollgate.db" },
    "the damaged file of the journal is kept as /data/tollgate.db",
  ],
  "journal-without-room": [
    { code: "journal-without-room" },
    "the charge journal could not be written: is the disk full?",
  ],
  "outbox-lacks-charges": [
    { code: "outbox-lacks-charges" },
    "charges are missing that the log has not taken over",
  ],
  "outbox-row-unreadable": [{ code: "outbox-row-unreadable", row: 3 }, "row 3 of the outbox cannot be read"],
  "user-below-zero": [
    { code: "user-below-zero", user: 1, username: "root", balance: 748 },
    "user 1 (root): the balance is 748, below zero",
  ],
  "user-balance": [
    { code: "user-balance", user: 1, username: "root", balance: 748, granted: 777, used: 30, due: 747 },
    "user 1 (root): the balance is 748, but granted 777 − used 30 = 747",
  ],
  "user-ledger": [
    { code: "user-ledger", user: 1, username: "root", granted: 777, entered: 700 },
    "user 1 (root): 777 was granted, but the entries of the ledger add up to 700",
  ],
  "key-ledger": [
    { code: "key-ledger", key: 2, name: "laptop", user: 1, granted: 777, entered: 700 },
    "key 2 (laptop) of user 1: 777 was granted, but the entries of the ledger add up to 700",
  ],
  "commission-ledger": [
    { code: "commission-ledger", user: 1, account: "commission", balance: 6, entered: 5 },
    'user 1: the account "commission" has 6, but the entries of the ledger add up to 5',
  ],
  "ledger-below-zero": [
    { code: "ledger-below-zero", user: 1, account: "commission", balance: -5 },
    'user 1: what the ledger has on the account "commission" is -5, below zero',
  ],
  "plan-ledger": [
    { code: "plan-ledger", subscription: 3, period: 2, user: 1, granted: 5, taken: 4, entered: 0, back: 1 },
    "period 2 of subscription 3 of user 1: 5 was granted and 4 taken back, but the entries of the ledger say 0 and 1",
  ],
  "plan-parked": [
    { code: "plan-parked", user: 1, parked: 5, entered: 0 },
    "user 1: 5 is put aside, but the entries of the ledger add up to 0",
  ],
  "entry-twice": [
    { code: "entry-twice", cause: "payment", reference: "7", account: "balance", times: 2 },
    'the ledger has 2 entries of payment 7 on accounts "balance", where one may be: compare them (/ledger) with the last backup, and set the user\'s balance to what is right',
  ],
  "transfer-uneven": [
    { code: "transfer-uneven", user: 1, cause: "commission-transfer", sum: 15 },
    "user 1: the entries of commission-transfer, which move from one account to another, add up to 15 instead of 0: one half of one is missing or altered. Compare them (/ledger) with the last backup, and set the user's balance to what is right",
  ],
  "entry-of-nothing": [
    { code: "entry-of-nothing", entry: 12, user: 1, cause: "payment", reference: "7", amount: 500 },
    "entry 12 of the ledger (payment 7, 500 of user 1) names a row that is not there: it was deleted or altered by hand. Look for it in the last backup, and put it back",
  ],
  "movement-unexplained": [
    { code: "movement-unexplained", entry: 12, user: 1, account: "balance", amount: 500 },
    'entry 12 of the ledger: 500 on the account "balance" of user 1 was moved by a node of an older version, or by hand in the database, and nobody wrote down why',
  ],
  "order-given": [
    { code: "order-given", order: "a1", user: 1, state: "paid", quota: 500, entered: 0 },
    "order a1 of user 1 (paid) is worth 500, but the ledger has 0 of its payment: ask the provider whether it was paid, and set the user's balance to what is right",
  ],
  "order-state": [
    {
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
    'order a1 of user 1 is "paid", which its amounts do not say: 0 refunded and 73 claimed of 730, 50 of 500 quota taken back. Compare it with the provider and with the last backup',
  ],
  "order-back": [
    { code: "order-back", order: "a1", user: 1, refunded: 0, disputed: 73, sent: 0, claimed: 0 },
    "order a1 of user 1: 0 was refunded and 73 claimed, but its refunds add up to 0 and 0: compare them (/order) with the provider, and with the last backup",
  ],
  "order-taken": [
    { code: "order-taken", order: "a1", user: 1, taken: 50, entered: 0 },
    "order a1 of user 1: 50 quota was taken back for what was refunded, but the ledger has 0: compare its refunds (/order) with the entries (/ledger), and set the user's balance to what is right",
  ],
  "refund-ledger": [
    { code: "refund-ledger", order: "a1", user: 1, refund: 3, taken: 50, missing: 0, quota: 500, entered: 0 },
    "refund 3 of order a1 of user 1: of 500 quota, 50 was taken and 0 missing, but the ledger has 0 taken: compare the refund (/order) with the entries (/ledger), and set the user's balance to what is right",
  ],
  "order-plan": [
    { code: "order-plan", order: "a1", user: 1 },
    "order a1 of user 1 does not say whether its plan began, or says so of no plan that was paid: look at the user's plans (/plan/subscribers), and give the plan or its price by hand where neither came",
  ],
  "order-terms": [
    { code: "order-terms", order: "a1", user: 1, quota: 500, began: 4 },
    "order a1 of user 1 is for a plan that costs something else than 500, or its subscription 4 has other terms than were ordered: compare both (/plan/subscribers) with the last backup",
  ],
  "order-subscription": [
    { code: "order-subscription", order: "a1", user: 1, named: 4, began: 0 },
    "order a1 of user 1 names subscription 4, but the one that it began is 0 (0: none): look at the user's plans (/plan/subscribers) and at the last backup",
  ],
  "order-plan-back": [
    { code: "order-plan-back", order: "a1", user: 1, back: 50, entered: 0 },
    "order a1 of user 1: 50 of its plan's price came back, but the ledger has 0: compare the order (/order) with the entries (/ledger), and set the user's balance to what is right",
  ],
  "plan-price": [
    { code: "plan-price", subscription: 4, user: 1, source: "balance", price: 300, entered: 0 },
    "subscription 4 of user 1 (source: balance) has the price 300, but the ledger has 0 paid for it: compare it (/plan/subscribers) with the entries (/ledger), and set the user's balance to what is right",
  ],
  "plan-without-period": [
    { code: "plan-without-period", subscription: 4, user: 1 },
    "subscription 4 of user 1 is active and has no period: end it (/plan/subscribers), and give the plan again",
  ],
  "plan-followed-twice": [
    { code: "plan-followed-twice", subscription: 4, times: 2 },
    "2 subscriptions take the place of subscription 4, where one may: end those that are too many (/plan/subscribers)",
  ],
  "plan-open-twice": [
    { code: "plan-open-twice", subscription: 4, times: 2 },
    "subscription 4 has 2 open periods, where one may be: compare them with the last backup, and end the subscription (/plan/subscribers)",
  ],
  "plan-period-sum": [
    {
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
    "period 2 of subscription 4 of user 1: 500 was granted, but spent 1 + left 2 + withdrawn 3 + taken back 4 are not that, or something is left of it after its end: compare it with the last backup",
  ],
  "plan-quota": [
    { code: "plan-quota", subscription: 4, period: 2, user: 1, granted: 400, quota: 500 },
    "period 2 of subscription 4 of user 1: 400 was granted, but the plan includes 500: compare it (/plan/subscribers) with the last backup, and set the user's balance to what is right",
  ],
  "commission-share": [
    {
      code: "commission-share",
      order: "a1",
      user: 1,
      base: 500,
      amount: 60,
      taken_back: 5,
      missing: 1,
      entered: 50,
    },
    "the commission of user 1 for order a1: 60 (in the ledger: 50) of 500, 5 taken back and 1 missing, is not its part of the payment, or of what was refunded of that: compare it (/invitation/manage) with the order and with the last backup",
  ],
  "commission-back": [
    { code: "commission-back", user: 1, taken: 5, entered: 4 },
    "user 1: 5 was taken back of commissions, but the ledger has 4: compare them (/invitation/manage) with the entries (/ledger)",
  ],
  "payout-aside": [
    { code: "payout-aside", user: 1, payout: 30, asked: 20 },
    "user 1: 30 is put aside to be paid out, but what was asked for and is not decided adds up to 20: compare the requests (/invitation/manage) with the entries (/ledger) before you pay",
  ],
  "payout-ledger": [
    { code: "payout-ledger", payout: 3, user: 1, amount: 30, state: "paid" },
    "request 3 of user 1 to be paid out (30, paid) is not what the ledger says of it: compare it (/invitation/manage) with the entries (/ledger) before you pay",
  ],
  "redemption-ledger": [
    { code: "redemption-ledger", redemption: 3, used: 1, times: 2 },
    "redemption code 3 was used 1 times, but the ledger has 2 entries of it: compare who used it (/redemption) with the entries (/ledger), and set the user's balance to what is right",
  ],
  "redemption-unbooked": [
    { code: "redemption-unbooked", redemption: 3, user: 1, quota: 60 },
    "redemption code 3 gave user 1 60, which the ledger does not say: compare who used it (/redemption) with the entries (/ledger), and set the user's balance to what is right",
  ],
  "more-faults": [
    { code: "more-faults", kind: "order-given", count: 999980 },
    "999980 more of this kind (order-given) are not listed",
  ],
  "user-use": [
    { code: "user-use", user: 1, username: "root", used: 30, logged: 31 },
    "user 1 (root): used 30, but the log accounts for 31",
  ],
  "user-use-before-log": [
    { code: "user-use-before-log", user: 1 },
    "user 1: a part of what was used is said to be older than the log, but none is",
  ],
  "key-below-zero": [
    { code: "key-below-zero", key: 2, name: "laptop", user: 1, balance: 748 },
    "key 2 (laptop) of user 1: the balance is 748, below zero",
  ],
  "key-balance": [
    { code: "key-balance", key: 2, name: "laptop", user: 1, balance: 748, granted: 777, taken: 30, due: 747 },
    "key 2 (laptop) of user 1: the balance is 748, but granted 777 − taken 30 = 747",
  ],
  "key-overtaken": [
    { code: "key-overtaken", key: 2, name: "laptop", user: 1 },
    "key 2 (laptop) of user 1: more was taken from it than it used",
  ],
  "key-use": [
    { code: "key-use", key: 2, name: "laptop", user: 1, used: 30, taken: 30, untaken: 0, due: 747 },
    "key 2 (laptop) of user 1: used 30, but taken 30 + charged to the user alone 0 = 747",
  ],
  "logged-use": [
    { code: "logged-use", record: "channel", id: 4, column: "used_quota", stored: 29, logged: 31 },
    "channel 4: used_quota is 29, but the log says 31",
  ],
  "lease-below-zero": [
    { code: "lease-below-zero", record: "key", id: 2, epoch: 7, leased: -1 },
    "key 2: node 7 leases -1 of it, below zero",
  ],
  "node-not-ended": [
    { code: "node-not-ended", epoch: 7, seconds: 90 },
    "node 7 has been silent for 90 s, and no other node has given back what it leases",
  ],
  "hour-sums": [
    {
      code: "hour-sums",
      hour: "2024-05-01T10:00",
      column: "used_quota",
      whole: 22,
      table: "payer_hours",
      sum: 23,
    },
    "2024-05-01T10:00: the site's used_quota are 22, those of payer_hours 23",
  ],
  "block-sums": [
    {
      code: "block-sums",
      hour: "2024-05-01T10:00",
      block: "bucket",
      whole: 22,
      table: "payer_hours",
      sum: 23,
    },
    "2024-05-01T10:00: the hours of this bucket cost 22, but payer_hours says 23",
  ],
  "hour-lines": [
    { code: "hour-lines", hour: "2024-05-01T10:00", lines: 1, counted: 2 },
    "2024-05-01T10:00: there are 1 lines, but the sums count 2",
  ],
  "hour-cost": [
    { code: "hour-cost", hour: "2024-05-01T10:00", cost: 24, summed: 23 },
    "2024-05-01T10:00: the lines cost 24, but the sums say 23",
  ],
  "table-sums": [
    { code: "table-sums", table: "payer_hours", keys: "hour 1714557600, model_id 1" },
    "payer_hours and detail_hours do not say the same of hour 1714557600, model_id 1",
  ],
  "line-sums": [
    { code: "line-sums", keys: "hour 1714557600, model_id 1" },
    "the lines and the sums do not say the same of hour 1714557600, model_id 1",
  ],
  "text-hours": [
    { code: "text-hours", keys: "hour 1714557600, model_id 1" },
    "content_hours and the lines do not say the same of hour 1714557600, model_id 1",
  ],
  "charge-unlike-log": [
    { code: "charge-unlike-log", request: "r-1", charged: 18, logged: 17 },
    "request r-1 was charged 18, but the log says 17",
  ],
  "request-repeated": [
    { code: "request-repeated", request: "r-1", times: 2 },
    "request r-1 is in the log 2 times",
  ],
  "line-without-receipt": [{ code: "line-without-receipt", line: 5 }, "line 5 has no receipt of its own"],
  "line-unlike-receipt": [
    { code: "line-unlike-receipt", line: 5 },
    "line 5 and its receipt do not say the same",
  ],
  "line-of-another-user": [
    { code: "line-of-another-user", line: 5 },
    "line 5 is not of the user whose key paid for it",
  ],
  "line-without-names": [
    { code: "line-without-names", line: 5 },
    "line 5 names a model or a text that there is not",
  ],
  "key-of-another-user": [
    { code: "key-of-another-user", user: 1, key: 2 },
    "the log says that user 1 has key 2, which is another user's",
  ],
  "row-of-nobody": [
    { code: "row-of-nobody", table: "payer_hours", parent: "users" },
    "a row of payer_hours belongs to none of users",
  ],
  "redemption-use": [
    { code: "redemption-use", redemption: 6 },
    "redemption code 6 is not as used as it says",
  ],
  "sequence-behind": [
    { code: "sequence-behind", table: "users", highest: 7, next: 7 },
    "users has the id 7, and would give 7 next",
  ],
  "database-address-invalid": [
    { code: "database-address-invalid" },
    "The address of the database server cannot be read: it is written as postgres://user:password@host:port/database, with special characters of the password escaped (%2F for /, %40 for @).",
  ],
  "database-unreachable": [
    { code: "database-unreachable", host: "db.example", reason: "ECONNREFUSED" },
    "The database server db.example cannot be reached (ECONNREFUSED): see whether it runs and takes connections from here.",
  ],
  "database-sign-in-refused": [
    { code: "database-sign-in-refused", host: "db.example", user: "tollgate" },
    "The database server db.example does not let the user tollgate in: see to the user's name and its password.",
  ],
  "database-missing": [
    { code: "database-missing", host: "db.example", database: "tollgate" },
    "The database server db.example has no database tollgate: make it, or name another one.",
  ],
  "database-full": [
    { code: "database-full", host: "db.example" },
    "The database server db.example gives no more connections: raise its max_connections, or start fewer nodes.",
  ],
  "database-busy": [
    { code: "database-busy", host: "db.example" },
    "No connection to the database server db.example became free in time: all that this process has are waiting for answers. See what they wait for there (pg_stat_activity): a lock that somebody holds, too much work, or a network that is gone.",
  ],
  "database-read-only": [
    { code: "database-read-only", host: "db.example", database: "tollgate" },
    "The database tollgate of the server db.example follows another server and takes no changes: DATABASE_URL names the leading one, DATABASE_READ_URL may name this one.",
  ],
  "database-listens-elsewhere": [
    { code: "database-listens-elsewhere", host: "db.example" },
    "The server db.example, which DATABASE_LISTEN_URL names, does not hear what the database of DATABASE_URL tells: name the same database, without a pooler.",
  ],
  "database-copy-silent": [
    { code: "database-copy-silent", host: "db.example", reason: "ECONNREFUSED" },
    "The copy on db.example, which DATABASE_READ_URL names, does not answer (ECONNREFUSED): the log is read from DATABASE_URL until it does.",
  ],
  "database-not-a-copy": [
    { code: "database-not-a-copy", host: "db.example", database: "tollgate" },
    "The database tollgate of the server db.example, which DATABASE_READ_URL names, is no copy that follows the one of DATABASE_URL: name such a copy, or leave it out.",
  ],
  "database-rights-missing": [
    { code: "database-rights-missing", database: "tollgate", user: "tollgate" },
    "The user tollgate may not make tables in the database tollgate: give it the rights, or make it the owner.",
  ],
  "database-too-old": [
    { code: "database-too-old", found: "13.4", needed: "14" },
    "The database server is PostgreSQL 13.4; at least 14 is needed.",
  ],
  "database-not-utf8": [
    { code: "database-not-utf8", database: "tollgate", found: "13.4" },
    "The database tollgate is kept in 13.4: make it anew in UTF8.",
  ],
  "database-schema-newer": [
    { code: "database-schema-newer", database: "tollgate", migration: "0009-next" },
    'The database tollgate has the migration "0009-next", which this version does not know: it was changed by a newer version.',
  ],
  "database-schema-too-old": [
    { code: "database-schema-too-old", database: "tollgate" },
    "A version before commit b2580da4 of Tollgate wrote the database tollgate: start commit b2580da4 with it once, stop it, then start this version.",
  ],
  "database-incomplete": [
    { code: "database-incomplete", database: "tollgate" },
    "The data in the database tollgate is not complete: bringing it there was cut off, or goes on. Run the same tollgate promote or tollgate import again.",
  ],
  "database-left": [
    { code: "database-left", database: "tollgate" },
    "The data of the database tollgate was taken to a folder: name that one with DATA_DIR, without DATABASE_URL. What is left in the database is old, and nobody may spend it again.",
  ],
  "database-not-empty": [
    { code: "database-not-empty", database: "tollgate" },
    "The database tollgate has data of its own, and nothing in it is overwritten: name an empty one.",
  ],
  "database-has-nodes": [
    { code: "database-has-nodes", database: "tollgate", nodes: 2 },
    "2 nodes work with the database tollgate: stop all of them. One that died counts for ten seconds more.",
  ],
  "database-taken": [
    { code: "database-taken", database: "tollgate" },
    "Another command (tollgate promote, import, restore or rotate-master-key) works with the database tollgate: wait until it has ended, and look at what it said.",
  ],
  "database-other-master-key": [
    { code: "database-other-master-key", database: "tollgate" },
    "The master key is not the one that the database tollgate was written with: set MASTER_KEY to that key.",
  ],
};

describe("what is wrong with the data", () => {
  it.each(Object.values(SAID) as (readonly [Fault, string])[])("is, of %j, %s", (fault, said) => {
    expect(sayDataFault(fault)).toBe(said);
  });

  it("is said of the errors that carry it; others say what they say", () => {
    const said = "the data is of another version: start this version once";
    expect(sayError(new DataRefused({ code: "schema-other" }))).toBe(said);
    expect(sayError(new DatabaseRefused({ code: "database-address-invalid" }))).toContain("postgres://");
    expect(sayError(new Error("EACCES: permission denied"))).toBe("EACCES: permission denied");
    expect(sayError("gone")).toBe("gone");
  });
});

describe("an error that nobody foresaw", () => {
  it("is told with its way and without its fields, which may hold a row", () => {
    const detail = "Failing row contains (1, root, $scrypt$secret)";
    const error = Object.assign(new Error("the value violates a check"), { code: "23514", detail });
    const traced = traceError(error);
    expect(traced).toContain("the value violates a check");
    expect(traced).toContain("say-data-fault.test.ts");
    expect(traced).not.toContain("secret");
    expect(traceError("odd")).toBe("odd");
  });

  it("is told as what it means where that is known", () => {
    const refused = new DatabaseRefused({ code: "database-full", host: "db.local" });
    expect(traceError(refused)).toBe(sayError(refused));
  });
});
