import { limitOf } from "@tollgate/contract/resource/limits";
import { textOf } from "@tollgate/contract/resource/settings";
import { expect, it } from "vitest";
import { declaredColumns, since } from "../../sql/column";
import type { SchemaPart } from "../../sql/schema-part";
import { withAddedColumns } from "./added-columns";
import { ACCOUNTS_PARTS } from "./migrations";
import { API_KEYS } from "./schema/api-keys";
import { CHANNELS } from "./schema/channels";
import { USERS } from "./schema/users";

const weekly = limitOf("weekly_quota", { since: "0002-more", column: "QUOTA" });

const FIRST = {
  tables: {
    users: { columns: { id: "AUTO_ID", ...declaredColumns({ weekly }) } },
    tokens: {
      columns: {
        note: "TEXT",
        ...declaredColumns({
          group: textOf("group", 9, { since: "0002-more" }),
          old: textOf("old", 9),
          weekly,
        }),
      },
    },
    plans: { columns: { group: since("0003-plans", "INTEGER NOT NULL DEFAULT 0", { isWatched: false }) } },
  },
} as const satisfies SchemaPart;

it("adds the columns of a migration one after another, before its own parts, which may need them", () => {
  const more = { common: "CREATE INDEX users_weekly ON users (weekly_quota);" };
  const added = withAddedColumns({ "0001-first": [FIRST], "0002-more": [more] });
  expect(Object.keys(added)).toEqual(["0001-first", "0002-more", "0003-plans"]);
  expect(added["0002-more"]?.map(({ common }) => common)).toEqual([
    "ALTER TABLE users ADD COLUMN weekly_quota QUOTA;",
    `ALTER TABLE tokens ADD COLUMN "group" TEXT NOT NULL DEFAULT '';`,
    "ALTER TABLE tokens ADD COLUMN weekly_quota QUOTA;",
    more.common,
  ]);
});

it("puts changes of a later column into the change feed where nodes keep it in memory", () => {
  const added = withAddedColumns({ "0001-first": [FIRST] });
  const watched = (migration: string) => added[migration]?.map(({ postgres }) => postgres);
  expect(watched("0002-more")).toEqual([
    expect.stringContaining("note_users_weekly_quota"),
    expect.stringContaining("note_tokens_group"),
    expect.stringContaining("note_tokens_weekly_quota"),
  ]);
  expect(watched("0003-plans")).toEqual([""]);
});

it("throws for a watched column of a table that nodes do not keep in memory", () => {
  const plans = { columns: { color: since("0002-more", "TEXT", { isWatched: true }) } };
  expect(() => withAddedColumns({ "0001-first": [{ tables: { plans } }] })).toThrow("plans");
});

it("names no migration before the one that creates the schema: existing data would never run it", () => {
  expect(Object.keys(ACCOUNTS_PARTS).sort()[0]).toBe("0019-settled-refunds");
});

const FIXED = "never changes";
const MONEY = "is shared by leases, or counted by charges";
const SHOWN = "is read from storage by those who see it";
const WITH_SECRET = "changes with its watched secret";

/** Columns whose changes nodes are not told, with the reason. */
const UNWATCHED = {
  users: {
    ...{ id: FIXED, created_time: FIXED, inviter_id: FIXED, is_returning: FIXED },
    ...{ quota: MONEY, used_quota: MONEY, granted_quota: MONEY, unlogged_quota: MONEY, request_count: MONEY },
    ...{ email: SHOWN, aff_code: SHOWN, access_token_sealed: WITH_SECRET },
  },
  tokens: {
    ...{ id: FIXED, created_time: FIXED, key_sealed: WITH_SECRET, former_key_sealed: WITH_SECRET },
    ...{ remain_quota: MONEY, used_quota: MONEY, granted_quota: MONEY, taken_quota: MONEY },
    ...{ untaken_quota: MONEY, accessed_time: SHOWN },
  },
  channels: {
    ...{
      id: FIXED,
      created_time: FIXED,
      key_hashes: WITH_SECRET,
      key_count: WITH_SECRET,
      proxy: WITH_SECRET,
    },
    ...{
      used_quota: MONEY,
      refunded_quota: MONEY,
      used_requests: MONEY,
      spent: MONEY,
      typed_balance: SHOWN,
      typed_spent: SHOWN,
    },
    ...{ test_time: SHOWN, response_time: SHOWN, balance: SHOWN, balance_updated_time: SHOWN },
    windows: "decides closed_until, which is watched",
  },
};

it.each(["users", "tokens", "channels"] as const)(
  "reports to the nodes each change of a column of %s, except for a reason",
  (table) => {
    const { columns } = { ...USERS.tables, ...API_KEYS.tables, ...CHANNELS.tables }[table];
    const statements = Object.values(ACCOUNTS_PARTS).flatMap((parts) =>
      parts.map(({ postgres = "" }) => postgres),
    );
    const triggers = statements.join("").matchAll(/TRIGGER note_\w+ AFTER UPDATE OF (.+) ON (\w+) /g);
    const watched = [...triggers].flatMap(([, names = "", on]) =>
      on === table ? names.replaceAll('"', "").split(", ") : [],
    );
    expect([...watched, ...Object.keys(UNWATCHED[table])].sort()).toEqual(Object.keys(columns).sort());
  },
);
