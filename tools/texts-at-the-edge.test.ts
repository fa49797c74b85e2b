import { readdirSync, readFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { parseSync, Visitor } from "vite";
import { describe, expect, it } from "vitest";
import { SHIPPED } from "./lib/rooms.mjs";

/*
 * Below the server and the console nothing is said to people: rooms give codes with parameters, and server/locales/ and
 * console/locales/ say them in the reader's language. What a programmer alone reads (an Error that is thrown) is no such text.
 */

const ROOT = join(dirname(fileURLToPath(import.meta.url)), "..");

/** Rooms in which no text is in Chinese. */
const BELOW = SHIPPED.filter((room) => room !== "server" && room !== "console");

/**
 * Rooms in which no text is a sentence. The others still tell in English what is wrong with a request (RequestInvalid), with
 * an upstream's bytes, and with a data folder.
 */
const WITHOUT_SENTENCES = ["contract", "vendors", "metering", "accounts"];

/** What upstreams write is recognised by their own words. */
const WORDS_OF_UPSTREAMS = ["protocols/shared/classify-error.ts"];

const HAN = /\p{Script=Han}/u;
/** Three words in a row; a list of names joined by "_" or "." is none. */
const SENTENCE = /(?:^|[\s("])\p{L}+[,;:]?\s+\p{L}+[,;:]?\s+\p{L}+/u;

/** What a vendor is called is no sentence, whatever the language. */
const isName = (file: string, key: string): boolean =>
  file.startsWith("vendors/") && ["name", "zh", "en"].includes(key);

interface Text {
  start: number;
  text: string;
}

/** The texts of a source, besides those of errors for programmers, names of vendors and addresses. */
const textsOf = (file: string, source: string): Text[] => {
  const texts: Text[] = [];
  const skipped: { start: number; end: number }[] = [];
  const add = ({ start, end }: { start: number; end: number }, text: string): void => {
    if (!text.startsWith("https://") && !skipped.some((each) => each.start <= start && end <= each.end))
      texts.push({ start, text });
  };
  new Visitor({
    NewExpression(node) {
      if (node.callee.type === "Identifier" && /Error$/.test(node.callee.name)) skipped.push(node);
    },
    Property(node) {
      if (node.key.type === "Identifier" && isName(file, node.key.name)) skipped.push(node);
    },
    Literal(node) {
      if (typeof node.value === "string") add(node, node.value);
    },
    TemplateLiteral(node) {
      add(node, node.quasis.map(({ value }) => value.cooked ?? "").join("…"));
    },
  }).visit(parseSync(file, source).program);
  return texts;
};

const findTexts = (file: string, source: string, kind: RegExp): string[] =>
  textsOf(file, source)
    .filter(({ text }) => kind.test(text))
    .map(({ start, text }) => `${file}:${source.slice(0, start).split("\n").length} ${text}`);

const sourcesOf = (room: string): string[] =>
  readdirSync(join(ROOT, room), { recursive: true, encoding: "utf8" })
    .map((path) => `${room}/${path.replaceAll("\\", "/")}`)
    .filter((path) => /\.ts$/.test(path) && !/\.test\.ts$|\/(node_modules|testing|dist)\//.test(path));

describe("no sentence for people below the edge", () => {
  it.each(BELOW)("%s says nothing in Chinese", (room) => {
    const files = sourcesOf(room);
    expect(files.length).toBeGreaterThan(5);
    const found = files
      .filter((file) => !WORDS_OF_UPSTREAMS.includes(file))
      .flatMap((file) => findTexts(file, readFileSync(join(ROOT, file), "utf8"), HAN));
    expect(found).toEqual([]);
  });

  it.each(WITHOUT_SENTENCES)("%s says nothing in English", (room) => {
    const found = sourcesOf(room).flatMap((file) =>
      findTexts(file, readFileSync(join(ROOT, file), "utf8"), SENTENCE),
    );
    expect(found).toEqual([]);
  });

  it.each([
    ["const text = '余额不足';", HAN],
    [`const text = \`模型倍率 \${ratio}\`;`, HAN],
    ["const names = { en: '百度' };", HAN],
    ["log('the balance is used up');", SENTENCE],
    [`log(\`at most \${most} images may be sent\`);`, SENTENCE],
    ["throw new Refused('please try again later');", SENTENCE],
  ])("fires on %s", (source, kind) => {
    expect(findTexts("one.ts", source, kind)).toHaveLength(1);
  });

  it.each([
    ["throw new Error('a hold was ended twice');", SENTENCE],
    ["const code = 'left-and-received';", SENTENCE],
    ["const name = { zh: '百度文心千帆', en: 'Baidu Qianfan' };", HAN],
    ["const source = 'https://example.com/调用文档';", HAN],
    ["// 余额不足", HAN],
  ])("lets pass %s", (source, kind) => {
    expect(findTexts("vendors/one.ts", source, kind)).toEqual([]);
  });
});
