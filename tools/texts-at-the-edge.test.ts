import { readdirSync, readFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { type ESTree, parseSync, Visitor } from "vite";
import { describe, expect, it } from "vitest";

/*
 * Below the server and the console nothing is said to people: rooms give codes with parameters, and server/locales/ and
 * console/locales/ say them in the reader's language. What is no such text is told by what it is, not by where it stands:
 * the message of an Error of the language's own, which a programmer alone reads; words that are looked for in others' words
 * (`phrases`, `includes`) or taken apart (`split`); lists of names (`REQUEST_FIELDS`, `SNAKE_NAMES`); words for a model
 * (`forModel`, the `description` of a schema); what the API's description says of a call (`summary`, `query`); names of vendors; SQL.
 */

const ROOT = join(dirname(fileURLToPath(import.meta.url)), "..");

const ROOMS = ["contract", "protocols", "vendors", "metering", "accounts", "relay", "storage"];

const MISSING_CODE =
  "give a code with its parameters instead, and say it in server/locales/ (docs/architecture.md, Conventions)";

const HAN = /\p{Script=Han}/u;
/** Three words in a row; a list of names joined by "_" or "." is none. */
const SENTENCE = /(?:^|[\s("])\p{L}+[,;:]?\s+\p{L}+[,;:]?\s+\p{L}+/u;

const SQL =
  /\b(?:SELECT|INSERT|UPDATE|DELETE|CREATE|ALTER|DROP|WHERE|ORDER BY|JOIN|AND|OR|AS|LIKE|NOT NULL|PRIMARY KEY|UNIQUE|VALUES|LOCK|TRANSACTION|ISOLATION LEVEL|CURSOR|TRUNCATE|TRIGGER|CASE|SET LOCAL|DISTINCT FROM|epoch FROM)\b/;
/** "lines, requests, quota" */
const LIST = /^\w+(?:, \w+)+$/;
/** An event of a stream. */
const EVENT = /^event: \w+\ndata: /;

/** What of texts that seem to be sentences is none. */
const isNoSentence = (file: string, text: string): boolean =>
  LIST.test(text) || EVENT.test(text) || (file.startsWith("storage/") && SQL.test(text));

/** Errors that no code of ours shows to any person; one with a class of its own may well be shown. */
const OF_THE_LANGUAGE = ["Error", "TypeError", "RangeError", "SyntaxError"];

/** Properties whose texts are no words to people, by the room. */
const OTHER_WORDS: Readonly<Record<string, readonly string[]>> = {
  contract: ["summary", "query"],
  vendors: ["name", "zh", "en"],
  protocols: ["phrases", "description"],
};

/** Constants that hold names of fields, several in one text. */
const NAMES = /_(?:NAMES|FIELDS|PARAMETERS?)$/;

/** What searches in a text, or takes it apart. */
const TEXT_METHODS = ["includes", "indexOf", "startsWith", "endsWith", "split"];

interface Text {
  start: number;
  text: string;
}

const nameOf = (node: ESTree.Node): string => (node.type === "Identifier" ? node.name : "");

/** The texts of a source that a person may be told. */
const textsOf = (file: string, source: string): Text[] => {
  const room = file.split("/")[0] ?? "";
  const texts: Text[] = [];
  const skipped: { start: number; end: number }[] = [];
  const add = ({ start, end }: { start: number; end: number }, text: string): void => {
    if (!text.startsWith("https://") && !skipped.some((each) => each.start <= start && end <= each.end))
      texts.push({ start, text });
  };
  new Visitor({
    NewExpression(node) {
      if (OF_THE_LANGUAGE.includes(nameOf(node.callee))) skipped.push(node);
    },
    CallExpression({ callee, arguments: parameters }) {
      if (callee.type !== "MemberExpression" || !TEXT_METHODS.includes(nameOf(callee.property))) return;
      skipped.push(...parameters);
      if (callee.object.type === "Literal") skipped.push(callee.object);
    },
    VariableDeclarator({ id, init }) {
      if (init && NAMES.test(nameOf(id))) skipped.push(init);
    },
    TaggedTemplateExpression(node) {
      if (nameOf(node.tag) === "forModel") skipped.push(node.quasi);
    },
    Property(node) {
      if (OTHER_WORDS[room]?.includes(nameOf(node.key))) skipped.push(node.value);
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
    .filter(({ text }) => kind.test(text) && (kind !== SENTENCE || !isNoSentence(file, text)))
    .map(({ start, text }) => `${file}:${source.slice(0, start).split("\n").length} ${text}`);

const sourcesOf = (room: string): string[] =>
  readdirSync(join(ROOT, room), { recursive: true, encoding: "utf8" })
    .map((path) => `${room}/${path.replaceAll("\\", "/")}`)
    .filter((path) => /\.ts$/.test(path) && !/\.test\.ts$|\/(node_modules|testing|dist)\//.test(path));

const KINDS = [
  ["Chinese", HAN],
  ["English", SENTENCE],
] as const;

describe.each(ROOMS)("no sentence for people below the edge: %s", (room) => {
  const sources = sourcesOf(room).map((file) => [file, readFileSync(join(ROOT, file), "utf8")] as const);

  it.each(KINDS)("says nothing in %s", (_, kind) => {
    expect(sources.length).toBeGreaterThan(5);
    expect(
      sources.flatMap(([file, source]) => findTexts(file, source, kind)),
      MISSING_CODE,
    ).toEqual([]);
  });

  it("is found out when it does", () => {
    for (const [file, source] of sources.filter((_, index) => index % 10 === 0)) {
      const line = source.split("\n").length;
      const found = findTexts(file, `${source}export const put = "the balance is used up";`, SENTENCE);
      expect(found).toEqual([`${file}:${line} the balance is used up`]);
    }
  });
});

describe("the rule", () => {
  it.each([
    ["const text = '余额不足';", HAN],
    [`const text = \`模型倍率 \${ratio}\`;`, HAN],
    ["const names = { en: '百度' };", HAN],
    ["log('the balance is used up');", SENTENCE],
    [`log(\`at most \${most} images may be sent\`);`, SENTENCE],
    ["throw new Refused('please try again later');", SENTENCE],
    ["throw new RequestInvalid(`field model is required`, 'model');", SENTENCE],
    ["throw new GatewayError('please try again later');", SENTENCE],
    ["const description = 'what is wrong with it';", SENTENCE],
    ["tell`please try again later`;", SENTENCE],
    ["const sql = 'SELECT name FROM models';", SENTENCE],
  ])("fires on %s", (source, kind) => {
    expect(findTexts("relay/one.ts", source, kind)).toHaveLength(1);
  });

  it.each([
    ["relay", "throw new Error('a hold was ended twice');", SENTENCE],
    ["relay", "const code = 'left-and-received';", SENTENCE],
    ["relay", "const isLate = error.message.includes('handshake has timed out');", SENTENCE],
    ["vendors", "const name = { zh: '百度文心千帆', en: 'Baidu Qianfan Two' };", HAN],
    ["vendors", "const source = 'https://example.com/调用文档';", HAN],
    ["contract", "// 余额不足", HAN],
    ["protocols", "const rule = { phrases: ['credit balance is too low', '余额不足'] };", HAN],
    ["protocols", "const rule = { phrases: ['credit balance is too low', '余额不足'] };", SENTENCE],
    ["protocols", "const names = 'model messages tools'.split(' ');", SENTENCE],
    ["protocols", "const REQUEST_FIELDS = new Set(['model messages tools'].flatMap(split));", SENTENCE],
    ["protocols", "const text = forModel`Answer by calling one of the tools.`;", SENTENCE],
    ["protocols", "const schema = { description: 'Left out when the file is deleted.' };", SENTENCE],
    ["protocols", "const text = `event: error\\ndata: one two three\\n\\n`;", SENTENCE],
    ["storage", "const sql = 'SELECT name FROM models';", SENTENCE],
    ["storage", "const columns = 'lines, requests, quota';", SENTENCE],
  ])("lets pass in %s: %s", (room, source, kind) => {
    expect(findTexts(`${room}/one.ts`, source, kind)).toEqual([]);
  });
});
