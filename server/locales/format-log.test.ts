import { type LogContent, type LogPhrase, logPhrasesSchema } from "@tollgate/contract/values/log-phrase";
import { describe, expect, it } from "vitest";
import { findLogBeginnings } from "./find-log-beginnings";
import { formatLogContent } from "./format-log";
import { LANGUAGES, type Language } from "./languages";

const LANGUAGE_NAMES = ["zh-CN", "zh-TW", "en"] as const;
const RATIOS: LogPhrase = { code: "ratios", model: "0.75", group: "1.00" };

/** Each phrase in the words of the contract's language. */
const SAID: readonly [readonly LogPhrase[], string][] = [
  [[RATIOS], "模型倍率 0.75，分组倍率 1.00"],
  [
    [{ code: "money", input: "1.25", output: "10", group: "1.00" }],
    "输入 $1.25/1M，输出 $10/1M，分组倍率 1.00",
  ],
  [[{ code: "per-call", usd: "0.5", group: "0.50" }], "按次 $0.5，分组倍率 0.50"],
  [
    [
      RATIOS,
      { code: "long-context", tokens: 200_000 },
      { code: "cache-read", count: 400, weight: "0.13" },
      { code: "cache-write-5m", count: 2000, weight: "3.75" },
      { code: "cache-write-1h", count: 1000, weight: "6" },
      { code: "audio-input", count: 3, weight: "4" },
      { code: "audio-output", count: 5, weight: "8" },
      { code: "service-tier", tier: "priority", ratio: "2" },
      { code: "tool-calls", tool: "web_search", calls: 3, usd: "10" },
    ],
    "模型倍率 0.75，分组倍率 1.00，长上下文价格（输入超过 200000 tokens），缓存读取 400 × 0.13，缓存写入（5 分钟） 2000 × 3.75，缓存写入（1 小时） 1000 × 6，音频输入 3 × 4，音频输出 5 × 8，服务等级 priority × 2，工具 web_search 3 次（$10/1K）",
  ],
  [[RATIOS, { code: "speech", characters: 11 }], "模型倍率 0.75，分组倍率 1.00，语音合成 11 字符"],
  [
    [RATIOS, { code: "images", count: 1, ratio: "1.00" }],
    "模型倍率 0.75，分组倍率 1.00，图片 1 张，尺寸倍率 1.00",
  ],
  [
    [{ code: "sized-images", count: 2, size: "1792x1024 hd", ratio: "3.00" }],
    "图片 2 张 1792x1024 hd，尺寸倍率 3.00",
  ],
  [[{ code: "recording", seconds: 61 }], "音频 61 秒（每分钟计 200 tokens）"],
  [[{ code: "searches", count: 1 }], "检索 1 次（每次计 1000 tokens）"],
  [
    [
      RATIOS,
      { code: "counted-here" },
      { code: "left-and-received" },
      { code: "user-shortfall", quota: 7 },
      { code: "key-shortfall", quota: 8 },
    ],
    "模型倍率 0.75，分组倍率 1.00，用量由网关计算，客户端中断，按已送达内容计费，余额不足，少收 7，令牌额度不足，少扣令牌 8",
  ],
  [[RATIOS, { code: "left-and-drained" }], "模型倍率 0.75，分组倍率 1.00，客户端中断，按上游用量计费"],
  [[RATIOS, { code: "stopped" }], "模型倍率 0.75，分组倍率 1.00，应答被网关中止，按已送达内容计费"],
  [[{ code: "charge-taken-back" }], "回答未能送达，费用已退回"],
  [[{ code: "request-refunded" }], "管理员退款"],
  [[RATIOS, { code: "held-up" }], "模型倍率 0.75，分组倍率 1.00，客户端读取过慢，上游中断，按已送达内容计费"],
  [
    [RATIOS, { code: "price-rule", name: "春季" }, { code: "by-group", group: "vip" }],
    "模型倍率 0.75，分组倍率 1.00，价格规则“春季”，分组 vip",
  ],
  [[RATIOS, { code: "by-alias", name: "claude-x" }], "模型倍率 0.75，分组倍率 1.00，通过别名 claude-x"],
  [
    [RATIOS, { code: "at-budget", model: "small" }],
    "模型倍率 0.75，分组倍率 1.00，预算已用完，由 small 回答",
  ],
  [[{ code: "new-user-gift", amount: { quota: 5 } }], "新用户注册赠送 5 点额度"],
  [[{ code: "invitee-gift", amount: { usd: "0.200000" } }], "使用邀请码赠送 ＄0.200000 额度"],
  [[{ code: "inviter-gift", amount: { quota: 5 } }], "邀请用户赠送 5 点额度"],
  [[{ code: "redeemed", amount: { usd: "1.000000" } }], "通过兑换码充值 ＄1.000000 额度"],
  [[{ code: "bought", amount: { quota: 5 }, paid: "7.30 CNY" }], "在线支付 7.30 CNY，充值 5 点额度"],
  [
    [{ code: "purchase-refunded", amount: { quota: 5 }, paid: "7.30 CNY" }],
    "订单退款 7.30 CNY，收回 5 点额度",
  ],
  [[{ code: "refund-undone", amount: { quota: 5 } }], "退款未成功，返还 5 点额度"],
  [
    [{ code: "quota-changed", before: { quota: 1 }, after: { quota: 12 } }],
    "管理员将用户额度从 1 点额度修改为 12 点额度",
  ],
  [[{ code: "quota-added", amount: { quota: 5 } }], "管理员增加用户额度 5 点额度"],
  [[{ code: "quota-taken", amount: { quota: 5 } }], "管理员扣减用户额度 5 点额度"],
  [[{ code: "plan-bought", plan: "A", amount: { quota: 5 } }], "购买套餐“A”，支付 5 点额度"],
  [[{ code: "plan-granted", plan: "A", amount: { quota: 5 } }], "套餐“A”新周期开始，发放 5 点额度"],
  [[{ code: "plan-expired", plan: "A", amount: { quota: 5 } }], "套餐“A”周期结束，收回未用的 5 点额度"],
  [[{ code: "plan-parked", plan: "A", amount: { quota: 5 } }], "套餐“A”有效期间暂存 5 点额度"],
  [[{ code: "plan-unparked", plan: "A", amount: { quota: 5 } }], "套餐“A”已结束，退回暂存的 5 点额度"],
];

