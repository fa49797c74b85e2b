import { execFileSync } from "node:child_process";
import { readFileSync } from "node:fs";
import { expect, it } from "vitest";

/** "contract section 2.5", "contract sections 1.2 and 1.3". */
const CITED = /\b(contract|specification) sections? (\d+(?:\.\d+)?)(?: and (\d+(?:\.\d+)?))?/gi;

const sectionsOf = (document: string): Set<string> =>
  new Set(
    [...readFileSync(`docs/reference/${document}.md`, "utf8").matchAll(/^#+ (\d+(?:\.\d+)?)\.? /gm)].map(
      ([, number = ""]) => number,
    ),
  );

it("a comment cites sections that are in docs/reference", () => {
  const known: Readonly<Record<string, Set<string>>> = {
    contract: sectionsOf("contract"),
    specification: sectionsOf("specification"),
  };
  const files = execFileSync("git", ["ls-files", "*.ts", "*.tsx", "*.mjs"], { encoding: "utf8" });
  let count = 0;
  for (const file of files
    .trim()
    .split("\n")
    .filter((name) => name !== "tools/citations.test.ts"))
    for (const [cited, document = "", ...numbers] of readFileSync(file, "utf8").matchAll(CITED))
      for (const number of numbers.filter((each) => each !== undefined)) {
        count += 1;
        expect(known[document.toLowerCase()]?.has(number), `${file} cites "${cited}"`).toBe(true);
      }
  expect(count).toBeGreaterThan(80);
});
