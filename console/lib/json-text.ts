export interface JsonMistake {
  /** From 1. */
  line: number;
  /** From 1. */
  column: number;
}

/** JSON as written: names keep their order and duplicates, numbers every digit. */
export type JsonNode =
  | { kind: "object"; entries: readonly (readonly [name: string, value: JsonNode])[] }
  | { kind: "list"; items: readonly JsonNode[] }
  | { kind: "text"; value: string; raw: string }
  | { kind: "number" | "word"; raw: string };

const SPACE = /[ \t\r\n]*/y;
const STRING = /"(?:[^"\\\p{Cc}]|\\(?:["\\/bfnrt]|u[0-9a-fA-F]{4}))*"/uy;
const NUMBER = /-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?/y;
const WORD = /true|false|null/y;

/** Deeper texts are refused: no setting is nested like this. */
const MAX_DEPTH = 100;

/** Stops parsing at the current position. */
class Misplaced extends Error {}

class JsonReader {
  at = 0;
  private depth = 0;
  constructor(private readonly text: string) {}

  whole(): JsonNode {
    const node = this.value();
    this.take(SPACE);
    if (this.at < this.text.length) throw new Misplaced();
    return node;
  }

  private take(pattern: RegExp): string | undefined {
    pattern.lastIndex = this.at;
    const match = pattern.exec(this.text)?.[0];
    this.at += match?.length ?? 0;
    return match;
  }

  private takeCharacter(character: string): boolean {
    this.take(SPACE);
    if (this.text[this.at] !== character) return false;
    this.at += 1;
    return true;
  }

  private list<Item>(close: string, item: () => Item): Item[] {
    if (++this.depth > MAX_DEPTH) throw new Misplaced();
    const items: Item[] = [];
    if (!this.takeCharacter(close)) {
      do {
        this.take(SPACE);
        items.push(item());
      } while (this.takeCharacter(","));
      if (!this.takeCharacter(close)) throw new Misplaced();
    }
    this.depth -= 1;
    return items;
  }

  private entry(): readonly [string, JsonNode] {
    const name = this.take(STRING);
    if (name === undefined || !this.takeCharacter(":")) throw new Misplaced();
    return [String(JSON.parse(name)), this.value()];
  }

  private value(): JsonNode {
    this.take(SPACE);
    if (this.takeCharacter("{")) return { kind: "object", entries: this.list("}", () => this.entry()) };
    if (this.takeCharacter("[")) return { kind: "list", items: this.list("]", () => this.value()) };
    const string = this.take(STRING);
    if (string !== undefined) return { kind: "text", value: String(JSON.parse(string)), raw: string };
    const number = this.take(NUMBER);
    if (number !== undefined) return { kind: "number", raw: number };
    const word = this.take(WORD);
    if (word === undefined) throw new Misplaced();
    return { kind: "word", raw: word };
  }
}

/** The line and column of an index. */
export const positionAt = (text: string, index: number): JsonMistake => {
  const before = text.slice(0, index).split("\n");
  return { line: before.length, column: (before.at(-1)?.length ?? 0) + 1 };
};

/**
 * Parses JSON, or returns the position of its first mistake. Browsers word this differently, and not at all for short
 * texts, so the text is parsed here.
 */
export const readJson = (text: string): { node: JsonNode } | { mistake: JsonMistake } => {
  const reader = new JsonReader(text);
  try {
    return { node: reader.whole() };
  } catch (error) {
    if (!(error instanceof Misplaced)) throw error;
    return { mistake: positionAt(text, reader.at) };
  }
};

/** The position of the first JSON mistake; undefined for valid JSON. */
export const findJsonMistake = (text: string): JsonMistake | undefined => {
  const read = readJson(text);
  return "mistake" in read ? read.mistake : undefined;
};

const between = (open: string, parts: readonly string[], close: string, indent: string): string =>
  parts.length === 0
    ? open + close
    : `${open}\n${parts.map((part) => `${indent}  ${part}`).join(",\n")}\n${indent}${close}`;

/** Formats JSON like JSON.stringify with an indent of two. */
export const formatJson = (node: JsonNode, indent = ""): string => {
  const deeper = `${indent}  `;
  switch (node.kind) {
    case "object":
      return between(
        "{",
        node.entries.map(([name, value]) => `${JSON.stringify(name)}: ${formatJson(value, deeper)}`),
        "}",
        indent,
      );
    case "list":
      return between(
        "[",
        node.items.map((item) => formatJson(item, deeper)),
        "]",
        indent,
      );
    default:
      return node.raw;
  }
};