const languages = Object.keys(LANGUAGES) as Language[];

describe("the text of a log line", () => {
  it.each(SAID)("is, of %o, %s", (phrases, text) => {
    expect(formatLogContent("zh-CN", phrases)).toBe(text);
  });

  it("has every phrase in every language, and no name of a field left in it", () => {
    const codes = new Set(SAID.flatMap(([phrases]) => phrases.map(({ code }) => code)));
    expect([...codes].sort()).toEqual(Object.keys(LANGUAGES["zh-CN"].log.phrases).sort());
    for (const language of languages)
      for (const [phrases] of SAID) expect(formatLogContent(language, phrases)).not.toMatch(/[{}]|undefined/);
  });

  it("is the written text when that is plain", () => {
    const content: LogContent = "模型倍率 15.00，分组倍率 1.00 [{";
    for (const language of languages) expect(formatLogContent(language, content)).toBe(content);
  });

  it("is stored in the order of its schema", () => {
    for (const [phrases] of SAID)
      expect(JSON.stringify(phrases)).toBe(JSON.stringify(logPhrasesSchema.parse(phrases)));
  });
});

describe("a search by the beginning of a line", () => {
  it.each(languages)("finds in %s exactly the lines that begin so, wherever it ends", (language) => {
    const lines = SAID.map(([phrases]) => ({
      json: JSON.stringify(phrases).toLowerCase(),
      text: formatLogContent(language, phrases).toLowerCase(),
    }));
    for (const { text } of lines) {
      for (let length = 0; length <= Math.min(text.length, 200); length += 1) {
        const words = text.slice(0, length);
        const beginnings = findLogBeginnings(language, words).map((each) => each.toLowerCase());
        const found = lines.filter(({ json }) => beginnings.some((each) => json.startsWith(each)));
        const right = lines.filter((line) => line.text.startsWith(words));
        expect([words, found.map((line) => line.text)]).toEqual([words, right.map((line) => line.text)]);
      }
    }
  });

  it.each(["nowhere", "%", "管理员修改"])("finds nothing for %s", (words) => {
    expect(findLogBeginnings("zh-CN", words)).toEqual([]);
  });

  it("ends, however many ways there are to read it", () => {
    const words = `工具 ${"a 1 次（$1/1k），工具 ".repeat(40)}`;
    expect(findLogBeginnings("zh-CN", words).length).toBeLessThanOrEqual(100);
  });
});

describe("an amount in another currency than US dollars", () => {
  const yuan = { currency: "CNY", symbol: "¥", rate: "7.2" };
  const redeemed: LogContent = [{ code: "redeemed", amount: { usd: "20.000000" } }];

  it("is converted with its six decimals, in each language", () => {
    expect(LANGUAGE_NAMES.map((language) => formatLogContent(language, redeemed, yuan))).toEqual([
      "通过兑换码充值 ¥144.000000 额度",
      "透過兌換碼儲值 ¥144.000000 額度",
      expect.stringContaining("¥144.000000 of quota"),
    ]);
  });

  it("stays points where the line counts points", () => {
    expect(formatLogContent("zh-CN", [{ code: "redeemed", amount: { quota: 5 } }], yuan)).toContain(
      "5 点额度",
    );
  });

  it("is a price as well, exactly", () => {
    const text = (content: LogContent) => formatLogContent("zh-CN", content, yuan);
    expect(text([{ code: "per-call", usd: "0.5", group: "1" }])).toBe("按次 ¥3.6，分组倍率 1");
    expect(text([{ code: "money", input: "0.075", output: "10", group: "1" }])).toBe(
      "输入 ¥0.54/1M，输出 ¥72/1M，分组倍率 1",
    );
    expect(text([{ code: "tool-calls", tool: "t", calls: 2, usd: "10" }])).toBe("工具 t 2 次（¥72/1K）");
    const odd = { ...yuan, rate: "7.123457" };
    expect(formatLogContent("zh-CN", [{ code: "per-call", usd: "0.001", group: "1" }], odd)).toContain(
      "¥0.007123457",
    );
  });

  it("is found by the words before it", () => {
    const found = (words: string, isConverted: boolean): boolean =>
      findLogBeginnings("zh-CN", words, isConverted).some((each) =>
        JSON.stringify(redeemed).startsWith(each),
      );
    expect([found("通过兑换码充值 ¥144", true), found("通过兑换码充值 ＄20", true)]).toEqual([true, true]);
    expect(found("通过兑换码充值 ¥144", false)).toBe(false);
    expect(found("使用邀请码赠送 ¥144", true)).toBe(false);
    const priced = JSON.stringify([{ code: "per-call", usd: "0.5", group: "1" }]);
    const begins = (words: string, isConverted: boolean) =>
      findLogBeginnings("zh-CN", words, isConverted).some((each) => priced.startsWith(each));
    expect([begins("按次 ¥3.6", true), begins("按次 $0.5", true), begins("按次 $0.6", true)]).toEqual([
      true,
      true,
      true,
    ]);
    expect([begins("按次 $0.5", false), begins("按次 $0.6", false)]).toEqual([true, false]);
  });
});
