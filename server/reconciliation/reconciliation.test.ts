import type { ProfitReport } from "@tollgate/contract/api/profit";
import { isMarked, type ReconciledRow, sumReconciled } from "@tollgate/contract/management/reconciliation";
import { formatDecimal, parseDecimal } from "@tollgate/contract/values/decimal";
import { createRandom } from "@tollgate/testkit/random";
import { seeds } from "@tollgate/testkit/seeds";
import { presetFor } from "@tollgate/vendors/slim/bill-presets";
import { describe, expect, it } from "vitest";
import { readBill } from "./read-bill";
import { readAmount, readDay } from "./read-cells";
import { balanceMoved, billedDays, billedOfBalance, compareBill } from "./reconcile";

const base64 = (text: string | Uint8Array): string => Buffer.from(text).toString("base64");

const amountText = (cell: string, point: "." | ",") => {
  const amount = readAmount(cell, point);
  return amount && (amount.isNegative ? "-" : "") + formatDecimal(amount.size);
};

describe("an amount of a bill", () => {
  it.each([
    ["1234.56", ".", "1234.56"],
    ["1,234.56", ".", "1234.56"],
    ["$1,234.56", ".", "1234.56"],
    ["1.234,56 €", ",", "1234.56"],
    ["0,5", ",", "0.5"],
    ["-3e-5", ".", "-0.00003"],
    ["−2", ".", "-2"],
    ["(12.30)", ".", "-12.3"],
    ["-$0.00", ".", "0"],
    ["USD 7", ".", "7"],
    ["1,5", ".", undefined],
    ["12,34.5", ".", undefined],
    ["1.234,56", ".", undefined],
    ["1,234.56", ",", undefined],
    ["0.5,", ".", undefined],
    ["1D2", ".", undefined],
    ["1USD2", ".", undefined],
    ["7 USD", ".", "7"],
    ["US$7", ".", "7"],
    ["-7 CNY", ".", "-7"],
    ["=1+1", ".", undefined],
    ["1.2.3", ".", undefined],
    ["", ".", undefined],
    ["NaN", ".", undefined],
    ["1e999", ".", undefined],
    [`1${" ".repeat(900)}1`, ".", undefined],
  ] as const)("%s with %s is %s", (cell, point, text) => {
    expect(amountText(cell, point)).toBe(text);
  });
});

describe("the day of a row", () => {
  it.each([
    ["2026-11-01", 0, "2026-11-01"],
    ["2026/11/1 23:59:59", 480, "2026-11-01"],
    ["2026年11月1日", 0, "2026-11-01"],
    ["2026-11-01T20:00:00Z", 480, "2026-11-02"],
    ["2026-11-01 01:00:00 +08:00", 0, "2026-10-31"],
    ["2026-11-01T20:00:00.123+0000", -300, "2026-11-01"],
    ["1793577600", 0, "2026-11-02"],
    ["1793577600000", -60, "2026-11-01"],
    ["01/02/2026", 0, undefined],
    ["2026-02-30", 0, undefined],
    ["0026-02-03", 0, undefined],
    ["9999-12-31T23:59:59Z", 840, undefined],
    ["2026-11-01 25:00", 0, undefined],
    ["2026-11-01 12:60", 0, undefined],
    ["yesterday", 0, undefined],
    ["", 0, undefined],
  ])("%s at %i minutes is %s", (cell, offset, day) => {
    expect(readDay(cell, offset)).toBe(day);
  });
});

