import { readFileSync } from "node:fs";
import { describe, expect, it } from "vitest";

/** What is the same in every language, in its order: how deep headings are, code, links, and the first cells of tables. */
const skeletonOf = (file: string) => {
  const text = readFileSync(file, "utf8");
  const code = [...text.matchAll(/```.*?```/gs)].map(([block]) => block);
  const prose = text.replace(/```.*?```/gs, "");
  const links = [...prose.matchAll(/\]\(([^)\s]+)\)/g)].map(([, target = ""]) => target);
  const namesIn = (line: string): string[] => [...line.matchAll(/`([^`]+)`/g)].map(([, name = ""]) => name);
  return {
    headings: [...prose.matchAll(/^#+/gm)].map(([marks]) => marks),
    code,
    // Those to each other stand in another place.
    links: links.filter((target) => !target.startsWith("README")).sort(),
    rows: prose
      .split("\n")
      .flatMap((line) => (line.startsWith("| ") ? [namesIn(line.split("|")[1] ?? "")] : [])),
    names: [...new Set(namesIn(prose))].sort(),
  };
};

describe("the Chinese README says what the English one says", () => {
  const english = skeletonOf("README.md");
  const chinese = skeletonOf("README.zh-CN.md");

  it.each(["headings", "code", "links", "rows", "names"] as const)("its %s", (part) => {
    expect(chinese[part]).toEqual(english[part]);
  });
});
