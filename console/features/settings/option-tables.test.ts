import { parseGroupUsableGroups, parseUsableGroups } from "@tollgate/contract/management/group";
import { parseGroupRouting } from "@tollgate/contract/management/group-routing";
import { FALLBACK_CAUSES, parseModelFallbacks } from "@tollgate/contract/management/model-fallbacks";
import type { JsonFormat } from "@tollgate/contract/options/option-entry";
import { parsePaymentOffers } from "@tollgate/contract/payments/payment-offers";
import { describe, expect, it } from "vitest";
import {
  MAX_ROWS,
  mistakesOf,
  OPTION_TABLES,
  type OptionTable,
  readTable,
  writeTable,
} from "./option-tables";

const tableOf = (format: JsonFormat): OptionTable => {
  const table = OPTION_TABLES[format];
  if (!table) throw new Error(`${format} has no table`);
  return table;
};

/** What comes of a text that is shown as a table and written again. */
const again = (format: JsonFormat, value: unknown): unknown => {
  const table = tableOf(format);
  const rows = readTable(table, JSON.stringify(value));
  return rows && JSON.parse(writeTable(table, rows));
};

describe("a text that is shown as a table and written again", () => {
  const TEXTS: [JsonFormat, unknown][] = [
    [
      "model-fallbacks",
      {
        "gpt-4o": ["b", "a"],
        "*": { models: ["c"], on: ["failed"] },
        none: [],
        never: { models: ["x"], on: [] },
      },
    ],
    ["group-routing", { vip: "fastest", default: "weight" }],
    ["usable-groups", { premium: "Fast", cheap: "" }],
    ["group-usable-groups", { vip: { gold: "Best", "-:free": "" }, a: { b: "c" } }],
    ["group-group-ratios", { vip: { premium: 0.8, default: 0 }, a: { vip: 1 } }],
    [
      "payment-offers",
      {
        packages: [{ usd: 10 }, { usd: "100.50", bonus: 5 }],
        discounts: [{ from: 50, factor: 0.95 }],
        groups: { vip: 0.9 },
      },
    ],
    ["payment-offers", {}],
  ];

  it.each(TEXTS)("is the same: %s", (format, value) => {
    expect(again(format, value)).toEqual(value);
  });

  it("means the same where it is written otherwise", () => {
    expect(again("group-usable-groups", { vip: { "+:gold": "Best" } })).toEqual({ vip: { gold: "Best" } });
    expect(again("model-fallbacks", { a: { models: ["b"] } })).toEqual({ a: ["b"] });
  });

  it("keeps names that objects have of their own", () => {
    const value = JSON.parse('{"__proto__":"Fast","constructor":"x"}');
    expect(Object.entries(again("usable-groups", value) ?? {})).toEqual(Object.entries(value));
  });

  const NAMES = ["a", "gpt-4o", "*", "__proto__", "组", "x/y", "constructor", "10"];

  it.each(Array.from({ length: 20 }, (_, index) => index + 1))(
    "is what the server reads of it, whatever it has (seed %i)",
    (seed) => {
      let state = seed;
      const below = (count: number): number => {
        state = (state * 1_103_515_245 + 12_345) % 2 ** 31;
        return Math.floor((state / 2 ** 31) * count);
      };
      const some = <T>(all: readonly T[]): T[] => all.filter(() => below(2) === 0);
      const object = (value: () => unknown) => Object.fromEntries(some(NAMES).map((name) => [name, value()]));
      const number = () => [0.5, "1.25", 1, "3", 100, 0.000001][below(6)];
      const values: [JsonFormat, (text: string) => unknown, unknown][] = [
        [
          "model-fallbacks",
          parseModelFallbacks,
          object(() => (below(2) ? some(NAMES) : { models: some(NAMES), on: some(FALLBACK_CAUSES) })),
        ],
        ["group-routing", parseGroupRouting, object(() => ["weight", "cheapest", "fastest"][below(3)])],
        ["usable-groups", parseUsableGroups, object(() => ["", "Fast", '"'][below(3)])],
        ["group-usable-groups", parseGroupUsableGroups, object(() => object(() => ""))],
        [
          "payment-offers",
          parsePaymentOffers,
          {
            packages: some([1, 2]).map(() => ({ usd: number(), bonus: number() })),
            discounts: some([1, 2]).map(() => ({ from: number(), factor: number() })),
            groups: object(number),
          },
        ],
      ];
      for (const [format, parse, value] of values) {
        const read = parse(JSON.stringify(value));
        const isEmptyGroup = format === "group-usable-groups";
        const written = parse(JSON.stringify(again(format, value)));
        // A group for which nothing is said is no row.
        const told = (each: unknown) =>
          isEmptyGroup && each instanceof Map
            ? new Map([...each].filter(([, { added, removed }]) => added.size + removed.size > 0))
            : each;
        expect([format, told(written)]).toEqual([format, told(read)]);
      }
    },
  );
});

describe("a text that no table shows", () => {
  it.each([
    ["model-fallbacks", "{"],
    ["model-fallbacks", "[]"],
    ["model-fallbacks", '{"a":"b"}'],
    ["group-routing", '{"a":"luck"}'],
    ["group-group-ratios", '{"a":{"b":"1"}}'],
    ["group-group-ratios", "7"],
    ["payment-offers", '{"packages":[{"usd":1,"more":2}]}'],
    [
      "usable-groups",
      JSON.stringify(Object.fromEntries(Array.from({ length: MAX_ROWS + 1 }, (_, n) => [`g${n}`, ""]))),
    ],
  ] as const)("%s: %s", (format, json) => {
    expect(readTable(tableOf(format), json)).toBeUndefined();
  });
});

describe("the rows of a table", () => {
  it("lack nothing, stand there once and have numbers", () => {
    const [part] = tableOf("group-group-ratios").parts;
    if (!part) throw new Error("no part");
    expect(
      mistakesOf(part, [
        { userGroup: "vip", group: "a", ratio: "1" },
        { userGroup: "vip", group: "b", ratio: "-1" },
        { userGroup: "", group: "b", ratio: "" },
        { userGroup: "vip", group: " a ", ratio: "2" },
      ]),
    ).toEqual([
      {},
      { ratio: "optionTable.mistake.number" },
      { userGroup: "optionTable.mistake.required", ratio: "optionTable.mistake.required" },
      { group: "optionTable.mistake.twice" },
    ]);
    const [packages] = tableOf("payment-offers").parts;
    if (!packages) throw new Error("no part");
    expect(mistakesOf(packages, [{ usd: "10" }, { usd: "10.0" }])[1]).toEqual({
      usd: "optionTable.mistake.twice",
    });
  });
});
