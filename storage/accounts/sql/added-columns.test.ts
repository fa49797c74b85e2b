import { limitOf } from "@tollgate/contract/resource/limits";
import { textOf } from "@tollgate/contract/resource/settings";
import { expect, it } from "vitest";
import { declaredColumns, since } from "../../sql/column";
import type { SchemaPart } from "../../sql/schema-part";
import { withAddedColumns } from "./added-columns";
import { ACCOUNTS_PARTS } from "./migrations";

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
    plans: { columns: { group: since("0003-plans", "INTEGER NOT NULL DEFAULT 0") } },
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
