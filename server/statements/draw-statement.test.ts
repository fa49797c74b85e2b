import { readFileSync } from "node:fs";
import { createRequire } from "node:module";
import type { StatementWire } from "@tollgate/contract/api/statements";
import { LEDGER_CAUSES } from "@tollgate/contract/records/ledger-entry";
import { createRandom } from "@tollgate/testkit/random";
import { readPdf } from "@tollgate/testkit/read-pdf";
import { seeds } from "@tollgate/testkit/seeds";
import { describe, expect, it } from "vitest";
import { LANGUAGES, type Language } from "../locales/languages";
import { drawStatement } from "./draw-statement";
import type { StatementContent } from "./lay-out-statement";
import { unpackWoff } from "./unpack-woff";

const woff = readFileSync(
  createRequire(import.meta.url).resolve(
    "@fontsource/noto-sans-sc/files/noto-sans-sc-chinese-simplified-400-normal.woff",
  ),
);
const font = unpackWoff(woff);

const STATEMENT: StatementWire = {
  ...{ user_id: 7, username: "alice", month: "2026-10", offset_minutes: 480 },
  title: { name: "腾讯科技（深圳）有限公司", tax_number: "91440300708461136T" },
  ...{ from: 1_790_784_000, end: 1_793_462_400, opening: 1_000_000, closing: 1_499_958, is_partial: false },
  movements: [
    { cause: "payment", entries: 2, quota: 750_000 },
    { cause: "plan-expiry", entries: 1, quota: -250_000 },
  ],
  charged: 42,
  models: [
    { key: "gpt-4", name: "gpt-4", requests: 3, quota: 30 },
    { key: "deepseek-chat", name: "deepseek-chat", requests: 1, quota: 12 },
  ],
  tokens: [{ key: "7", name: "", requests: 4, quota: 42 }],
  ...{ display_currency: "CNY", display_symbol: "¥", display_rate: 7.2 },
};

const contentOf = (
  language: Language,
  statement: Partial<StatementWire> = {},
  rest: Partial<StatementContent> = {},
): StatementContent => ({
  statement: { ...STATEMENT, ...statement },
  ...{ site: "Tollgate 演示站", language },
  words: LANGUAGES[language].statement,
  causes: LANGUAGES[language].ledgerCauses,
  ...{ quotaPerUnit: 500_000, endOffsetMinutes: 480, madeAt: 1_793_500_000 },
  ...rest,
});

const read = async (content: StatementContent) => {
  const file = await drawStatement(font, content);
  return { ...readPdf(file), bytes: file.length };
};

