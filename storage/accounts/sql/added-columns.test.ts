import { limitOf } from "@tollgate/contract/resource/limits";
import { textOf } from "@tollgate/contract/resource/settings";
import { expect, it } from "vitest";
import { withAddedColumns } from "./added-columns";
import { ACCOUNTS_PARTS } from "./migrations";

it("adds the columns of a migration to its other statements, one after another", () => {
  const first = { common: "CREATE TABLE a (id INTEGER);" };
  const weekly = limitOf("weekly_quota", { since: "0002-more" });
  const added = withAddedColumns(
    { "0001-first": [first], "0002-more": [first] },
    {
      users: { weekly },
      tokens: { note: textOf("note", 9, { since: "0002-more" }), old: textOf("old", 9), weekly },
    },
  );
  expect(Object.keys(added)).toEqual(["0001-first", "0002-more"]);
  expect(added["0002-more"]?.map(({ common }) => common)).toEqual([
    first.common,
    "ALTER TABLE users ADD COLUMN weekly_quota INTEGER ;",
    "ALTER TABLE tokens ADD COLUMN note TEXT NOT NULL DEFAULT '';",
    "ALTER TABLE tokens ADD COLUMN weekly_quota INTEGER ;",
  ]);
});

it("names no migration before the one that creates the schema: existing data would never run it", () => {
  expect(Object.keys(ACCOUNTS_PARTS).sort()[0]).toBe("0019-settled-refunds");
});
