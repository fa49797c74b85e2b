import { existsSync, readdirSync, readFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { describe, expect, it } from "vitest";

const FILES = [
  ...readdirSync(".").filter((file) => file.endsWith(".md")),
  ...readdirSync("docs", { recursive: true, encoding: "utf8" })
    .filter((file) => file.endsWith(".md"))
    .map((file) => join("docs", file)),
];

/** Whether this is the line between the names of a table's columns and its rows. */
const isRuler = (line: string | undefined): boolean => /^\|(?:\s*:?-+:?\s*\|)+$/.test(line ?? "");

const countCells = (line: string): number => line.replaceAll("\\|", "").split("|").length - 2;

/** The rows that are drawn as text: without a head above them, or with more or fewer cells than it. */
const lostRows = (text: string): string[] => {
  const lines = text.replace(/^```.*?^```/gms, "").split("\n");
  let columns: number | undefined;
  return lines.filter((line, index) => {
    if (!line.startsWith("|")) {
      columns = undefined;
      return false;
    }
    if (columns === undefined && isRuler(lines[index + 1])) columns = countCells(line);
    return countCells(line) !== columns;
  });
};

/** The anchor that GitHub gives a heading. */
const anchorOf = (heading: string): string =>
  heading
    .toLowerCase()
    .replace(/[^\p{L}\p{M}\p{N}_ -]/gu, "")
    .replaceAll(" ", "-");

const anchorsIn = (text: string): string[] =>
  [...text.replace(/^```.*?^```/gms, "").matchAll(/^#+ (.*)$/gm)].map(([, heading = ""]) =>
    anchorOf(heading),
  );

describe("the documents", () => {
  it.each(FILES)("%s has its rows in tables, and links to files that are there", (file) => {
    const text = readFileSync(file, "utf8");
    expect(lostRows(text)).toEqual([]);
    const links = [...text.matchAll(/\]\((?!https?:|mailto:|#)([^)#\s]+)/g)].map(([, link = ""]) => link);
    expect(links.filter((link) => !existsSync(join(dirname(file), link)))).toEqual([]);
  });

  it.each(FILES)("%s links to headings that are there", (file) => {
    const links = [...readFileSync(file, "utf8").matchAll(/\]\(([^)#\s:]*)#([^)\s]+)\)/g)];
    const broken = links.filter(([, path = "", anchor = ""]) => {
      const target = path === "" ? file : join(dirname(file), path);
      return !existsSync(target) || !anchorsIn(readFileSync(target, "utf8")).includes(anchor);
    });
    expect(broken.map(([link]) => link)).toEqual([]);
  });

  it("has the anchors of GitHub", () => {
    expect(anchorsIn("## With `code`, and more …\n```sh\n# no heading\n```\n# 中文 标题")).toEqual([
      "with-code-and-more-",
      "中文-标题",
    ]);
  });

  it.each(FILES.filter((file) => file.includes("guides/add-a")))("%s names files that are there", (file) => {
    const named = [...readFileSync(file, "utf8").matchAll(/`((?:[\w@.-]+\/)+[\w.-]+\.(?:tsx?|json|mjs))`/g)];
    const rooms = named.map(([, path = ""]) => path).filter((path) => existsSync(path.split("/")[0] ?? ""));
    expect(rooms.length).toBeGreaterThan(0);
    expect(rooms.filter((path) => !existsSync(path))).toEqual([]);
  });

  it.each([
    ["an empty line", "| a | b |\n| --- | --- |\n| 1 | 2 |\n\n| 3 | 4 |", ["| 3 | 4 |"]],
    ["a row too long", "| a | b |\n|---|:-:|\n| `x|y` | 2 |\n| 3 | 4 |", ["| `x|y` | 2 |"]],
    ["no head", "text\n| 1 | 2 |", ["| 1 | 2 |"]],
  ])("a table with %s does not pass", (_, text, lost) => {
    expect(lostRows(text)).toEqual(lost);
  });
});
