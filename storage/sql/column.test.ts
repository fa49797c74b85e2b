import { limitOf } from "@tollgate/contract/resource/limits";
import { switchOf } from "@tollgate/contract/resource/settings";
import type { ColumnType, Generated } from "kysely";
import { expectTypeOf, it } from "vitest";
import { declaredColumns, given, setOnce, since, textIn } from "./column";
import type { RowsOf, SchemaPart } from "./schema-part";

const PART = {
  tables: {
    notes: {
      columns: {
        id: "AUTO_ID",
        key: "SORTED_TEXT PRIMARY KEY",
        text: "TEXT NOT NULL CHECK (text <> '')",
        state: textIn(["open", "done"], "TEXT NOT NULL"),
        kind: textIn(["", "own"], "TEXT NOT NULL DEFAULT ''"),
        count: "INTEGER NOT NULL DEFAULT 0",
        // Only what gives nothing may be left out of an insert.
        expires: "INTEGER NOT NULL DEFAULT -1",
        group: "TEXT NOT NULL DEFAULT 'default'",
        quota: "QUOTA NOT NULL DEFAULT 0",
        ends: given("INTEGER NOT NULL DEFAULT 0"),
        checked: "QUOTA NOT NULL DEFAULT 0 CHECK (checked >= 0)",
        seen: "REAL",
        data: "BYTES NOT NULL",
        given: setOnce("QUOTA NOT NULL DEFAULT 0"),
        color: since("0002-color", "TEXT NOT NULL DEFAULT ''", { isWatched: false }),
        ...declaredColumns({
          isPinned: switchOf("is_pinned"),
          most: limitOf("most", { since: "0002-most" }),
        }),
      },
    },
  },
} as const satisfies SchemaPart;

it("gives each column its type", () => {
  expectTypeOf<RowsOf<typeof PART>>().toEqualTypeOf<{
    notes: {
      id: Generated<number>;
      key: string;
      text: string;
      state: "open" | "done";
      kind: Generated<"" | "own">;
      count: Generated<number>;
      expires: number;
      group: string;
      quota: number;
      ends: number;
      checked: number;
      seen: number | null;
      data: Buffer;
      given: ColumnType<number, number, never>;
      color: Generated<string>;
      is_pinned: Generated<number>;
      most: number | null;
    };
  }>();
});

it("refuses a column of an unknown type", () => {
  const columns = { id: "AUTOID" } as const;
  // @ts-expect-error
  const part: SchemaPart = { tables: { notes: { columns } } };
  expectTypeOf(part).toExtend<object>();
});
