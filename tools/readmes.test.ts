import { readdirSync, readFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { describe, expect, it } from "vitest";

const CHINESE = ".zh-CN.md";
/** A picture of a page in Chinese stands for that of the same page in English. */
const CHINESE_PICTURE = /[.]zh-CN(?=[.]png$)/;

const PAGES = [
  "README.md",
  ...readdirSync("docs", { recursive: true, encoding: "utf8" }).map((file) => join("docs", file)),
]
  .filter((file) => file.endsWith(CHINESE) || file === "README.md")
  .map((file) => file.replace(CHINESE, ".md"));

/** What is the same in every language, in its order: how deep headings are, code, links, and the first cells of tables. */
const skeletonOf = (file: string) => {
  const text = readFileSync(file, "utf8");
  const code = [...text.matchAll(/```.*?```/gs)].map(([block]) => block);
  const prose = text.replace(/```.*?```/gs, "");
  const links = [...prose.matchAll(/\]\(([^)\s]+)\)/g)].map(([, target = ""]) =>
    target.replace(CHINESE_PICTURE, ""),
  );
  const namesIn = (line: string): string[] => [...line.matchAll(/`([^`]+)`/g)].map(([, name = ""]) => name);
  const isOfBothLanguages = (link: string): boolean => {
    const path = join(dirname(file), link);
    return !path.endsWith(CHINESE) && path !== file.replace(CHINESE, ".md");
  };
  return {
    headings: [...prose.matchAll(/^#+/gm)].map(([marks]) => marks),
    code,
    links: links.filter(isOfBothLanguages).sort(),
    rows: prose
      .split("\n")
      .flatMap((line) => (line.startsWith("| ") ? [namesIn(line.split("|")[1] ?? "")] : [])),
    names: [...new Set(namesIn(prose))].sort(),
  };
};

it("finds the pages in two languages", () => {
  expect(PAGES.length).toBeGreaterThan(3);
});

it.each(["README.md", "README.zh-CN.md"])("%s has at most 120 lines", (file) => {
  expect(readFileSync(file, "utf8").trimEnd().split("\n").length).toBeLessThanOrEqual(120);
});

describe.each(PAGES)("the Chinese page of %s agrees with the English one", (page) => {
  const english = skeletonOf(page);
  const chinese = skeletonOf(page.replace(/\.md$/, CHINESE));

  it.each(["headings", "code", "links", "rows", "names"] as const)("its %s", (part) => {
    expect(chinese[part]).toEqual(english[part]);
  });
});
