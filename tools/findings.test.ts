import { existsSync, readFileSync } from "node:fs";
import { describe, expect, it } from "vitest";

interface Row {
  id: string;
  done: string;
  shownBy: string;
}

const rows: Row[] = readFileSync("docs/reference/findings.md", "utf8")
  .split("\n")
  .filter((line) => /^\| [A-Z]\d+ \|/.test(line))
  .map((line) => {
    const [id = "", , done = "", shownBy = ""] = line
      .split(/(?<!\\)\|/)
      .slice(1)
      .map((cell) => cell.trim().replaceAll("\\|", "|"));
    return { id, done, shownBy };
  });

const texts = new Map<string, string>();
const readTest = (file: string): string => {
  let text = texts.get(file);
  if (text === undefined) {
    text = existsSync(file) ? readFileSync(file, "utf8") : "";
    texts.set(file, text);
  }
  return text;
};

/** `path/of/file.test.ts` › title, several of them behind semicolons. */
const PROOF = /`([^`]+\.test\.tsx?)` › (.+?)(?=; `[^`]+\.test\.tsx?` ›|$)/g;

describe("the table of findings", () => {
  it("has each finding once", () => {
    expect(rows.map(({ id }) => id)).toEqual([...new Set(rows.map(({ id }) => id))]);
    // The newest finding of each kind: none of those before it is missing.
    const newest = ["C21", "M17", "N7", "O9", "P4", "S26", "T18", "V1", "X5"];
    const all = newest.flatMap((last) =>
      Array.from({ length: Number(last.slice(1)) }, (_, index) => `${last[0]}${index + 1}`),
    );
    expect(rows.map(({ id }) => id).sort()).toEqual(all.sort());
  });

  it("names a test that exists for each", () => {
    const wrong = rows.flatMap(({ id, done, shownBy }) => {
      const proofs = [...shownBy.matchAll(PROOF)];
      if (done === "" || proofs.length === 0) return [`${id}: nothing is named`];
      return proofs
        .filter(([, file = "", title = ""]) => !readTest(file).includes(title.trim()))
        .map(([proof]) => `${id}: ${proof}`);
    });
    expect(wrong).toEqual([]);
  });
});
