import { describe, expect, it } from "vitest";
import { type Cell, type FileColumn, fileHead, fileRows } from "./file-format";

const COLUMNS: FileColumn<readonly [Cell, Cell]>[] = [
  { name: "one", of: ([one]) => one },
  { name: "other", of: ([, other]) => other },
];
const csv = (...rows: (readonly [Cell, Cell])[]): string => fileRows("csv", COLUMNS, rows);

describe("a CSV file", () => {
  it("begins with a byte order mark and the names, also where nothing follows", () => {
    expect(fileHead("csv", COLUMNS)).toBe("\uFEFFone,other\r\n");
    expect(csv()).toBe("");
  });

  it("ends records and quotes fields as RFC 4180 says", () => {
    expect(csv(["a", 'say "hi"'], ["b,c", "two\r\nlines"], ["", null])).toBe(
      'a,"say ""hi"""\r\n"b,c","two\r\nlines"\r\n,\r\n',
    );
    expect(csv(["模型", "名称"])).toBe("模型,名称\r\n");
  });

  it.each(["=", "+", "-", "@", "\t", "\r", "＝", "＋", "－", "＠"])(
    "leaves no formula in a text that begins with %j",
    (sign) => {
      const [cell = ""] = csv([`${sign}cmd|' /C calc'!A0`, 1]).split(/,1\r\n$/);
      expect(cell.replace(/^"/, "")).toMatch(/^'/);
      expect(cell).toContain(`'${sign}cmd`);
    },
  );

  it("leaves numbers numbers, below nothing and up to the largest", () => {
    expect(csv([-5, Number.MAX_SAFE_INTEGER], [true, 0.25])).toBe("-5,9007199254740991\r\ntrue,0.25\r\n");
  });
});

describe("a file of JSON Lines", () => {
  it("has one object a line and no head", () => {
    expect(fileHead("jsonl", COLUMNS)).toBe("");
    const text = fileRows("jsonl", COLUMNS, [
      ["=1\n2", -5],
      [null, false],
    ]);
    expect(text.split("\n")).toHaveLength(3);
    expect(
      text
        .trimEnd()
        .split("\n")
        .map((line) => JSON.parse(line)),
    ).toEqual([
      { one: "=1\n2", other: -5 },
      { one: null, other: false },
    ]);
  });
});