describe("a file that an administrator sends", () => {
  it.each([
    ["UTF-8", base64("日期,模型,金额\n2026-11-01,m,1")],
    ["UTF-8 with a byte order mark", base64("\uFEFF日期;模型;金额\r\n2026-11-01;m;1\r\n")],
    ["UTF-16", base64(Buffer.from("\uFEFF日期\t模型\t金额\n2026-11-01\tm\t1", "utf16le"))],
    // 日期,模型,金额 as Excel writes it in China.
    [
      "GB18030",
      base64(
        Buffer.concat([
          Buffer.from([0xc8, 0xd5, 0xc6, 0xda, 0x2c, 0xc4, 0xa3, 0xd0, 0xcd, 0x2c, 0xbd, 0xf0, 0xb6, 0xee]),
          Buffer.from("\n2026-11-01,m,1\n"),
        ]),
      ),
    ],
  ])("is read in %s", async (_, file) => {
    expect(await readBill(file)).toEqual({
      columns: ["日期", "模型", "金额"],
      rows: [["2026-11-01", "m", "1"]],
    });
  });

  it.each([
    ["nothing", ""],
    ["bytes", "a\0b"],
    ["one endless cell", `"${"x".repeat(200_000)}"\n`],
    ["empty names", ",,\n"],
  ])("is refused where it is %s", async (_, text) => {
    await expect(readBill(base64(text))).rejects.toMatchObject({ key: "bill-unreadable" });
  });

  it("is refused where it is larger than a bill", async () => {
    await expect(readBill(base64(`a\n${"1\n".repeat(100_001)}`))).rejects.toMatchObject({
      key: "bill-too-large",
    });
    await expect(readBill(base64(Buffer.alloc(5_000_000, "a,")))).rejects.toMatchObject({
      key: "bill-too-large",
    });
  });

  it("is read and added up in turns, between which others come", async () => {
    let turns = 0;
    let next: NodeJS.Immediate | undefined;
    const count = (): void => {
      turns += 1;
      next = setImmediate(count);
    };
    count();
    const bill = await readBill(base64(`date,usd\n${"2026-11-01,0.000001\n".repeat(5000)}`));
    const whileReading = turns;
    await billedDays(bill, { ...USED, model: undefined }, CONVERSION);
    clearImmediate(next);
    expect(whileReading).toBeGreaterThan(5);
    expect(turns - whileReading).toBeGreaterThan(5);
  });

  it("is known by its columns", () => {
    expect(presetFor(["id", "created_at", "model_name", "quota"])?.name).toBe("new-api");
    expect(presetFor(["start_time_iso", "line_item", "amount_value"])?.name).toBe("openai");
    expect(presetFor(["usage_date_utc", "model", "cost_usd"])?.name).toBe("anthropic");
    expect(presetFor(["generation_id", "created_at", "model_permaslug", "cost_total"])?.name).toBe(
      "openrouter",
    );
    expect(presetFor(["a", "b"])).toBeUndefined();
  });
});

const USED = { date: "date", amount: "usd", model: "model", decimal: ".", offsetMinutes: 0 } as const;
const CONVERSION = { unitsPerUsd: parseDecimal(1)!, quotaPerUnit: parseDecimal(500_000)! };
const NO_SUM = { requests: 0, revenue: 0, costedRequests: 0, costedRevenue: 0, cost: 0 };

const expectedOf = (rows: readonly [day: string, model: string, cost: number][]): ProfitReport => ({
  total: NO_SUM,
  rows: rows.map(([key, model, cost]) => ({
    ...NO_SUM,
    key,
    name: key,
    model,
    cost,
    requests: 2,
    costedRequests: 1,
  })),
});

const compare = async (csv: string, rows: Parameters<typeof expectedOf>[0], hasModels = true) =>
  compareBill(
    await billedDays(
      await readBill(base64(csv)),
      { ...USED, model: hasModels ? "model" : undefined },
      CONVERSION,
    ),
    expectedOf(rows),
    hasModels,
  );

