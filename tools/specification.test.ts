import { existsSync, readFileSync } from "node:fs";
import { describe, expect, it } from "vitest";

/** `path/of/file.test.ts` › title of the test */
const PROOF = /^`([^`]+[.]test[.]tsx?)` › (.+)$/;

interface Row {
  statement: string;
  proofs: string[];
}

const readRows = (): Row[] => {
  const rows: Row[] = [];
  for (const line of readFileSync("docs/reference/specification.md", "utf8").split("\n")) {
    if (!line.startsWith("| ") || line.startsWith("| statement |")) continue;
    const [statement = "", proofs = ""] = line.split(/(?<!\\)[|]/).slice(1, 3);
    rows.push({
      statement: statement.trim(),
      proofs: proofs
        .trim()
        .split("<br>")
        .map((proof) => proof.trim().replaceAll("\\|", "|")),
    });
  }
  return rows;
};

const texts = new Map<string, string>();
const readTest = (file: string): string => {
  let text = texts.get(file);
  if (text === undefined) {
    text = existsSync(file) ? readFileSync(file, "utf8") : "";
    texts.set(file, text);
  }
  return text;
};

describe("the table of the specification", () => {
  const rows = readRows();

  it("says nothing twice", () => {
    const statements = rows.map(({ statement }) => statement);
    expect(statements.filter((statement, at) => statements.indexOf(statement) !== at)).toEqual([]);
  });

  it("names a test that exists for each statement", () => {
    const missing = rows.flatMap(({ statement, proofs }) =>
      proofs
        .filter((proof) => {
          const [, file = "", title = ""] = PROOF.exec(proof) ?? [];
          return title === "" || !readTest(file).includes(title);
        })
        .map((proof) => `${statement}: ${proof}`),
    );
    expect(missing).toEqual([]);
  });
});