describe("a printed statement", () => {
  it("has the lines of the page, its sums and its amounts", async () => {
    const { texts, pages, bytes } = await read(contentOf("zh-CN"));
    expect(texts).toEqual([
      ...[
        "Tollgate 演示站",
        "2026-10 账单",
        "alice #7",
        "腾讯科技（深圳）有限公司",
        "税号 91440300708461136T",
      ],
      ...["2026-10-01 00:00:00 UTC+08:00 –", "2026-10-31 23:59:59 UTC+08:00"],
      "1 美元 = 500,000 点额度 = ¥7.2（CNY）",
      ...["余额", "期初余额", "¥14.4000000", "支付", "2 次", "+¥10.8000000"],
      ...["套餐到期", "1 次", "−¥3.6000000", "请求费用", "4 次", "−¥0.0006048", "期末余额", "¥21.5993952"],
      ...["按模型统计的费用", "gpt-4", "3 次", "¥0.0004320", "deepseek-chat", "1 次", "¥0.0001728"],
      ...["合计", "¥0.0006048", "按令牌统计的费用", "#7", "4 次", "¥0.0006048", "合计", "¥0.0006048"],
      ...["生成于 2026-11-01 10:26:40 UTC+08:00", "第 1 页，共 1 页"],
    ]);
    expect(pages).toBe(1);
    expect(bytes).toBeLessThan(40_000);
  });

  it.each([
    ["zh-TW", "2026-10 帳單", "按權杖統計的費用", "第 1 頁，共 2 頁"],
    ["en", "Statement 2026-10", "Charges by key", "Page 1 of 2"],
  ] as const)("is in %s, with a glyph for each character of every text", async (language, ...found) => {
    const movements = LEDGER_CAUSES.map((cause) => ({ cause, entries: 1, quota: 1 }));
    const { texts } = await read(contentOf(language, { movements }));
    expect(texts).toEqual(
      expect.arrayContaining([...found, ...Object.values(LANGUAGES[language].ledgerCauses)]),
    );
    expect(texts.join("")).not.toContain("〓");
  });

  it("says what is unknown, and counts points on a site without currency", async () => {
    const { texts } = await read(
      contentOf("en", { opening: null, closing: null, is_partial: true }, { quotaPerUnit: undefined }),
    );
    expect(texts.filter((text) => text === "Unknown")).toHaveLength(2);
    expect(texts).toEqual(expect.arrayContaining(["+750,000", "−250,000", "−42"]));
    expect(texts.join("")).toContain(
      "The ledger starts within this month. The balance at 2026-10-01 00:00:00 UTC+08:00 is carried forward",
    );
    expect(texts.join("")).not.toContain("US dollar");
  });

  it("names a currency by its code where the font does not have its symbol", async () => {
    const won = { display_currency: "KRW", display_symbol: "₩", display_rate: 1400 };
    const { texts } = await read(contentOf("en", won));
    expect(texts.join("\n")).toMatch(/KRW.2800/);
    expect(texts.join("")).not.toContain("〓");
  });

  it("numbers its pages, and has the sums of lines beyond the limit", async () => {
    const lines = Array.from({ length: 1200 }, (_, index) => ({
      ...{ key: `model-${index}`, name: `model-${index}`, requests: 2, quota: 500_000 },
    }));
    const models = contentOf("en", { models: lines, charged: 600_000_000 });
    const { texts, pages } = await read(models);
    expect(pages).toBeGreaterThan(20);
    expect(texts).toContain("model-999");
    expect(texts).not.toContain("model-1000");
    const rest = texts.indexOf("200 more, see the CSV file");
    expect(texts.slice(rest, rest + 5)).toEqual([
      ...["200 more, see the CSV file", "400 ×", "¥1440.0000000", "Total", "¥8640.0000000"],
    ]);
    expect(texts.filter((text) => text.startsWith("Page "))).toEqual(
      Array.from({ length: pages }, (_, index) => `Page ${index + 1} of ${pages}`),
    );
  });

  /** Characters that break layouts, terminals and readers. */
  const HOSTILE = [
    ...[
      "\0",
      "\u{1B}[31m",
      "\n",
      "\r\n",
      "\t",
      "\u{202E}",
      "\u{2066}",
      "\u{FEFF}",
      "\u{200B}",
      "\u{D800}",
      "\u{DC00}",
    ],
    ...[
      "e\u{301}\u{302}\u{303}",
      "👩‍👩‍👧‍👦",
      "אבג",
      "مرحبا",
      "ﷺ",
      "𠮷",
      "\\",
      ")",
      "(",
      "<</JS (x)>>",
      "endstream",
      "%%EOF",
    ],
    ...["https://example.com/a", "javascript:alert(1)", "名", "x".repeat(300), "W", " ", "-", "\u{AD}"],
  ];

  it.each(seeds(24))("is one of any names, as text alone (seed %i)", async (seed) => {
    const random = createRandom(seed);
    const upTo = (most: number): number => Math.floor(random() * (most + 1));
    const draw = (): string =>
      Array.from({ length: upTo(random() < 0.2 ? 3000 : 12) }, () => HOSTILE[upTo(HOSTILE.length - 1)]).join(
        "",
      );
    const used = () => ({ key: draw(), name: draw(), requests: upTo(9e15), quota: upTo(9e15) });
    const content = contentOf(
      "zh-CN",
      {
        ...{ username: draw(), title: { name: draw(), tax_number: draw() } },
        movements: [{ cause: draw(), entries: upTo(9e15), quota: 0 - upTo(9e15) }],
        ...{ models: [used(), used()], tokens: [used()], display_symbol: draw().slice(0, 8) },
      },
      { site: draw() },
    );
    const { texts, objects, pages } = await read(content);
    expect(pages).toBeLessThan(4);
    expect(texts).toContain("期末余额");
    // Controls and marks of direction, which pretend another text.
    expect(texts.join("")).not.toMatch(/[\p{Cc}\p{Cf}]/u);
    // A form, link, script or file is a separate object; the names of users stand in streams and in the title.
    expect(objects.replaceAll(/\/Title [\s\S]*?\n(?=\/|>>)/g, "")).not.toMatch(
      /\/(?:JS|JavaScript|URI|Launch|OpenAction|AA|Annots|EmbeddedFile|AcroForm)\b/,
    );
  });
});

describe("the font", () => {
  it("is unpacked to a file that has its tables where its directory says", () => {
    const tables = font.readUInt16BE(4);
    expect(tables).toBe(woff.readUInt16BE(12));
    for (let index = 0; index < tables; index += 1) {
      const entry = 12 + index * 16;
      const end = font.readUInt32BE(entry + 8) + font.readUInt32BE(entry + 12);
      expect(end).toBeLessThanOrEqual(font.length);
    }
  });

  it("is refused if it is another file, or damaged", () => {
    expect(() => unpackWoff(Buffer.from("wOF2 and more"))).toThrow("not a WOFF file");
    const damaged = Buffer.from(woff);
    damaged.writeUInt32BE(damaged.readUInt32BE(44 + 12) + 1, 44 + 12);
    expect(() => unpackWoff(damaged)).toThrow("damaged");
  });
});

it.each(Object.keys(LANGUAGES) as Language[])("names causes as the console does (%s)", (language) => {
  const { ledger } = JSON.parse(readFileSync(`console/locales/${language}/ledger.json`, "utf8")) as {
    ledger: { causes: Record<string, string> };
  };
  expect(LANGUAGES[language].ledgerCauses).toEqual(ledger.causes);
});
