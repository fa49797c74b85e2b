import { parseConnectTemplates } from "@tollgate/contract/management/connect-templates";
import { parseGroupUsableGroups, parseUsableGroups } from "@tollgate/contract/management/group";
import { parseGroupRouting } from "@tollgate/contract/management/group-routing";
import { parseGroupLimits } from "@tollgate/contract/management/limits";
import { FALLBACK_CAUSES, parseModelFallbacks } from "@tollgate/contract/management/model-fallbacks";
import { parseCacheRatios, parseModelPrices } from "@tollgate/contract/management/model-price";
import type { JsonFormat } from "@tollgate/contract/options/option-entry";
import {
  MODEL_PRICE_TABLE,
  OPTION_TABLES,
  type OptionTable,
  ratioTable,
} from "@tollgate/contract/options/option-tables";
import { parsePaymentOffers } from "@tollgate/contract/payments/payment-offers";
import { describe, expect, it } from "vitest";
import { mistakesOf, readTable, type TableRow, writeTable } from "./json-table";
import { formatJson, readJson } from "./json-text";

const tableOf = (format: JsonFormat | "ratios"): OptionTable => {
  const table = format === "ratios" ? ratioTable("model", undefined) : OPTION_TABLES[format];
  if (!table) throw new Error(`${format} has no table`);
  return table;
};

const partOf = (format: JsonFormat | "ratios", index = 0) => {
  const part = tableOf(format)[index];
  if (!part) throw new Error("no part");
  return part;
};

const rowsOf = (format: JsonFormat | "ratios", json: string): TableRow[][] => {
  const rows = readTable(tableOf(format), json);
  if (!rows) throw new Error(`${json} is no table`);
  return rows;
};

/** A text formatted as the page shows it. */
const laidOut = (json: string): string => {
  const read = readJson(json);
  return "node" in read ? formatJson(read.node) : json;
};

/** A text that is read as a table, changed in one cell and written again. */
const changed = (
  format: JsonFormat | "ratios",
  json: string,
  row: number,
  cells: TableRow["cells"],
): string => {
  const [rows = [], ...more] = rowsOf(format, json);
  const before = rows[row];
  if (!before) throw new Error("no row");
  return writeTable(tableOf(format), [
    rows.with(row, { ...before, cells: { ...before.cells, ...cells } }),
    ...more,
  ]);
};

const TEXTS: [JsonFormat | "ratios", string][] = [
  ["ratios", '{"gpt-4o":1.250,"10":0.1,"2":1e-3,"a":12345678901234567890.5,"__proto__":1,"\\u4e2d":0}'],
  [
    "model-fallbacks",
    '{"b":["x","a"],"*":{"models":["c"],"on":["failed"]},"n":[],"v":{"models":["x"],"on":[]}}',
  ],
  ["model-fallbacks", '{"a":{"models":["b"]}}'],
  ["group-routing", '{"vip":"fastest","default":"weight"}'],
  [
    "connect-templates",
    '{"Web":{"link":"https://a/?k={key}"},"Shell":{"text":"export A={key}\\nB={model}"}}',
  ],
  ["usable-groups", '{"premium":" Fast ","cheap":""}'],
  ["group-usable-groups", '{"vip":{"gold":"Best","-:free":"","+:a":"b"},"a":{"b":"c"}}'],
  ["group-group-ratios", '{"vip":{"premium":0.80,"default":0},"a":{"vip":1}}'],
  [
    "payment-offers",
    '{"packages":[{"usd":10},{"usd":"100.50","bonus":5}],"discounts":[{"from":50,"factor":0.95}],"groups":{"vip":0.9}}',
  ],
  ["payment-offers", "{}"],
  ["cache-ratios", '{"a":0.1,"b":{"read":0.25,"write1h":2},"c":{}}'],
  ["group-limits", '{"vip":{"rpm":600,"per_user":{"daily_quota":500000}},"x":{}}'],
  ["group-time-limits", '{"vip":{"first_token_seconds":20,"whole_answer_seconds":300},"x":{}}'],
  [
    "model-prices",
    '{"a":[{"input":1,"output":2.50},{"from":"2026-12-01","input":0.8}],"b":{"perCall":0.04},"c":[{"input":3,"tiers":[{"aboveTokens":200000,"input":6}]}]}',
  ],
];

