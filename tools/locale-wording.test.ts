import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";

/*
 * One word for one thing in the texts that people read. Texts of another service's own words (WeChat, a webhook's secret) are no
 * exception here: none of them needs these words.
 */

interface Rule {
  in: RegExp;
  word: RegExp;
  instead: string;
}

const RULES: readonly Rule[] = [
  // The specification's own texts say 账户, as new-api does; 服务账号 is what Google calls its keys.
  { in: /zh-CN/, word: /帐户|帐号|(?<!服务)账号|登陆/, instead: "账户, 登录" },
  { in: /zh-TW/, word: /帳號/, instead: "帳戶" },
  // One-api's subject of an e-mail keeps its brackets: administrators sort their mail by it.
  { in: /zh-CN/, word: /「(?!\{name\}」（#\{id\}）已被禁用",$)/, instead: "“”" },
  {
    in: /console.*zh-/,
    word: /[^"]管理",?$/,
    instead: "管理公告: the verb first, as in 管理用户 of the specification",
  },
  { in: /zh-/, word: /\bTokens?\b/, instead: "token for what is counted, 令牌 or 權杖 for a key" },
  { in: /zh-/, word: /您|妳/, instead: "你" },
  { in: /zh-/, word: /注销|註銷/, instead: "退出登录, 登出" },
  { in: /zh-/, word: /每个 Key|每個 Key|完成倍率/, instead: "密钥, 补全倍率" },
  { in: /zh-/, word: /消耗[^，。]*(?:令牌|權杖)/, instead: "token for what is counted" },
  { in: /zh-CN.orders\.json/, word: /渠道/, instead: "支付平台, 支付方式: 渠道 is an upstream" },
  { in: /zh-TW.orders\.json/, word: /管道|通道/, instead: "付款平台, 付款方式" },
  { in: /zh-TW/, word: /账|录|户|设置|渠道|令牌|“|”/, instead: "the traditional word and 「」" },
  {
    in: /console.*en.tokens\.json/,
    word: /\btokens?\b(?! (?:limit|count))/i,
    instead: "key: a token is counted",
  },
  { in: /console.*zh-/, word: /(?<![{\w])tokens\b/, instead: "token: Chinese has no plural" },
  { in: /console.*zh-/, word: /^"(?:提示|补全|補全)",?$/, instead: "输入, 输出: as the prices call them" },
  {
    in: /console.*\ben\b/,
    word: /(?<!\{)\b(?:told|tells?|begins?|at once|all the same|of (?:its|their|your) own(?! \w)|is asked|log says why|there is none)\b/i,
    instead: "reports, starts, immediately, anyway, own, is sent, is missing",
  },
  {
    in: /console.*en.settings\.json/,
    word: /\b(?:of a token|pages? of tokens)\b/i,
    instead: "key: a token is counted",
  },
  { in: /\ben\b/, word: /\b(?:whoever|nobody|somebody|anybody|everybody|whom|anew)\b/i, instead: "a role" },
];

const FOLDERS = ["console/locales", "server/locales"];

const texts = FOLDERS.flatMap((folder) =>
  readdirSync(folder, { recursive: true, encoding: "utf8" })
    .filter((path) => /\.(?:json|html)$/.test(path))
    .flatMap((path) => {
      const file = join(folder, path);
      return readFileSync(file, "utf8")
        .split("\n")
        .map((line) => ({ file, text: line.replace(/^\s*"[^"]+": /, "") }));
    }),
);

/** Every character that Big5 can write: the traditional characters, and none of the simplified ones. */
const traditional = (): ReadonlySet<string> => {
  const decoder = new TextDecoder("big5");
  const leads = Array.from({ length: 0xfe - 0x80 }, (_, index) => 0x81 + index);
  const trails = Array.from({ length: 0xfe - 0x3f }, (_, index) => 0x40 + index);
  return new Set(
    leads.flatMap((lead) => trails.flatMap((trail) => [...decoder.decode(Uint8Array.of(lead, trail))])),
  );
};

describe("the texts", () => {
  it.each(RULES)("say $instead, and not $word", ({ in: where, word }) => {
    const read = texts.filter(({ file }) => where.test(file));
    expect(read.length).toBeGreaterThan(0);
    expect(read.filter(({ text }) => word.test(text)).map(({ file, text }) => `${file}: ${text}`)).toEqual(
      [],
    );
  });

  it("have at most 25 words in a sentence of the console in English", () => {
    const MAX_WORDS = 25;
    const read = texts.filter(
      ({ file, text }) => /console.*\ben\b.*json$/.test(file) && text.startsWith('"'),
    );
    const sentences = read.flatMap(({ text }) => text.split(/(?<=[.!?])\s+/));
    expect(sentences.length).toBeGreaterThan(2000);
    expect(sentences.filter((sentence) => sentence.split(/[\s–—]+/).length > MAX_WORDS)).toEqual([]);
  });

  it("have no simplified character where they are in traditional Chinese", () => {
    const known = traditional();
    const isForeign = (character: string): boolean =>
      /\p{Script=Han}/u.test(character) && !known.has(character);
    const read = texts.filter(({ file }) => /zh-TW/.test(file));
    expect(read.length).toBeGreaterThan(0);
    expect([..."设录户"].every(isForeign)).toBe(true);
    expect(read.filter(({ text }) => [...text].some(isForeign))).toEqual([]);
  });
});
