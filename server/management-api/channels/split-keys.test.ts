import { describe, expect, it } from "vitest";
import { splitDocuments, splitLines } from "./split-keys";

const FILE = { type: "service_account", private_key: "-----BEGIN\nabc\n-----END", list: [{ a: 1 }, {}] };
const ONE_LINE = JSON.stringify(FILE);
const PRETTY = JSON.stringify(FILE, null, 2);

describe("the keys of a text", () => {
  it("stand on a line each", () => {
    expect(splitLines(" a \r\n\n b\n")).toEqual([
      { key: "a", line: 1 },
      { key: "b", line: 3 },
    ]);
  });

  it.each<[string, string, { key: string; line: number }[]]>([
    ["a document on one line", ONE_LINE, [{ key: ONE_LINE, line: 1 }]],
    ["a document on several lines", `\n${PRETTY}\n`, [{ key: ONE_LINE, line: 2 }]],
    ["a document with other line ends", PRETTY.replaceAll("\n", "\r\n"), [{ key: ONE_LINE, line: 1 }]],
    [
      "documents and plain keys",
      `${PRETTY}\n\nplain\n${ONE_LINE}\n${PRETTY}`,
      [
        { key: ONE_LINE, line: 1 },
        { key: "plain", line: 12 },
        { key: ONE_LINE, line: 13 },
        { key: ONE_LINE, line: 14 },
      ],
    ],
    [
      "lines that only begin like a document",
      '{"a":\nb}',
      [
        { key: '{"a":', line: 1 },
        { key: "b}", line: 2 },
      ],
    ],
  ])("may be %s", (_, text, keys) => {
    expect(splitDocuments(text)).toEqual(keys);
  });
});