describe("a bill beside the expected amounts", () => {
  it("is compared by day and model, and shows rows of only one side", async () => {
    const csv = `date,model,usd
2026-11-01,"openai/gpt-4o, input",0.001
2026-11-01,openai/gpt-4o,0.002
2026-11-01,=HYPERLINK("x"),1
2026-11-02,gpt-4o,-0.001
oops,gpt-4o,5`;
    const rows = await compare(csv, [
      ["2026-11-01", "gpt-4o", 1_400_000],
      ["2026-11-03", "other", 7],
    ]);
    expect(rows).toEqual([
      { day: "2026-11-01", model: '=HYPERLINK("x")', expected: 0, billed: 500_000_000, unknown_requests: 0 },
      {
        day: "2026-11-01",
        model: "openai/gpt-4o",
        expected: 1_400_000,
        billed: 1_500_000,
        unknown_requests: 1,
      },
      { day: "2026-11-02", model: "gpt-4o", expected: 0, billed: -500_000, unknown_requests: 0 },
      { day: "2026-11-03", model: "other", expected: 7, billed: 0, unknown_requests: 1 },
    ] satisfies ReconciledRow[]);
    expect(rows.map((row) => isMarked(row, 5))).toEqual([true, true, true, true]);
    expect(isMarked(rows[1]!, 8)).toBe(false);
  });

  it("prefers the identical name to a similar one for the expected amounts", async () => {
    const rows = await compare("date,model,usd\n2026-11-01,openai/gpt-4o,1\n2026-11-01,gpt-4o,2", [
      ["2026-11-01", "gpt-4o", 7],
    ]);
    expect(rows.map(({ model, expected }) => [model, expected])).toEqual([
      ["gpt-4o", 7],
      ["openai/gpt-4o", 0],
    ]);
  });

  it("is compared by day alone where it names no models", async () => {
    const rows = await compare(
      "date,usd\n2026-11-01,1\n2026-11-01,2",
      [
        ["2026-11-01", "a", 5],
        ["2026-11-01", "b", 6],
      ],
      false,
    );
    expect(rows).toEqual([
      { day: "2026-11-01", model: "", expected: 11, billed: 1_500_000_000, unknown_requests: 2 },
    ]);
  });

  it("takes expected amounts of an hour that the first day begins within for that day's", async () => {
    const used = { ...USED, offsetMinutes: 330 };
    const bill = await readBill(base64("date,model,usd\n2026-11-02,m,0.001"));
    const billed = await billedDays(bill, used, CONVERSION);
    // A request at 00:10 there lies in the hour that began at 23:30 of the day before.
    const rows = compareBill(billed, expectedOf([["2026-11-01", "m", 7]]), true);
    expect(rows).toEqual([
      { day: "2026-11-02", model: "m", expected: 7, billed: 500_000, unknown_requests: 1 },
    ]);
  });

  it("is refused without a column or a row that can be read", async () => {
    await expect(compare("date,usd\n2026-11-01,1", [])).rejects.toMatchObject({ key: "bill-column-missing" });
    await expect(compare("date,model,usd\nx,y,z", [])).rejects.toMatchObject({ key: "bill-unreadable" });
  });

  it.each(seeds(20))(
    "adds up the billed amounts exactly, however many rows they take (seed %i)",
    async (seed) => {
      const random = createRandom(seed);
      const rows = Array.from({ length: 200 }, () => Math.floor(random() * 2_000_001) - 500_000);
      const csv = `date,model,usd\n${rows.map((millionths) => `2026-11-01,m,${(millionths / 1e6).toFixed(6)}`).join("\n")}`;
      const [row] = await compare(csv, []);
      expect(row?.billed).toBe(rows.reduce((sum, millionths) => sum + millionths, 0) * 500);
    },
  );
});

describe("amounts above the largest safe number", () => {
  const most = Number.MAX_SAFE_INTEGER;

  it.each(seeds(20))(
    "make a comparison that can be read again, and its sums as well (seed %i)",
    async (seed) => {
      const random = createRandom(seed);
      const pick = <T>(all: readonly T[]): T => all[Math.floor(random() * all.length)] as T;
      const models = ["m", "x/m", "n"];
      const csv = Array.from(
        { length: 8 },
        () => `2026-11-0${pick([1, 2])},${pick(models)},${pick(["9e18", "-9e18", "18014398.5", "1"])}`,
      );
      const rows = await compare(
        `date,model,usd\n${csv.join("\n")}`,
        Array.from({ length: 8 }, () => ["2026-11-01", pick(models), pick([most, most - 1, 1])]),
      );
      const sums = sumReconciled(rows);
      for (const amount of rows
        .flatMap(({ expected, billed }) => [expected, billed])
        .concat(Object.values(sums)))
        expect(Number.isSafeInteger(amount)).toBe(true);
    },
  );
});

describe("how a balance moved", () => {
  const reading = (at: number, amount: number) => ({
    id: at,
    at,
    kind: "reading" as const,
    amount,
    note: "",
  });
  const topUp = (at: number, amount: number) => ({ id: at, at, kind: "top-up" as const, amount, note: "" });

  it("is the difference between the last readings before and within the period, with payments in between", () => {
    const movements = [
      reading(10, 50),
      topUp(15, 5),
      reading(20, 40),
      topUp(30, 100),
      reading(40, 90),
      topUp(50, 1),
    ];
    expect(balanceMoved(movements, 25)).toEqual({ first_at: 20, last_at: 40, used: 50 });
    expect(balanceMoved(movements, 0)).toEqual({ first_at: 10, last_at: 40, used: 65 });
  });

  it("is a number that can be kept, whatever an upstream calls its balance", () => {
    expect(billedOfBalance(2.5, 1, 500_000)).toBe(1_250_000_000);
    for (const balance of [1e15, 1e300, Number.MAX_VALUE]) {
      expect(billedOfBalance(balance, 0.1, 500_000)).toBe(Number.MAX_SAFE_INTEGER);
      expect(billedOfBalance(-balance, 0.1, 500_000)).toBe(-Number.MAX_SAFE_INTEGER);
    }
  });

  it("is not known by one reading", () => {
    expect(() => balanceMoved([reading(10, 50), topUp(20, 1)], 0)).toThrow("balance-readings-missing");
  });
});
