import type { ImportedUser } from "@tollgate/contract/records/imported-records";
import { startCpuClock } from "@tollgate/testkit/cpu-clock";
import { describe, expect, it } from "vitest";
import { mapApiKeys } from "./map-api-keys";
import { mapChannels } from "./map-channels";
import { mapOptions } from "./map-options";
import { mapUsers } from "./map-users";
import { SOURCE_TABLES, type SourceTable } from "./source-rows";
import { TableRemarks } from "./table-remarks";

/*
 * A foreign database may hold megabytes in any column. To look at them may take as long as reading them, but not the square
 * of it.
 */

const LENGTH = 100_000;

/** Text that patterns and readers may look at again and again. */
const HUGE: Readonly<Record<string, string>> = {
  blanks: `${" ".repeat(LENGTH)}x`,
  "a brace before blanks": `{${" ".repeat(LENGTH)}x`,
  "line ends": `${"\n".repeat(LENGTH)}x`,
  commas: ",".repeat(LENGTH),
  "a list of many": Array.from({ length: LENGTH / 8 }, (_, index) => `m${index}`).join(","),
  "lines of many": Array.from({ length: LENGTH / 8 }, (_, index) => `m${index}`).join("\n"),
  "an object of many": JSON.stringify(
    Object.fromEntries(Array.from({ length: LENGTH / 16 }, (_, index) => [`m${index}`, 1.5])),
  ),
  "an object of texts": JSON.stringify(
    Object.fromEntries(Array.from({ length: LENGTH / 16 }, (_, index) => [`m${index}`, `n${index}`])),
  ),
  "a JSON list of many": JSON.stringify(Array.from({ length: LENGTH / 8 }, (_, index) => `m${index}`)),
  digits: "9".repeat(LENGTH),
  quotes: '"'.repeat(LENGTH),
  "less-than signs": "<".repeat(LENGTH),
  braces: "{".repeat(LENGTH),
  brackets: "[".repeat(LENGTH),
  slashes: "/".repeat(LENGTH),
  dots: "a.".repeat(LENGTH / 2),
  dashes: "a-".repeat(LENGTH / 2),
  "at signs": "a@".repeat(LENGTH / 2),
  pipes: "a|".repeat(LENGTH / 2),
  hashes: "\\\\".repeat(LENGTH / 2),
  "wide letters": "\u{1f600}".repeat(LENGTH / 2),
};

/** CPU of one look at a value; one that grows with the square takes minutes. */
const MAX_CPU_MS = 5_000;

const textColumns = (table: SourceTable): string[] =>
  Object.entries(SOURCE_TABLES[table] as Readonly<Record<string, string>>)
    .filter(([, kind]) => kind === "text" || kind === "padded")
    .map(([column]) => column);

const OPTION_KEYS = [
  "ModelRatio",
  "ModelPrice",
  "GroupRatio",
  "CompletionRatio",
  "CacheRatio",
  "Notice",
  "SystemName",
  "billing_setting.billing_expr",
  "ServerAddress",
];

const SERIES = ["one-api-0.6", "new-api"] as const;

const mapOption = (key: string, value: string): void => {
  for (const series of SERIES)
    mapOptions(
      [{ key, value }],
      { series, version: undefined },
      {
        channels: [],
        groups: new Set(),
        pricing: undefined,
        priceDecision: "dearest",
      },
    );
};

/** Options of many texts, and one that says a text several times. */
const LISTS: Readonly<Record<string, (text: string) => unknown>> = {
  "console_setting.announcements": (content) =>
    Array.from({ length: 3 }, () => ({ content, extra: content, publishDate: "2026-01-02T03:04:05Z" })),
  Chats: (text) => [{ [text]: text }, { [`${text} `]: `https://x.example/${text}` }],
};

/** Maps one row with a huge value. */
const MAPPERS: Readonly<
  Record<string, { columns: readonly string[]; map(column: string, text: string): void }>
> = {
  users: {
    columns: textColumns("users"),
    map(column, text) {
      for (const series of SERIES)
        mapUsers(
          [{ id: 7, username: "alice", role: 1, status: 1, quota: 0, used_quota: 0, [column]: text }],
          { series, version: undefined },
          new Map(),
          new TableRemarks("users"),
        );
    },
  },
  tokens: {
    columns: textColumns("tokens"),
    map(column, text) {
      const owner = { id: 1, group: "default" } as unknown as ImportedUser;
      for (const series of SERIES)
        mapApiKeys(
          [{ id: 7, user_id: 1, key: "k".repeat(48), status: 1, name: "n", [column]: text }],
          { series, version: undefined },
          new Map([[1, owner]]),
          new TableRemarks("tokens"),
        );
    },
  },
  channels: {
    columns: textColumns("channels"),
    map(column, text) {
      for (const series of SERIES)
        for (const type of [1, 8, 3, 41])
          mapChannels([{ id: 7, type, key: "k", status: 1, name: "n", models: "m", [column]: text }], {
            series,
            version: undefined,
          });
    },
  },
  options: { columns: OPTION_KEYS, map: mapOption },
  "texts in options": {
    columns: Object.keys(LISTS),
    map: (key, text) => mapOption(key, JSON.stringify(LISTS[key]?.(text))),
  },
};

describe("an import of huge values (S21)", () => {
  const cases = Object.entries(MAPPERS).flatMap(([table, { columns }]) =>
    columns.map((column) => [table, column] as const),
  );

  it.each(cases)("takes a time in proportion to them: %s.%s", (table, column) => {
    for (const [name, text] of Object.entries(HUGE)) {
      const worked = startCpuClock();
      MAPPERS[table]?.map(column, text);
      expect(worked(), name).toBeLessThan(MAX_CPU_MS);
    }
  });
});