describe("a text that is shown as a table and written again", () => {
  it.each(TEXTS)("is the same to the letter: %s %s", (format, json) => {
    expect(writeTable(tableOf(format), rowsOf(format, json))).toBe(laidOut(json));
  });

  it.each<[JsonFormat | "ratios", string, number, TableRow["cells"], string]>([
    ["ratios", '{"b":1.50,"a":0.10}', 1, { ratio: "0.2" }, '{"b":1.50,"a":0.2}'],
    ["ratios", '{"b":1.50,"a":0.10}', 0, { model: " c " }, '{"c":1.50,"a":0.10}'],
    ["model-fallbacks", '{"a":["b"]}', 0, { on: ["failed"] }, '{"a":{"models":["b"],"on":["failed"]}}'],
    ["model-fallbacks", '{"a":["b"]}', 0, { models: ["c", " "] }, '{"a":["c"]}'],
    ["cache-ratios", '{"a":0.1}', 0, { write5m: "1.25" }, '{"a":{"read":0.1,"write5m":1.25}}'],
    ["cache-ratios", '{"b":{"read":0.25,"write1h":2}}', 0, { write1h: "" }, '{"b":{"read":0.25}}'],
    ["group-usable-groups", '{"v":{"+:a":"x"}}', 0, { offer: "removed" }, '{"v":{"-:a":"x"}}'],
    [
      "group-limits",
      '{"v":{"per_user":{"rpm":6}}}',
      0,
      { "perUser.tpm": "9" },
      '{"v":{"per_user":{"rpm":6,"tpm":9}}}',
    ],
    ["group-limits", '{"v":{}}', 0, { "perUser.rpm": "" }, '{"v":{}}'],
    [
      "model-prices",
      '{"c":{"tiers":[{"aboveTokens":9,"input":6}],"input":3}}',
      0,
      { input: "4" },
      '{"c":{"tiers":[{"aboveTokens":9,"input":6}],"input":4}}',
    ],
    [
      "model-prices",
      '{"c":[{"input":3},{"from":"2026-12-01","input":2}]}',
      1,
      { validFrom: "2027-01-01" },
      '{"c":[{"input":3},{"from":"2027-01-01","input":2}]}',
    ],
  ])("differs where a cell was changed, and nowhere else: %s %s", (format, json, row, cells, expected) => {
    expect(changed(format, json, row, cells)).toBe(laidOut(expected));
  });

  it("has a second row of a model's prices as a list, and a name that is gone nowhere", () => {
    const [rows = []] = rowsOf("model-prices", '{"c":{"input":3},"d":{"input":1}}');
    const later: TableRow = { cells: { model: "c", validFrom: "2027-01-01", input: "2" }, hidden: [] };
    expect(writeTable(tableOf("model-prices"), [[...rows.slice(0, 1), later]])).toBe(
      laidOut('{"c":[{"input":3},{"from":"2027-01-01","input":2}]}'),
    );
  });

  const NAMES = ["a", "gpt-4o", "*", "__proto__", "组", "x/y", "constructor", "10"];

  it.each(Array.from({ length: 20 }, (_, index) => index + 1))(
    "is read alike by the server, for any content (seed %i)",
    (seed) => {
      let state = seed;
      const below = (count: number): number => {
        state = (state * 1_103_515_245 + 12_345) % 2 ** 31;
        return Math.floor((state / 2 ** 31) * count);
      };
      const some = <T>(all: readonly T[]): T[] => all.filter(() => below(2) === 0);
      const object = (value: () => unknown) => Object.fromEntries(some(NAMES).map((name) => [name, value()]));
      const number = () => [0.5, "1.25", 1, "3", 100, 0.000001][below(6)];
      const limits = () =>
        Object.fromEntries(some(["rpm", "tpm", "daily_quota"]).map((name) => [name, below(9)]));
      const price = () => ({ input: below(9) / 8, ...(below(2) ? { output: below(9) } : {}) });
      const values: [JsonFormat, (text: string) => unknown, unknown][] = [
        [
          "model-fallbacks",
          parseModelFallbacks,
          object(() => (below(2) ? some(NAMES) : { models: some(NAMES), on: some(FALLBACK_CAUSES) })),
        ],
        ["group-routing", parseGroupRouting, object(() => ["weight", "cheapest", "fastest"][below(3)])],
        [
          "connect-templates",
          parseConnectTemplates,
          object(() => [{ link: "https://a/?k={key}" }, { text: "a\n{key}" }][below(2)]),
        ],
        ["usable-groups", parseUsableGroups, object(() => ["", "Fast", '"'][below(3)])],
        ["group-usable-groups", parseGroupUsableGroups, object(() => ({ b: "", ...object(() => "") }))],
        [
          "group-limits",
          parseGroupLimits,
          object(() => ({ ...limits(), ...(below(2) ? { per_user: limits() } : {}) })),
        ],
        [
          "cache-ratios",
          parseCacheRatios,
          object(() => (below(2) ? below(9) / 8 : { read: 0.5, write5m: below(9) })),
        ],
        [
          "model-prices",
          parseModelPrices,
          object(() => (below(2) ? price() : [price(), { from: "2026-12-01", ...price() }])),
        ],
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
        const json = JSON.stringify(value);
        // Drops the source entries, as if every row had been typed.
        const typed = rowsOf(format, json).map((rows) =>
          rows.map(({ cells, isListed = false }) => ({ cells, isListed, hidden: [] })),
        );
        expect([format, parse(writeTable(tableOf(format), typed))]).toEqual([format, parse(json)]);
      }
    },
  );
});

