import { expect, it } from "vitest";
import { toCsv } from "./csv";

it("quotes separators, and keeps spreadsheets from running a text", () => {
  expect(
    toCsv([
      ["name", "key"],
      ['a "b", c', "sk-1"],
      ["two\nlines", ""],
    ]),
  ).toBe('\uFEFFname,key\r\n"a ""b"", c",sk-1\r\n"two\nlines",\r\n');
  for (const first of ["=", "+", "-", "@", "\t", "＝"])
    expect(toCsv([[`${first}1+1`]])).toBe(`\uFEFF'${first}1+1\r\n`);
  expect(toCsv([['=HYPERLINK("x")']])).toBe('\uFEFF"\'=HYPERLINK(""x"")"\r\n');
  expect(toCsv([["\r=1"]])).toBe('\uFEFF"\'\r=1"\r\n');
});