describe("a text that no table shows", () => {
  it.each([
    ["ratios", '{"a":"1"}'],
    ["ratios", "[]"],
    ["model-fallbacks", "{"],
    ["model-fallbacks", "[]"],
    ["model-fallbacks", '{"a":"b"}'],
    ["model-fallbacks", '{"a":{"models":["b"],"on":["luck"]}}'],
    ["group-routing", '{"a":"luck"}'],
    ["group-routing", '{"a":{"b":"weight"}}'],
    ["group-group-ratios", '{"a":{"b":"1"}}'],
    ["group-group-ratios", "7"],
    ["group-limits", '{"a":5}'],
    ["model-prices", '{"a":5}'],
    ["payment-offers", '{"packages":{"usd":1}}'],
    ["payment-offers", '{"others":[]}'],
    ["ratios", `{"a":${"[".repeat(5000)}`],
  ] as const)("%s: %s", (format, json) => {
    expect(readTable(tableOf(format), json)).toBeUndefined();
  });

  it("keeps and names the entries that no column shows", () => {
    expect(
      rowsOf("model-prices", '{"a":{"input":1,"tiers":[]}}').map((rows) => rows.map(({ hidden }) => hidden)),
    ).toEqual([[["tiers"]]]);
    expect(
      rowsOf("group-limits", '{"a":{"per_user":{"rpm":1,"x":2}}}')
        .flat()
        .map(({ hidden }) => hidden),
    ).toEqual([["per_user.x"]]);
  });
});

describe("the rows of a table", () => {
  const rows = (...cells: TableRow["cells"][]): TableRow[] =>
    cells.map((each) => ({ cells: each, hidden: [] }));

  it("lack nothing, stand there once and have numbers", () => {
    expect(
      mistakesOf(
        partOf("group-group-ratios"),
        rows(
          { userGroup: "vip", group: "a", ratio: "1" },
          { userGroup: "vip", group: "b", ratio: "-1" },
          { userGroup: "", group: "b", ratio: "" },
          { userGroup: "vip", group: " a ", ratio: "2" },
        ),
      ),
    ).toEqual([
      {},
      { ratio: { key: "jsonTable.mistake.number" } },
      { userGroup: { key: "jsonTable.mistake.required" }, ratio: { key: "jsonTable.mistake.required" } },
      { group: { key: "jsonTable.mistake.twice" } },
    ]);
    expect(mistakesOf(partOf("payment-offers"), rows({ usd: "10" }, { usd: "10.0" }))[1]).toEqual({
      usd: { key: "jsonTable.mistake.twice" },
    });
  });

  it("have days that are written as such, and once each", () => {
    const row = { fromDay: "2026-12-01", currency: "CNY", rate: "7.2" };
    expect(
      mistakesOf(partOf("display-rates"), rows(row, { ...row, fromDay: "1.12.2026", rate: "0" }, row)),
    ).toEqual([
      {},
      { fromDay: { key: "jsonTable.mistake.day" }, rate: { key: "jsonTable.mistake.positive" } },
      { fromDay: { key: "jsonTable.mistake.twice" } },
    ]);
  });

  it("say when a name stands in the text twice", () => {
    const [read = []] = rowsOf("ratios", '{"a":1,"b":2,"a":3}');
    expect(mistakesOf(partOf("ratios"), read)[2]).toEqual({ model: { key: "jsonTable.mistake.twice" } });
  });

  it.each([
    ["01", "number"],
    [".5", "number"],
    ["1e999", "number"],
    ["0x10", "number"],
    ["1.", "number"],
  ])("take no number written as %s", (ratio, mistake) => {
    expect(mistakesOf(partOf("ratios"), rows({ model: "a", ratio }))).toEqual([
      { ratio: { key: `jsonTable.mistake.${mistake}` } },
    ]);
  });

  it("keep to the bounds of their columns", () => {
    expect(mistakesOf(partOf("payment-offers"), rows({ usd: "0" }))).toEqual([
      { usd: { key: "jsonTable.mistake.positive" } },
    ]);
    expect(mistakesOf(partOf("cache-ratios"), rows({ model: "a", read: "101" }))).toEqual([
      { read: { key: "jsonTable.mistake.above", max: 100 } },
    ]);
    expect(mistakesOf(partOf("group-limits"), rows({ group: "a", rpm: "1.5" }))).toEqual([
      { rpm: { key: "jsonTable.mistake.whole" } },
    ]);
  });
});

describe("the prices of one model", () => {
  it.each([
    ['{"input":1.50,"tiers":[]}', '{"input":2,"tiers":[]}'],
    ['[{"from":"2027-01-01","input":1}]', '[{"from":"2027-01-01","input":2}]'],
  ])("%s keep the shape that they have", (json, expected) => {
    const [[row, ...others] = []] = readTable(MODEL_PRICE_TABLE, json) ?? [];
    if (!row) throw new Error("no row");
    const cells = { ...row.cells, input: "2" };
    expect(JSON.parse(writeTable(MODEL_PRICE_TABLE, [[{ ...row, cells }, ...others]]))).toEqual(
      JSON.parse(expected),
    );
  });

  it("have no row for an empty text, and no table for a text without prices", () => {
    expect(readTable(MODEL_PRICE_TABLE, " ")).toEqual([[]]);
    expect(readTable(MODEL_PRICE_TABLE, "[1]")).toBeUndefined();
    expect(readTable(MODEL_PRICE_TABLE, '"x"')).toBeUndefined();
  });
});
